import { stat } from 'node:fs/promises';
import type { ModelCard } from '../../src/models/cards.ts';
import type { DetectorCard } from '../../src/models/detector-card.ts';
import {
  findGiven,
  hasPackage,
  type ModelFolders,
  pulledFile,
  readSource,
} from '../../src/models/model-sources.ts';
import { isPrepared } from '../../src/models/model-store.ts';

/** Whether a model can be used without a download. */
export async function isHere({ name, source }: ModelCard, { cacheDir }: ModelFolders): Promise<boolean> {
  if (source.kind === 'given') return (await findGiven(name, cacheDir)) !== null;
  if (source.kind !== 'url') return true;
  const found = await stat(pulledFile(cacheDir, source.sha256)).catch(() => null);
  return found !== null;
}

/** The classes whose scores are probabilities. Scores of other classes are raw. */
export function scoresOf({ scores }: Pick<DetectorCard, 'scores'>): string {
  const names = (['person', 'vehicle'] as const).filter((name) => scores?.[name]);
  return names.length > 0 ? `probabilities (${names.join(', ')})` : 'raw';
}

export interface Verification {
  readonly name: string;
  readonly state: 'right' | 'not pulled' | 'wrong';
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Compares every byte of a model's source with the card. */
export async function verifyModel(card: ModelCard, folders: ModelFolders): Promise<Verification> {
  const { name, source } = card;
  if (!(await isHere(card, folders))) {
    const pull = `npm run models -- pull ${name}`;
    const message = source.kind === 'given' ? `\`${pull} --from FILE\` takes it.` : `\`${pull}\` fetches it.`;
    return { name, state: 'not pulled', message };
  }
  try {
    // What the build converted has its sha256 in the name.
    const isBuilt = source.kind === 'npm' && !hasPackage(source.package) && (await isPrepared(card, folders));
    if (!isBuilt) await readSource(card, folders);
    return { name, state: 'right', message: '' };
  } catch (error) {
    return { name, state: 'wrong', message: (error as Error).message };
  }
}
