import { z } from 'zod';
import { ScoreCurveSchema } from '../vision/detect/score-curves.ts';
import { CARD_FIELDS, Channels, Source } from './card-parts.ts';

const NanodetDecoder = z.strictObject({
  kind: z.literal('nanodet'),
  strides: z.array(z.int().positive()).min(1),
  /** Bins of the distance distribution of each side. */
  bins: z.int().min(2),
  /** `logits`: the class scores of the graph still need a sigmoid. */
  scores: z.enum(['logits', 'probabilities']),
  /** Pixels from the centre of a cell to its point: −0.5 where coordinates count from the centres of pixels. */
  pointOffset: z.number().default(0),
});
const YoloxDecoder = z.strictObject({
  kind: z.literal('yolox'),
  strides: z.array(z.int().positive()).min(1),
});

/**
 * The outputs of the source. `joined`: these tensors, one for each stride, [1, classes + 4 × bins, h, w] directly after a
 * convolution, before any sigmoid. `split`: scores [1, h × w, 80] and distances [1, h × w, 4 × bins] of each stride.
 * `single`: one output [1, anchors, 85].
 */
const Heads = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('joined'), tensors: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('split') }),
  z.strictObject({ kind: z.literal('single') }),
]);

/** Written by `npm run models -- calibrate-scores`. */
const Scores = z.strictObject({
  person: ScoreCurveSchema.optional(),
  vehicle: ScoreCurveSchema.optional(),
  /** The data, date and command of the fit. */
  fitted: z.strictObject({
    data: z.string().min(1),
    pictures: z.int().positive(),
    date: z.iso.date(),
    command: z.string().min(1),
  }),
});

export const DetectorCardSchema = z.strictObject({
  ...CARD_FIELDS,
  task: z.literal('detect'),
  source: Source,
  input: z.strictObject({
    width: z.int().positive(),
    height: z.int().positive(),
    layout: z.literal('nchw'),
    colour: z.enum(['rgb', 'bgr']),
    /** Per channel, in the order of `colour`, of pixels 0-255: (pixel − mean) / std. */
    mean: Channels,
    std: Channels,
  }),
  heads: Heads,
  decoder: z.discriminatedUnion('kind', [NanodetDecoder, YoloxDecoder]),
  /** The classes of the source, and the COCO ids that the converted model keeps. */
  classes: z.strictObject({ trained: z.literal('coco-80'), keep: z.array(z.int().min(0).max(79)).min(1) }),
  /** Of two boxes of one class that overlap more than this, the weaker one is doubted: it loses score. */
  nmsIou: z.number().min(0).max(1),
  /** `int8`: quantised while preparing, by the ranges in the file beside the card. */
  quantise: z.strictObject({ to: z.literal('int8'), ranges: z.string() }).optional(),
  /** Curves from raw scores to probabilities. The scores of a class without a curve stay raw. */
  scores: Scores.optional(),
});

/** What a detector is, its origin and how it is converted; a JSON file in `models/`. */
export type DetectorCard = z.infer<typeof DetectorCardSchema>;
