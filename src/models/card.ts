import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ScoreCurveSchema } from '../vision/detect/score-curves.ts';

/** The detector that needs no download: it comes whole from npm and is prepared on the user's machine. */
export const DEFAULT_MODEL = 'nanodet-g-int8';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');
const PackageFile = z.strictObject({ path: z.string(), sha256: Sha256, bytes: z.int().positive() });

/** What a model may be used for. `research`: its weights, or the data they were trained on, are not for production. */
export const Usage = z.enum(['any', 'research']).default('any');

/** @returns one sentence; null for a model that may be used for anything */
export const restrictionOf = ({ name, usage, licence }: Pick<ModelCard, 'name' | 'usage' | 'licence'>) =>
  usage === 'any'
    ? null
    : `The model ${name} is for research only (${licence}): do not use it in a product or service.`;

/** Where a model comes from. */
export const Source = z.discriminatedUnion('kind', [
  /** A TensorFlow.js graph model inside an installed npm package. */
  z.strictObject({
    kind: z.literal('npm'),
    package: z.string(),
    format: z.literal('tfjs'),
    topology: PackageFile,
    weights: PackageFile,
  }),
  /** An ONNX file fetched by `npm run models -- pull`. */
  z.strictObject({
    kind: z.literal('url'),
    format: z.literal('onnx'),
    url: z.url(),
    sha256: Sha256,
    bytes: z.int().positive(),
  }),
  /** An ONNX file of your own; the path is relative to the card. */
  z.strictObject({
    kind: z.literal('file'),
    format: z.literal('onnx'),
    path: z.string(),
    sha256: Sha256,
    bytes: z.int().positive(),
  }),
]);

const NanodetDecoder = z.strictObject({
  kind: z.literal('nanodet'),
  strides: z.array(z.int().positive()).min(1),
  /** Bins of each side's distance distribution. */
  bins: z.int().min(2),
  /** Whether the graph's class scores still want a sigmoid. */
  scores: z.enum(['logits', 'probabilities']),
  /** Added to the centre of a cell to get its point, pixels: −0.5 where pixels are counted by their centres. */
  pointOffset: z.number().default(0),
});
const YoloxDecoder = z.strictObject({
  kind: z.literal('yolox'),
  strides: z.array(z.int().positive()).min(1),
});

/**
 * What the source gives out. `joined`: these tensors, one per stride, [1, classes + 4 × bins, h, w] straight
 * from a convolution, before any sigmoid; `split`: its outputs are scores [1, h × w, 80] and distances
 * [1, h × w, 4 × bins] of each stride; `single`: its one output is [1, anchors, 85].
 */
const Heads = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('joined'), tensors: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('split') }),
  z.strictObject({ kind: z.literal('single') }),
]);

/** Made by `npm run models -- calibrate-scores`. */
const Scores = z.strictObject({
  person: ScoreCurveSchema.optional(),
  vehicle: ScoreCurveSchema.optional(),
  /** What the curves were fitted on, when and how. */
  fitted: z.strictObject({
    data: z.string().min(1),
    pictures: z.int().positive(),
    date: z.iso.date(),
    command: z.string().min(1),
  }),
});

const ModelCardSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens'),
  task: z.literal('detect'),
  title: z.string(),
  licence: z.string(),
  usage: Usage,
  homepage: z.url(),
  source: Source,
  input: z.strictObject({
    width: z.int().positive(),
    height: z.int().positive(),
    layout: z.literal('nchw'),
    colour: z.enum(['rgb', 'bgr']),
    /** Per channel, in the order of `colour`, of pixels 0-255: (pixel − mean) / std. */
    mean: z.tuple([z.number(), z.number(), z.number()]),
    std: z.tuple([z.number(), z.number(), z.number()]),
  }),
  heads: Heads,
  decoder: z.discriminatedUnion('kind', [NanodetDecoder, YoloxDecoder]),
  /** Classes the source was trained for, and the ones (COCO ids) that the prepared model keeps. */
  classes: z.strictObject({ trained: z.literal('coco-80'), keep: z.array(z.int().min(0).max(79)).min(1) }),
  /** Of two boxes of one class that overlap more than this, the weaker one is doubted: it loses score. */
  nmsIou: z.number().min(0).max(1),
  /** `int8`: quantised while preparing, by the ranges in the file beside the card. */
  quantise: z.strictObject({ to: z.literal('int8'), ranges: z.string() }).optional(),
  /** What makes probabilities of raw scores; without it, or for a class without a curve, scores stay raw. */
  scores: Scores.optional(),
});

/** What a model is, where it comes from and how it is made ready; one JSON file in `models/`. */
export type ModelCard = z.infer<typeof ModelCardSchema>;

/** Names of all cards of a folder, sorted. */
export async function listModels(modelsDir: string): Promise<string[]> {
  const files = await readdir(modelsDir).catch(() => {
    throw new Error(
      `No model cards in ${modelsDir}: point at the folder that holds them (models/ of this project).`,
    );
  });
  const names = files.filter((file) => file.endsWith('.json') && !file.endsWith('.ranges.json'));
  return names.map((file) => file.slice(0, -'.json'.length)).sort();
}

/** @throws one sentence when there is no such card (it lists the names) or the card is faulty (it names the field). */
export async function readCard(modelsDir: string, name: string): Promise<ModelCard> {
  const known = await listModels(modelsDir);
  if (!known.includes(name)) throw new Error(`There is no model "${name}"; known are ${known.join(', ')}.`);
  const file = join(modelsDir, `${name}.json`);
  const text = await readFile(file, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`The model card ${file} is not JSON: correct it.`);
  }
  const parsed = ModelCardSchema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new Error(`The model card ${file} is faulty at "${path.join('.')}": ${message}.`);
  }
  if (parsed.data.name !== name)
    throw new Error(`The model card ${file} names itself "${parsed.data.name}".`);
  return parsed.data;
}
