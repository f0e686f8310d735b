import { hasPackage, readSource } from '../../models/sources.ts';
import type { ModelCard } from '../../src/models/cards.ts';
import type { DetectorCard } from '../../src/models/detector-card.ts';
import { isHere, type ModelFolders } from '../../src/models/model-sources.ts';
import { isReady } from '../../src/models/ready-models.ts';

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
    // A ready file has its sha256 in the name.
    const isBuilt = source.kind === 'npm' && !hasPackage(source.package) && (await isReady(card, folders));
    if (!isBuilt) await readSource(card, folders);
    return { name, state: 'right', message: '' };
  } catch (error) {
    return { name, state: 'wrong', message: (error as Error).message };
  }
}
