import { readFile, rm } from 'node:fs/promises';
import type { AttributeCard } from '../../src/models/attribute-card.ts';
import { CropNetwork } from '../../src/models/crop-network.ts';
import { findGiven, givenFile, type ModelFolders, sha256 } from '../../src/models/model-sources.ts';
import { prepareModel, writeWhole } from '../../src/models/model-store.ts';
import { needsNoPull } from './pull.ts';

export interface GiveOptions extends ModelFolders {
  readonly card: AttributeCard;
  readonly from: string | undefined;
}

/**
 * Verifies that a file is the attribute network of a card, keeps it in the cache and converts it.
 * @throws Error with one sentence; the file is not kept then
 */
export async function giveModel({ card, from, ...folders }: GiveOptions) {
  const { name, source, obtain } = card;
  if (source.kind !== 'given') throw needsNoPull(card);
  if (!from) throw new Error(`Give the file of ${name} with --from. ${obtain}`);
  const bytes = await readFile(from).catch(() => {
    throw new Error(`There is no file ${from}: give --from an ONNX file.`);
  });
  // Before it replaces an earlier file.
  await (await CropNetwork.verify(card, bytes)).dispose();
  const before = await findGiven(name, folders.cacheDir);
  const kept = givenFile(folders.cacheDir, name, sha256(bytes));
  await writeWhole(kept, bytes);
  if (before && before !== kept) await rm(before, { force: true });
  await prepareModel(card, folders);
  return { bytes: bytes.length, sha256: sha256(bytes) };
}
