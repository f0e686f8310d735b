import { stat } from 'node:fs/promises';
import { listModels, type ModelCard, readCard } from '../../src/vision/detect/card.ts';
import { pulledFile, readSource } from '../../src/vision/detect/model-store.ts';

export interface Places {
  readonly modelsDir: string;
  readonly cacheDir: string;
}

export async function allCards(modelsDir: string): Promise<ModelCard[]> {
  const names = await listModels(modelsDir);
  return Promise.all(names.map((name) => readCard(modelsDir, name)));
}

/** Whether a model can be used without fetching anything. */
export async function isHere(card: ModelCard, { cacheDir }: Places): Promise<boolean> {
  if (card.source.kind !== 'url') return true;
  return stat(pulledFile(cacheDir, card.source.sha256)).then(
    () => true,
    () => false,
  );
}

export interface Verification {
  readonly name: string;
  readonly state: 'right' | 'not pulled' | 'wrong';
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Reads every byte of a model's source and compares it with the card. */
export async function verifyModel(card: ModelCard, places: Places): Promise<Verification> {
  const { name } = card;
  if (!(await isHere(card, places))) {
    return { name, state: 'not pulled', message: `\`npm run models -- pull ${name}\` fetches it.` };
  }
  try {
    await readSource(card, places);
    return { name, state: 'right', message: '' };
  } catch (error) {
    return { name, state: 'wrong', message: (error as Error).message };
  }
}
