import { DAY_MS, wallTimes } from '../timezone/wall-clock.ts';

/**
 * For each bucket the index of the one that started so many days earlier by the clock on the wall; null where there is
 * none. Of an hour that the clock repeats, the first is compared with the single one; the second with nothing.
 */
export function earlierIndices(
  starts: readonly number[],
  earlier: readonly number[],
  { timezone, days }: { timezone: string; days: number },
): (number | null)[] {
  const byWall = new Map<string, number>();
  for (const [at, key] of occurrences(wallTimes(timezone, earlier)).entries()) byWall.set(key, at);
  const moved = wallTimes(timezone, starts).map((wallMs) => wallMs - days * DAY_MS);
  return occurrences(moved).map((key) => byWall.get(key) ?? null);
}

/** A time with the number of its occurrence, so that a repeated hour has two names. */
function occurrences(wall: readonly number[]): string[] {
  const seen = new Map<number, number>();
  return wall.map((wallMs) => {
    const number = (seen.get(wallMs) ?? 0) + 1;
    seen.set(wallMs, number);
    return `${wallMs}/${number}`;
  });
}

/** The values of the earlier buckets in the places of the present ones. */
export const alignedWith = (
  indices: readonly (number | null)[],
  values: readonly (number | null)[],
): (number | null)[] => indices.map((at) => (at === null ? null : (values[at] ?? null)));
