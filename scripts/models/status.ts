import { stat } from 'node:fs/promises';
import type { AttributeCard } from '../../src/models/attribute-card.ts';
import { listModels, type ModelCard, readCard } from '../../src/models/card.ts';
import { listNetworks, readNetworkCard } from '../../src/models/card-files.ts';
import { pulledFile, readSource } from '../../src/models/model-store.ts';
import { findGiven, readGiven } from '../../src/models/network-store.ts';

export interface Places {
  readonly modelsDir: string;
  readonly cacheDir: string;
}

export type AnyCard = ModelCard | AttributeCard;

/** Detectors. */
export async function allCards(modelsDir: string): Promise<ModelCard[]> {
  const names = await listModels(modelsDir);
  return Promise.all(names.map((name) => readCard(modelsDir, name)));
}

export async function allAttributeCards(modelsDir: string): Promise<AttributeCard[]> {
  const names = await listNetworks(modelsDir);
  return Promise.all(names.map((name) => readNetworkCard(modelsDir, name)));
}

/** @throws one sentence when there is no such card */
export async function findCard(modelsDir: string, name: string): Promise<AnyCard> {
  const isNetwork = (await listNetworks(modelsDir)).includes(name);
  return isNetwork ? readNetworkCard(modelsDir, name) : readCard(modelsDir, name);
}

/** Whether a model can be used without fetching anything. */
export async function isHere(card: AnyCard, { cacheDir }: Places): Promise<boolean> {
  if (card.source.kind === 'given') return (await findGiven(card.name, cacheDir)) !== null;
  if (card.source.kind !== 'url') return true;
  return stat(pulledFile(cacheDir, card.source.sha256)).then(
    () => true,
    () => false,
  );
}

/** In words, of which classes the scores are probabilities; those of the others are raw. */
export function scoresOf({ scores }: Pick<ModelCard, 'scores'>): string {
  const names = (['person', 'vehicle'] as const).filter((name) => scores?.[name]);
  return names.length > 0 ? `probabilities (${names.join(', ')})` : 'raw';
}

export interface Verification {
  readonly name: string;
  readonly state: 'right' | 'not pulled' | 'wrong';
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Reads every byte of a model's source and compares it with the card. */
export async function verifyModel(card: AnyCard, places: Places): Promise<Verification> {
  const { name, source } = card;
  if (!(await isHere(card, places))) {
    const pull = `npm run models -- pull ${name}`;
    const message = source.kind === 'given' ? `\`${pull} --from FILE\` takes it.` : `\`${pull}\` fetches it.`;
    return { name, state: 'not pulled', message };
  }
  try {
    if ('obtain' in card && source.kind === 'given') await readGiven(card, places.cacheDir);
    else if (source.kind !== 'given') await readSource({ name, source }, places);
    return { name, state: 'right', message: '' };
  } catch (error) {
    return { name, state: 'wrong', message: (error as Error).message };
  }
}
