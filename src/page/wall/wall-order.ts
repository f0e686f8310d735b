/** So many tiles can be read from five metres. */
export const MOST = 9;
/** Where there are more, each group of tiles is shown so long. */
const TURN_MS = 15_000;

/** Always the same order, so that everybody knows where to look. @param nameOf what stands above the tile */
export function inOrder<Scene>(scenes: readonly Scene[], nameOf: (scene: Scene) => string): Scene[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return [...scenes].sort((one, other) => compare(nameOf(one), nameOf(other)));
}

/** Which tiles are shown now: all, or one group after the other. */
export function turnOf(count: number, nowMs: number): { from: number; to: number } {
  const turns = Math.max(1, Math.ceil(count / MOST));
  const from = (Math.floor(nowMs / TURN_MS) % turns) * MOST;
  return { from, to: Math.min(count, from + MOST) };
}
