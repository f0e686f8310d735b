import { z } from 'zod';
import { ALL_ATTRIBUTE_KEYS } from '../vision/attributes/keys.ts';
import { CARD_FIELDS, Channels, GivenOrSource, Source } from './card-parts.ts';

const CropInput = z.strictObject({
  /** Pixels of the crop, the input of the network. */
  width: z.int().positive(),
  height: z.int().positive(),
  colour: z.enum(['rgb', 'bgr']),
  /**
   * A pixel of the crop is the mean of this many points of the frame, across and down: 2 for networks with crops so small
   * that single points would skip most of the frame.
   */
  fineness: z.int().min(1).max(4).default(1),
  /** Per channel, in the order of `colour`, of pixels 0-255: (pixel − mean) / std. */
  mean: Channels,
  std: Channels,
});
export type CropInput = z.infer<typeof CropInput>;

const AttributeKeySchema = z.enum(ALL_ATTRIBUTE_KEYS);

/** One output of an attribute network: a probability, and the keys that follow from it. */
const AttributeOutput = z.strictObject({
  /** The name in the documentation of the network; labels may use it. */
  name: z.string(),
  /** The key for a probability of at least the threshold. */
  yes: AttributeKeySchema.optional(),
  /** The key for a probability below the threshold. */
  no: AttributeKeySchema.optional(),
  threshold: z.number().gt(0).lt(1).default(0.5),
});

const shared = {
  ...CARD_FIELDS,
  /** One sentence: how to get or export the file. */
  obtain: z.string(),
  input: CropInput,
};

/** A TensorFlow.js network of an npm package that is a part of the embedded default. */
const PartCard = z.strictObject({
  ...shared,
  task: z.enum(['pose', 'face']),
  source: Source,
  graph: z.strictObject({
    /** Pixels of the crops in the training. `input` may be narrower, because people are. */
    width: z.int().positive(),
    height: z.int().positive(),
    input: z.string(),
    outputs: z.record(z.string(), z.string()),
  }),
});

/** A network whose outputs are attributes. */
const AttributesCard = z.strictObject({
  ...shared,
  task: z.literal('attributes'),
  source: GivenOrSource,
  outputs: z.array(AttributeOutput).min(1),
  /** Each crop is classified twice, the second time mirrored, and the mean counts: the outputs do not depend on left or right. */
  mirrored: z.boolean().default(false),
});

const AttributeCardSchema = z.discriminatedUnion('task', [PartCard, AttributesCard]);

/** What an attribute network is and what its input is; a JSON file in `models/attributes/`. */
export type AttributeCard = z.infer<typeof AttributeCardSchema>;
export type AttributesCard = z.infer<typeof AttributesCard>;
export type AttributeOutput = z.infer<typeof AttributeOutput>;
export { AttributeCardSchema };
