import { z } from 'zod';
import { type NetworkSize, type NetworkSizes, pixelsOf } from '../vision/detect/detector.ts';
import { ScoreCurveSchema } from '../vision/detect/score-curves.ts';
import { CARD_FIELDS, Channels, GivenOrSource } from './card-parts.ts';

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

/** D-FINE, RF-DETR and others. `queries`: the number of boxes that the network gives for each picture. */
const DetrDecoder = z.strictObject({ kind: z.literal('detr'), queries: z.int().positive() });

/**
 * The outputs of the source. `joined`: these tensors, one for each stride, [1, classes + 4 × bins, h, w] directly after a
 * convolution, before any sigmoid. `split`: scores [1, h × w, 80] and distances [1, h × w, 4 × bins] of each stride.
 * `single`: one output [1, anchors, 85]. `queries`: these outputs, class logits [1, queries, classes] and boxes [1, queries, 4].
 */
const Heads = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('joined'), tensors: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('split') }),
  z.strictObject({ kind: z.literal('single') }),
  z.strictObject({ kind: z.literal('queries'), logits: z.string(), boxes: z.string() }),
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

/** Null: it was not measured, for this reason. A node never chooses such a model by itself. */
const Accuracy = z.union([
  z.strictObject({ personAp50: z.number().min(0).max(1), data: z.string().min(1) }),
  z.strictObject({ personAp50: z.null(), reason: z.string().min(1) }),
]);

const InputSize = z.strictObject({ width: z.int().positive(), height: z.int().positive() });

const DetectorCardFields = z.strictObject({
  ...CARD_FIELDS,
  task: z.literal('detect'),
  source: GivenOrSource,
  /** One sentence: how to get or export a given file. */
  obtain: z.string().optional(),
  input: z.strictObject({
    width: z.int().positive(),
    height: z.int().positive(),
    layout: z.literal('nchw'),
    colour: z.enum(['rgb', 'bgr']),
    /** Per channel, in the order of `colour`, of pixels 0-255: (pixel − mean) / std. */
    mean: Channels,
    std: Channels,
  }),
  /** A larger input at which the network works too, for cameras that see small people. */
  largerInput: InputSize.nullable().default(null),
  /** Smaller inputs at which the network works too, for parts of a frame; none where the file fixes its input. */
  smallerInputs: z.array(InputSize).default([]),
  heads: Heads,
  decoder: z.discriminatedUnion('kind', [NanodetDecoder, YoloxDecoder, DetrDecoder]),
  /**
   * The classes of the source, and those that the ready file keeps, as numbers of `coco-80`. `coco-91`: the numbers of the
   * labels of COCO, with gaps.
   */
  classes: z.strictObject({
    trained: z.enum(['coco-80', 'coco-91']),
    keep: z.array(z.int().min(0).max(79)).min(1),
  }),
  /** Of two boxes of one class that overlap more than this, the weaker one is doubted: it loses score. */
  nmsIou: z.number().min(0).max(1),
  /** `int8`: quantised while preparing, by the ranges in the file beside the card. */
  quantise: z.strictObject({ to: z.literal('int8'), ranges: z.string() }).optional(),
  /** How well people are found on labelled pictures, so that models can be compared. */
  accuracy: Accuracy.optional(),
  /** Curves from raw scores to probabilities. The scores of a class without a curve stay raw. */
  scores: Scores.optional(),
});

const largestStride = (decoder: z.infer<typeof DetectorCardFields>['decoder']): number =>
  decoder.kind === 'detr' ? 1 : Math.max(...decoder.strides);

type CardFields = z.infer<typeof DetectorCardFields>;

const fitsInto = (small: NetworkSize, large: NetworkSize): boolean =>
  small.width <= large.width && small.height <= large.height && pixelsOf(small) < pixelsOf(large);

const fitsStrides = ({ width, height }: NetworkSize, { decoder }: CardFields): boolean =>
  [width, height].every((side) => side % largestStride(decoder) === 0);

export const DetectorCardSchema = DetectorCardFields.refine(
  (card) =>
    card.smallerInputs.every(
      (size) => fitsInto(size, card.largerInput ?? card.input) && fitsStrides(size, card),
    ),
  {
    path: ['smallerInputs'],
    error: 'must fit into "input" or "largerInput", be smaller, and be multiples of the largest stride',
  },
)
  .refine(
    (card) =>
      !card.largerInput || (fitsInto(card.input, card.largerInput) && fitsStrides(card.largerInput, card)),
    { path: ['largerInput'], error: 'must be larger than "input", and multiples of the largest stride' },
  )
  .refine(
    ({ source, smallerInputs, largerInput }) =>
      (smallerInputs.length === 0 && !largerInput) || source.format === 'tfjs',
    {
      path: ['smallerInputs'],
      error: 'need a TensorFlow.js source, because an ONNX file fixes its input',
    },
  );

/** What a detector is, its origin and how it is prepared; a JSON file in `models/`. */
export type DetectorCard = z.infer<typeof DetectorCardSchema>;

/** The inputs that a card offers, the one with the most pixels first. */
export function inputSizes({
  input: { width, height },
  smallerInputs,
  largerInput,
}: Pick<DetectorCard, 'input' | 'smallerInputs' | 'largerInput'>): NetworkSizes {
  const input = { width, height };
  const smaller = largerInput ? [input, ...smallerInputs] : smallerInputs;
  return [largerInput ?? input, ...smaller.toSorted((a, b) => pixelsOf(b) - pixelsOf(a))];
}

/** The cards for all its sizes, the largest first. */
export const cardsOfSizes = (card: DetectorCard): DetectorCard[] =>
  inputSizes(card).map((size) => cardAt(card, size));

/** The card for one of its sizes. */
export const cardAt = (card: DetectorCard, { width, height }: NetworkSize): DetectorCard => ({
  ...card,
  input: { ...card.input, width, height },
});
