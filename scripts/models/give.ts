import { readFile, rm } from 'node:fs/promises';
import { convert, prepareModel, rangesOf } from '../../models/prepare.ts';
import type { ModelCard } from '../../src/models/cards.ts';
import { CropNetwork } from '../../src/models/crop-network.ts';
import { findGiven, givenFile, type ModelFolders, sha256 } from '../../src/models/model-sources.ts';
import { openSession } from '../../src/models/open-session.ts';
import { writeWhole } from '../../src/models/write-whole.ts';
import { needsNoPull } from './pull.ts';

export interface GiveOptions extends ModelFolders {
  readonly card: ModelCard;
  readonly from: string | undefined;
  /** Decides whether this is the right file, because its card has no sha256. @throws Error with one sentence */
  readonly accept: (file: GivenFile) => Promise<void>;
}

export interface GivenFile {
  readonly model: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Verifies that a file is the network of a card, keeps it in the cache and prepares it. It is not opened before it is accepted.
 * @throws Error with one sentence; the file is not kept then
 */
export async function giveModel({ card, from, accept, ...folders }: GiveOptions): Promise<GivenFile> {
  const { name, source, obtain = '' } = card;
  if (source.kind !== 'given') throw needsNoPull(card);
  if (!from) throw new Error(`Give the file of ${name} with --from. ${obtain}`.trimEnd());
  const bytes = await readFile(from).catch(() => {
    throw new Error(`There is no file ${from}: give --from an ONNX file.`);
  });
  const given = { model: name, file: from, bytes: bytes.length, sha256: sha256(bytes) };
  await accept(given);
  // Before it replaces an earlier file.
  await verify(card, bytes, folders);
  const before = await findGiven(name, folders.cacheDir);
  const kept = givenFile(folders.cacheDir, name, given.sha256);
  await writeWhole(kept, bytes);
  if (before && before !== kept) await rm(before, { force: true });
  await prepareModel(card, folders);
  return given;
}

/** @throws Error with one sentence when the file is not the network that the card describes */
async function verify(card: ModelCard, model: Uint8Array, folders: ModelFolders): Promise<void> {
  const bytes = convert(card, { kind: 'onnx', model }, await rangesOf(card, folders));
  if (card.task !== 'detect') return (await CropNetwork.openFile(card, bytes)).dispose();
  const opened = await openSession(card.name, bytes, {});
  await opened.session.release();
}
