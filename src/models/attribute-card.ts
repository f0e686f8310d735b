import { z } from 'zod';
import { ALL_ATTRIBUTE_KEYS } from '../vision/attributes/keys.ts';
import { Source, Usage } from './card.ts';

const channels = z.tuple([z.number(), z.number(), z.number()]);

const CropInput = z.strictObject({
  /** Pixels of the crop that the network sees. */
  width: z.int().positive(),
  height: z.int().positive(),
  colour: z.enum(['rgb', 'bgr']),
  /**
   * Points of the picture, across and down, of which a pixel of the crop is the mean: 2 where the network sees whole people
   * so small that single points would skip most of the picture.
   */
  fineness: z.int().min(1).max(4).default(1),
  /** Per channel, in the order of `colour`, of pixels 0-255: (pixel − mean) / std. */
  mean: channels,
  std: channels,
});
export type CropInput = z.infer<typeof CropInput>;

const AttributeKeySchema = z.enum(ALL_ATTRIBUTE_KEYS);

/** One output of an attribute network, a probability, and which of our keys it answers. */
const AttributeOutput = z.strictObject({
  /** As its documentation calls it; labels may use it. */
  name: z.string(),
  /** Holds from the threshold on. */
  yes: AttributeKeySchema.optional(),
  /** Holds below the threshold. */
  no: AttributeKeySchema.optional(),
  threshold: z.number().gt(0).lt(1).default(0.5),
});

const shared = {
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens'),
  title: z.string(),
  licence: z.string(),
  usage: Usage,
  homepage: z.url(),
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
    /** Pixels of the crop it was trained with. `input` may be narrower: people are. */
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
  /** `given`: an ONNX file of yours, by `npm run models -- pull NAME --from FILE`. */
  source: z.discriminatedUnion('kind', [
    ...Source.options,
    z.strictObject({ kind: z.literal('given'), format: z.literal('onnx') }),
  ]),
  outputs: z.array(AttributeOutput).min(1),
  /** Each person is looked at twice, the second time mirrored, and the mean is taken: left and right mean nothing. */
  mirrored: z.boolean().default(false),
});

const AttributeCardSchema = z.discriminatedUnion('task', [PartCard, AttributesCard]);

/** What an attribute network is and how it is fed; one JSON file in `models/attributes/`. */
export type AttributeCard = z.infer<typeof AttributeCardSchema>;
export type AttributesCard = z.infer<typeof AttributesCard>;
export type AttributeOutput = z.infer<typeof AttributeOutput>;
export { AttributeCardSchema };
