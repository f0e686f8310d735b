import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ModelCard, readCard } from './card.ts';
import { buildModel, type SourceBytes } from './convert/build-model.ts';
import { readRanges } from './convert/ranges.ts';
import { CONVERTER_VERSION } from './convert/version.ts';

export interface ModelPlace {
  /** Name of a card in `modelsDir`. */
  readonly model: string;
  readonly modelsDir: string;
  /** Prepared and pulled models are kept here. */
  readonly cacheDir: string;
  /** Told in one sentence what takes a moment. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * The card of a model and the bytes of its prepared graph, out of the cache or, the first time, made from its source.
 * @throws one sentence saying what to do
 */
export async function prepareModel(place: ModelPlace): Promise<{ card: ModelCard; bytes: Uint8Array }> {
  const card = await readCard(place.modelsDir, place.model);
  const ranges = card.quantise ? await readRanges(join(place.modelsDir, card.quantise.ranges)) : null;
  const bytes = await prepare(place, {
    name: card.name,
    madeFrom: [graphOf(card), ranges],
    source: () => readSource(card, place),
    build: (source) => buildModel(card, source, ranges),
  });
  return { card, bytes };
}

/** What of a card its graph follows from: new curves for scores need no new graph. */
const graphOf = ({ scores: _, ...rest }: ModelCard): Omit<ModelCard, 'scores'> => rest;

/** How a graph is made ready for use. */
export interface Recipe {
  readonly name: string;
  /** What the graph follows from, beside the source and the converter. Is stored as JSON. */
  readonly madeFrom: unknown;
  readonly source: () => Promise<SourceBytes>;
  readonly build: (source: SourceBytes) => Uint8Array;
}

/**
 * The bytes of a prepared graph, out of the cache or made. Several processes may do so at once: each writes a file of its
 * own and renames it.
 */
export async function prepare(
  { cacheDir, onProgress }: Pick<ModelPlace, 'cacheDir' | 'onProgress'>,
  recipe: Recipe,
): Promise<Uint8Array> {
  const prefix = `${recipe.name}-${contentKey(recipe)}`;
  const cached = await findPrepared(cacheDir, prefix);
  if (cached) return cached;
  const source = await recipe.source();
  onProgress?.(`Preparing the model ${recipe.name} for its first use`);
  const bytes = built(recipe.name, () => recipe.build(source));
  // The cache only saves the time of making it again.
  await writeWhole(join(cacheDir, `${prefix}-${sha256(bytes).slice(0, 16)}.onnx`), bytes).catch(
    (error: Error) => onProgress?.(`${error.message} Until then it is made anew at each start.`),
  );
  return bytes;
}

/** Where a pulled source is kept. */
export function pulledFile(cacheDir: string, sha: string): string {
  return join(cacheDir, 'sources', `${sha}.onnx`);
}

/** Writes a file so that nobody ever sees a part of it. @throws one sentence when the disk does not take it */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const partial = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.partial`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(partial, bytes);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const megabytes = Math.ceil(bytes.length / 1e6);
    throw new Error(
      `The model cache ${dirname(file)} does not take ${megabytes} MB (${reason}): free some space, make it ` +
        'writable, or set MODEL_CACHE_DIR to another folder.',
    );
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** @throws one sentence when the file is not what its card describes */
export function built(name: string, build: () => Uint8Array): Uint8Array {
  try {
    return build();
  } catch (error) {
    throw new Error(
      `The file of the model ${name} is not the network its card describes: ${(error as Error).message}. ` +
        'Correct the card or take the right file.',
    );
  }
}

/** Differs for other cards, ranges or converters, so that no model is ever served that another version made. */
const contentKey = ({ madeFrom }: Recipe): string =>
  sha256(Buffer.from(JSON.stringify([CONVERTER_VERSION, madeFrom]))).slice(0, 16);

/** A prepared file carries the start of its own sha256 in its name; one that does not match is made anew. */
async function findPrepared(cacheDir: string, prefix: string): Promise<Uint8Array | null> {
  const files = await readdir(cacheDir).catch(() => []);
  for (const file of files.filter((name) => name.startsWith(`${prefix}-`) && name.endsWith('.onnx'))) {
    const bytes = await readFile(join(cacheDir, file));
    if (file === `${prefix}-${sha256(bytes).slice(0, 16)}.onnx`) return bytes;
    await rm(join(cacheDir, file), { force: true }).catch(() => undefined);
  }
  return null;
}

/** The verified bytes of a card's source. @throws one sentence saying how to get them */
export async function readSource(
  card: Pick<ModelCard, 'name' | 'source'>,
  place: Pick<ModelPlace, 'modelsDir' | 'cacheDir'>,
): Promise<SourceBytes> {
  const { source } = card;
  if (source.kind === 'npm') {
    const again = `run \`npm ci\` to install ${source.package} anew.`;
    const manifest = packageManifest(source.package, again);
    const read = (file: { path: string; sha256: string; bytes: number }) =>
      readVerified(join(dirname(manifest), file.path), file, again);
    return { kind: 'tfjs', topology: await read(source.topology), weights: await read(source.weights) };
  }
  if (source.kind === 'file') {
    const file = join(place.modelsDir, source.path);
    return { kind: 'onnx', model: await readVerified(file, source, `put the file its card names there.`) };
  }
  const again = `run \`npm run models -- pull ${card.name}\`.`;
  return {
    kind: 'onnx',
    model: await readVerified(pulledFile(place.cacheDir, source.sha256), source, again),
  };
}

function packageManifest(name: string, again: string): string {
  try {
    return createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch {
    throw new Error(`The npm package ${name} is not installed: ${again}`);
  }
}

/** Reads a file and proves that it is the one the card names. @param again what to do when it is not */
export async function readVerified(
  file: string,
  expected: { readonly sha256: string; readonly bytes: number },
  again: string,
): Promise<Uint8Array> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The model file ${file} cannot be read (${error.code}): ${again}`);
  });
  if (bytes.length < expected.bytes) {
    throw new Error(
      `The model file ${file} is cut short (${bytes.length} of ${expected.bytes} bytes): ${again}`,
    );
  }
  const found = sha256(bytes);
  if (found !== expected.sha256) {
    throw new Error(`The model file ${file} is not the one its card names (sha256 ${found}): ${again}`);
  }
  return bytes;
}
