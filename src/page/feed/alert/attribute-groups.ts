import type { Resource } from '../../../client/client.ts';

type Capture = Resource<'InsightAttributes'>;
export type AttributeKey = keyof Capture['attributes'];

/** Attributes as people look for them. */
const GROUPS = {
  gender: ['female', 'male'],
  age: ['ageLess18', 'age18To60', 'ageOver60'],
  clothing: ['shortSleeve', 'longSleeve', 'longCoat', 'trousers', 'shorts', 'skirtDress', 'boots'],
  upperColour: ['upperBlack', 'upperWhite', 'upperRed', 'upperPurple', 'upperYellow', 'upperGray'],
  accessories: ['hat', 'glasses', 'handBag', 'shoulderBag', 'backpack', 'holdObjectsInFront'],
  orientation: ['front', 'side', 'back'],
} as const satisfies Record<string, readonly AttributeKey[]>;

export type AttributeGroup = keyof typeof GROUPS;

export interface SeenAttribute {
  readonly key: AttributeKey;
  readonly count: number;
  /** For how many people it could be told. */
  readonly known: number;
}

/** The attributes that somebody in a capture has, by group. What could be told for nobody, and what is switched off, is left out: it is unknown, not 0. */
export function seenAttributes(capture: Capture): { group: AttributeGroup; seen: SeenAttribute[] }[] {
  const { attributes, known, totalPersons } = capture;
  return (Object.keys(GROUPS) as AttributeGroup[]).flatMap((group) => {
    const seen = GROUPS[group]
      .map((key) => ({ key, count: attributes[key] ?? 0, known: known?.[key] ?? totalPersons }))
      .filter(({ count }) => count > 0);
    return seen.length > 0 ? [{ group, seen }] : [];
  });
}

/** The capture nearest to the alert, of captures in the order of time: the one in their middle is not it when some are missing. */
export function nearestCapture<Item extends { readonly capturedAt: string }>(
  captures: readonly Item[],
  at: string,
): Item | null {
  const distance = ({ capturedAt }: Item) => Math.abs(Date.parse(capturedAt) - Date.parse(at));
  return captures.reduce<Item | null>(
    (best, one) => (best === null || distance(one) < distance(best) ? one : best),
    null,
  );
}
