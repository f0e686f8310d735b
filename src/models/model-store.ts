import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BUILT_MODELS_DIR } from '../platform/project.ts';
import type { ModelCard } from './cards.ts';
import { buildModel, type SourceBytes } from './convert/build-model.ts';
import { type Ranges, readRanges } from './convert/ranges.ts';
import { CONVERTER_VERSION } from './convert/version.ts';
import { type ModelFolders, readSource, sha256 } from './model-sources.ts';

export interface ModelPlace extends ModelFolders {
  /** Gets one sentence about a step that takes a moment. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * The ONNX file of a model: from the build, from the cache or, the first time, converted from its source. Several processes
 * may convert at once, because each writes a file of its own and renames it.
 * @param label names the model where that is said
 * @throws Error with one sentence that says what to do
 */
export async function prepareModel(
  card: ModelCard,
  place: ModelPlace,
  label: string = card.name,
): Promise<Uint8Array> {
  const { cacheDir, onProgress } = place;
  const { prefix, ranges, given } = await contentOf(card, place);
  const prepared = await findConverted(prefix, cacheDir);
  if (prepared) return prepared;
  const source = given ?? (await readSource(card, place));
  onProgress?.(`Preparing the model ${label} for its first use`);
  const bytes = convert(card, source, ranges);
  // The cache only saves the time of the conversion.
  await writeWhole(join(cacheDir, `${prefix}-${sha256(bytes).slice(0, 16)}.onnx`), bytes).catch(
    (error: Error) => onProgress?.(`${error.message} Until then it is made anew at each start.`),
  );
  return bytes;
}

/**
 * Converts the models that are not converted yet, one after the other, and says the number of each among all of them: a start
 * that was cut short goes on where it was.
 * @throws Error with one sentence that says what to do
 */
export async function convertMissing(cards: readonly ModelCard[], place: ModelPlace): Promise<void> {
  for (const [at, card] of cards.entries()) {
    if (await isPrepared(card, place)) continue;
    const size = `${card.input.width}×${card.input.height}`;
    await prepareModel(card, place, `${at + 1} of ${cards.length} (${card.name}, ${size})`);
  }
}

/** Whether a model is converted already. Its file is read, and so compared with its digest, only when it is used. */
export async function isPrepared(card: ModelCard, folders: ModelFolders): Promise<boolean> {
  const { prefix } = await contentOf(card, folders);
  const found = [BUILT_MODELS_DIR, folders.cacheDir].map((folder) => filesOf(folder, prefix));
  return (await Promise.all(found)).some((files) => files.length > 0);
}

/** What a converted file follows from; `prefix` is the start of its name. */
async function contentOf(card: ModelCard, folders: ModelFolders) {
  const ranges =
    card.task === 'detect' && card.quantise
      ? await readRanges(join(folders.modelsDir, card.quantise.ranges))
      : null;
  // The card has no digest of a given file, so the key of the cache needs its bytes.
  const given = card.source.kind === 'given' ? await readSource(card, folders) : null;
  return { prefix: `${card.name}-${contentKey(card, ranges, given)}`, ranges, given };
}

const findConverted = async (prefix: string, cacheDir: string) =>
  (await findPrepared(BUILT_MODELS_DIR, prefix)) ?? (await findPrepared(cacheDir, prefix));

/** Differs for other cards, ranges, given files or converters, so that no model is served that another version made. */
function contentKey(card: ModelCard, ranges: Ranges | null, given: SourceBytes | null): string {
  // The curves of the scores are applied after the graph, each size of a network has a file of its own, and figures change nothing.
  const unused = { scores: null, smallerInputs: null, largerInput: null, accuracy: null };
  const {
    scores: _,
    smallerInputs: __,
    largerInput: ___,
    accuracy: ____,
    ...converted
  } = { ...unused, ...card };
  const digest = given?.kind === 'onnx' ? sha256(given.model) : null;
  return sha256(Buffer.from(JSON.stringify([CONVERTER_VERSION, converted, ranges, digest]))).slice(0, 16);
}

/** @throws Error with one sentence when the file is not the network that its card describes */
export function convert(card: ModelCard, source: SourceBytes, ranges: Ranges | null = null): Uint8Array {
  try {
    return buildModel(card, source, ranges);
  } catch (error) {
    throw new Error(
      `The file of the model ${card.name} is not the network its card describes: ${(error as Error).message}. ` +
        'Correct the card or take the right file.',
    );
  }
}

async function filesOf(folder: string, prefix: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((name) => name.startsWith(`${prefix}-`) && name.endsWith('.onnx'));
}

/** A converted file has the start of its sha256 in its name. One that does not match is deleted. */
async function findPrepared(cacheDir: string, prefix: string): Promise<Uint8Array | null> {
  for (const file of await filesOf(cacheDir, prefix)) {
    const bytes = await readFile(join(cacheDir, file));
    if (file === `${prefix}-${sha256(bytes).slice(0, 16)}.onnx`) return bytes;
    await rm(join(cacheDir, file), { force: true }).catch(() => undefined);
  }
  return null;
}

/** Writes a file so that nobody ever reads a part of it. @throws Error with one sentence when the disk refuses it */
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
