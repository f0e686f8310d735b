/** What is counted on a still: a number that was typed, or a point for each person who was tapped. */
export type Point = [x: number, y: number];
export type Tally = number | readonly Point[];
export const MODES = ['waiting', 'served'] as const;
export type Mode = (typeof MODES)[number];
export type Counts = Readonly<Record<Mode, Tally>>;

export const NOBODY: Counts = { waiting: [], served: [] };
/** The API takes no more. */
const MOST = 200;

export const countOf = (tally: Tally): number => (typeof tally === 'number' ? tally : tally.length);
export const pointsOf = (tally: Tally): readonly Point[] => (typeof tally === 'number' ? [] : tally);

/** Adds a person; a number that was typed before is replaced by the first tap. */
export function addPoint(counts: Counts, mode: Mode, point: Point): Counts {
  const points = pointsOf(counts[mode]);
  return points.length >= MOST ? counts : { ...counts, [mode]: [...points, point] };
}

export const removePoint = (counts: Counts, mode: Mode, at: number): Counts => ({
  ...counts,
  [mode]: pointsOf(counts[mode]).filter((_, index) => index !== at),
});

/** Pixels around the middle of a mark that belong to it: two people may stand close together. */
const REACH = 16;

/** The mark under a tap; null where there is none. @param at pixels of the picture @param size of the picture in pixels */
export function markAt(
  counts: Counts,
  [x, y]: Point,
  [width, height]: Point,
): { readonly mode: Mode; readonly index: number } | null {
  const marks = MODES.flatMap((mode) =>
    pointsOf(counts[mode]).map((point, index) => ({
      ...{ mode, index },
      distance: Math.hypot(point[0] * width - x, point[1] * height - y),
    })),
  );
  const nearest = marks.sort((a, b) => a.distance - b.distance)[0];
  return nearest && nearest.distance <= REACH ? nearest : null;
}

/** Takes back the last person, or one of the number. */
export const removeLast = (counts: Counts, mode: Mode): Counts => {
  const tally = counts[mode];
  return { ...counts, [mode]: typeof tally === 'number' ? Math.max(0, tally - 1) : tally.slice(0, -1) };
};

export const setNumber = (counts: Counts, mode: Mode, number: number): Counts => ({
  ...counts,
  [mode]: Math.min(MOST, Math.max(0, Math.trunc(number) || 0)),
});

export type KeyAction =
  | { readonly kind: 'mode'; readonly mode: Mode }
  | { readonly kind: 'digit'; readonly digit: number }
  | { readonly kind: 'save' | 'skip' | 'undo' | 'back' };

/** What a key does: 1 and 2 would be numbers, so letters choose who is counted. */
export function actionOf(key: string): KeyAction | null {
  if (/^\d$/.test(key)) return { kind: 'digit', digit: Number(key) };
  switch (key.toLowerCase()) {
    case 'w':
      return { kind: 'mode', mode: 'waiting' };
    case 's':
      return { kind: 'mode', mode: 'served' };
    case 'enter':
      return { kind: 'save' };
    case 'x':
      return { kind: 'skip' };
    case 'backspace':
      return { kind: 'undo' };
    case 'arrowleft':
      return { kind: 'back' };
    default:
      return null;
  }
}
