import { z } from 'zod';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');
const PackageFile = z.strictObject({ path: z.string(), sha256: Sha256, bytes: z.int().positive() });

/** The origin of a model. */
export const Source = z.discriminatedUnion('kind', [
  /** A TensorFlow.js graph model inside an installed npm package. */
  z.strictObject({
    kind: z.literal('npm'),
    package: z.string(),
    format: z.literal('tfjs'),
    topology: PackageFile,
    weights: PackageFile,
  }),
  /** An ONNX file that `npm run models -- pull` downloads. */
  z.strictObject({
    kind: z.literal('url'),
    format: z.literal('onnx'),
    url: z.url(),
    sha256: Sha256,
    bytes: z.int().positive(),
  }),
  /** An ONNX file of your own. The path is relative to the card. */
  z.strictObject({
    kind: z.literal('file'),
    format: z.literal('onnx'),
    path: z.string(),
    sha256: Sha256,
    bytes: z.int().positive(),
  }),
]);

/** The origin of a model, or `given`: an ONNX file of your own, taken by `npm run models -- pull NAME --from FILE`. */
export const GivenOrSource = z.discriminatedUnion('kind', [
  ...Source.options,
  z.strictObject({ kind: z.literal('given'), format: z.literal('onnx') }),
]);

/** Per channel, for example in the order of `colour`. */
export const Channels = z.tuple([z.number(), z.number(), z.number()]);

/** The fields that the cards of all models have. */
export const CARD_FIELDS = {
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens'),
  title: z.string(),
  licence: z.string(),
  /** `research`: the weights, or the data they were trained on, must not be used in production. */
  usage: z.enum(['any', 'research']).default('any'),
  homepage: z.url(),
};
