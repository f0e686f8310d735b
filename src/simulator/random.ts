/** A sequence of random numbers that depends on its seeds alone. */
export interface Random {
  /** 0 ≤ value < 1 */
  next(): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A new array in random order. */
  shuffle<T>(from: readonly T[]): T[];
}

/**
 * mulberry32 over mixed seeds. Several seeds make independent sequences: with `(seed, personId)` the random numbers of one
 * person never change those of another.
 */
export function createRandom(...seeds: readonly number[]): Random {
  let state = 0x9e3779b9;
  for (const seed of seeds) state = Math.imul(state ^ (seed | 0) ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  for (let i = 0; i < 8; i++) next();
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    pick,
    shuffle(from) {
      const out = [...from];
      for (let i = out.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [out[i], out[j]] = [out[j]!, out[i]!];
      }
      return out;
    },
  };
}
