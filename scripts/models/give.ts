import { readFile, rm } from 'node:fs/promises';
import type { AttributeCard } from '../../src/models/attribute-card.ts';
import { CropNetwork } from '../../src/models/crop-network.ts';
import { sha256 } from '../../src/models/model-store.ts';
import { findGiven, keepGiven, prepareNetwork } from '../../src/models/network-store.ts';

export interface GiveOptions {
  readonly card: AttributeCard;
  readonly modelsDir: string;
  readonly cacheDir: string;
  readonly from: string | undefined;
}

/**
 * Takes the file of an attribute network, keeps it in the cache and proves that it is what its card describes.
 * @throws one sentence; the file is not kept then
 */
export async function giveModel({ card, from, ...places }: GiveOptions) {
  const { name, source, obtain } = card;
  if (source.kind !== 'given') {
    throw new Error(
      `The model ${name} needs no pull: it is made of ${source.kind === 'npm' ? `the npm package ${source.package}` : 'the file its card names'}.`,
    );
  }
  if (!from) throw new Error(`Give the file of ${name} with --from. ${obtain}`);
  const bytes = await readFile(from).catch(() => {
    throw new Error(`There is no file ${from}: give --from an ONNX file.`);
  });
  // Proved before it takes the place of an earlier one.
  await (await CropNetwork.prove(card, bytes)).dispose();
  const before = await findGiven(name, places.cacheDir);
  const kept = await keepGiven(name, bytes, places.cacheDir);
  if (before && before !== kept) await rm(before, { force: true });
  await prepareNetwork(card, places);
  return { bytes: bytes.length, sha256: sha256(bytes) };
}
