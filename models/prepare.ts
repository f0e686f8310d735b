import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelCard, readAllCards, readDetectorCard } from '../src/models/cards.ts';
import { cardsOfSizes } from '../src/models/detector-card.ts';
import { cardsOfNetworks } from '../src/models/load-attribute-models.ts';
import type { ModelFolders } from '../src/models/model-sources.ts';
import { findReady, readyName, readyPrefix } from '../src/models/ready-models.ts';
import { writeWhole } from '../src/models/write-whole.ts';
import { buildModel, type SourceBytes } from './convert/build-model.ts';
import { type Ranges, readRanges } from './convert/ranges.ts';
import { readSource } from './sources.ts';

/** What a run that was killed left; no file takes an hour to write. */
const PARTIAL_KEPT_MS = 3_600_000;

/**
 * Makes the ready file of a model in the cache, unless it is there or in the build. Several processes may do so at once, because
 * each writes a file of its own and renames it; they write the same bytes.
 * @throws Error with one sentence that says what to do
 */
export async function prepareModel(card: ModelCard, folders: ModelFolders): Promise<Uint8Array> {
  const ready = await findReady(card, folders);
  if (ready) return ready;
  const bytes = convert(card, await readSource(card, folders), await rangesOf(card, folders));
  await writeWhole(join(folders.cacheDir, readyName(await readyPrefix(card, folders), bytes)), bytes);
  return bytes;
}

/**
 * Prepares models in all their sizes, one after the other: a run that was cut short goes on where it was.
 * @param onProgress gets a sentence before each model that is not ready
 * @throws Error with one sentence that says what to do
 */
export async function prepareModels(
  cards: readonly ModelCard[],
  folders: ModelFolders,
  onProgress: (sentence: string) => void = () => undefined,
): Promise<void> {
  await removePartial(folders.cacheDir);
  for (const [at, card] of cards.entries()) {
    const sizes = card.task === 'detect' ? cardsOfSizes(card) : [card];
    const found = await Promise.all(sizes.map((size) => findReady(size, folders)));
    const missing = sizes.filter((_, index) => !found[index]);
    if (missing.length === 0) continue;
    const inSizes = missing.length > 1 ? ` in ${missing.length} sizes` : '';
    onProgress(`Preparing the model ${card.name}${inSizes} (${at + 1} of ${cards.length}) …`);
    for (const size of missing) await prepareModel(size, folders);
  }
}

/** Prepares the detector of this name, for a program that opens it. @throws Error with one sentence that says what to do */
export async function prepareDetector(model: string, folders: ModelFolders): Promise<void> {
  await prepareModels([await readDetectorCard(folders.modelsDir, model)], folders, toStandardError);
}

/** The same for attribute models. */
export async function prepareAttributeModels(names: readonly string[], folders: ModelFolders): Promise<void> {
  await prepareModels(await cardsOfNetworks(names, folders.modelsDir), folders, toStandardError);
}

/** The cards of the models that come with npm packages. */
export const embeddedCards = async (modelsDir: string): Promise<ModelCard[]> =>
  (await readAllCards(modelsDir)).filter(({ source }) => source.kind === 'npm');

/** On standard error, because many programs print a result. */
export const toStandardError = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/** @throws Error with one sentence when the table of the card is missing or faulty */
export const rangesOf = async (card: ModelCard, { modelsDir }: ModelFolders): Promise<Ranges | null> =>
  card.task === 'detect' && card.quantise ? readRanges(join(modelsDir, card.quantise.ranges)) : null;

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

async function removePartial(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!name.endsWith('.partial')) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > PARTIAL_KEPT_MS) await rm(path, { force: true });
  }
}
