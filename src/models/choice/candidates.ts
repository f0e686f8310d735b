import { DEFAULT_MODEL, listDetectors, readDetectorCard } from '../cards.ts';
import type { DetectorCard } from '../detector-card.ts';
import type { ModelFolders } from '../model-sources.ts';
import { isReady } from '../ready-models.ts';

/** Models whose AP50 differs by less are equally accurate. */
const SAME_ACCURACY = 0.01;

/** The figures of a card by which models are compared. */
export type Accuracy = Pick<DetectorCard, 'accuracy'>;

/**
 * Whether a model finds people as well as the standard one. AP50 of other pictures is another scale, and a model of unknown
 * accuracy is not as accurate.
 */
export function isAsAccurate({ accuracy }: Accuracy, { accuracy: standard }: Accuracy): boolean {
  if (!accuracy || !standard || accuracy.personAp50 === null || standard.personAp50 === null) return false;
  // Figures have three digits; the difference of two has more.
  const least = standard.personAp50 - SAME_ACCURACY - 1e-9;
  return accuracy.data === standard.data && accuracy.personAp50 >= least;
}

/**
 * The detectors among which a node may choose by itself, the default first: those that are ready, that may be used for
 * anything, and that are as accurate as the default.
 */
export async function candidates(
  folders: ModelFolders,
): Promise<[standard: DetectorCard, ...equal: DetectorCard[]]> {
  const standard = await readDetectorCard(folders.modelsDir, DEFAULT_MODEL);
  const others = (await listDetectors(folders.modelsDir)).filter((name) => name !== DEFAULT_MODEL);
  const cards = await Promise.all(others.map((name) => readDetectorCard(folders.modelsDir, name)));
  const isReadyOf = await Promise.all(cards.map((card) => isReady(card, folders)));
  const equal = cards.filter(
    (card, at) => isReadyOf[at] && card.usage === 'any' && isAsAccurate(card, standard),
  );
  return [standard, ...equal];
}
