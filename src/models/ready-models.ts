import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT_MODELS_DIR } from '../platform/project.ts';
import type { ModelCard } from './cards.ts';
import { findGiven, isHere, type ModelFolders, sha256, sha256OfGiven } from './model-sources.ts';

/**
 * Part of the names of ready files. Raise it when the tools of `models/convert` write other bytes for the same source and card;
 * `test/models/convert/version.release.ts` fails where this was forgotten.
 */
export const CONVERTER_VERSION = 3;

/**
 * The ONNX file of a model, which `npm run models -- prepare` and other tools made: from the build or from the cache.
 * @throws Error with one sentence that says what to do where there is none
 */
export async function readyModel(card: ModelCard, folders: ModelFolders): Promise<Uint8Array> {
  const bytes = await findReady(card, folders);
  if (!bytes) throw await notReady(card, folders);
  return bytes;
}

/** The same, or null where there is none. A file has the start of its sha256 in its name; one that does not match is none. */
export async function findReady(card: ModelCard, folders: ModelFolders): Promise<Uint8Array | null> {
  const prefix = await readyPrefix(card, folders);
  for (const path of await readyFiles(prefix, folders)) {
    const bytes = await readFile(path).catch(() => null);
    if (bytes && path.endsWith(readyName(prefix, bytes))) return bytes;
  }
  return null;
}

/** Whether a model is ready. Its file is read, and so compared with its digest, only when it is used. */
export const isReady = async (card: ModelCard, folders: ModelFolders): Promise<boolean> =>
  (await readyFiles(await readyPrefix(card, folders), folders)).length > 0;

/** @throws Error with one sentence that says what to do for the first model that is not ready */
export async function requireReady(cards: readonly ModelCard[], folders: ModelFolders): Promise<void> {
  for (const card of cards) if (!(await isReady(card, folders))) throw await notReady(card, folders);
}

/** The name of a ready file. */
export const readyName = (prefix: string, bytes: Uint8Array): string =>
  `${prefix}-${sha256(bytes).slice(0, 16)}.onnx`;

/**
 * The start of the name of a model's ready file. It differs for other cards, ranges, given files or converters, so that no
 * model is served that another version made.
 */
export async function readyPrefix(card: ModelCard, { modelsDir, cacheDir }: ModelFolders): Promise<string> {
  // The curves of the scores are applied after the graph, each size of a network has a file of its own, and figures change nothing.
  const unused = { scores: null, smallerInputs: null, largerInput: null, accuracy: null };
  const {
    scores: _,
    smallerInputs: __,
    largerInput: ___,
    accuracy: ____,
    ...converted
  } = { ...unused, ...card };
  const isQuantised = card.task === 'detect' && card.quantise;
  const ranges = isQuantised ? await readJson(join(modelsDir, isQuantised.ranges)) : null;
  // The card has no digest of a given file.
  const given = card.source.kind === 'given' ? await findGiven(card.name, cacheDir) : null;
  const digest = given && sha256OfGiven(given);
  const content = JSON.stringify([CONVERTER_VERSION, converted, ranges, digest]);
  return `${card.name}-${sha256(Buffer.from(content)).slice(0, 16)}`;
}

/** Null where there is no such file: the tool that needs what is in it says so. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

async function readyFiles(prefix: string, { cacheDir }: ModelFolders): Promise<string[]> {
  const found = [BUILT_MODELS_DIR, cacheDir].map(async (folder) => {
    const files = await readdir(folder).catch(() => []);
    return files
      .filter((name) => name.startsWith(`${prefix}-`) && name.endsWith('.onnx'))
      .map((name) => join(folder, name));
  });
  return (await Promise.all(found)).flat();
}

async function notReady(card: ModelCard, folders: ModelFolders): Promise<Error> {
  const { name, source, input, obtain = '' } = card;
  const pull = `npm run models -- pull ${name}`;
  if (await isHere(card, folders))
    return new Error(
      `The model ${name} is not ready for ${input.width}×${input.height}: run \`npm run models -- prepare ${name}\`.`,
    );
  if (source.kind === 'url') return new Error(`The model ${name} is not here: run \`${pull}\`.`);
  const given = `The file of the model ${name} was not given yet: \`${pull} --from FILE\`.`;
  return new Error(`${given} ${obtain}`.trimEnd());
}
