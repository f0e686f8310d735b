import { createRandom } from '../../../simulator/random.ts';

/** A figure with the range in which the true one lies in 95 % of checks. */
export interface Ranged {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** What one still or visit adds to the two sums of a ratio. */
export interface Part {
  readonly top: number;
  readonly bottom: number;
}

const RESAMPLES = 2_000;

const ratioOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { top }) => sum + top, 0) / parts.reduce((sum, { bottom }) => sum + bottom, 0);

/**
 * The ratio of two sums, with a range of the bootstrap: of many samples of as many parts, drawn with replacement, the middle 95 %. The
 * samples depend on the parts alone.
 * @param unseen parts that nobody saw and that are drawn too: forty stills without an error do not prove that there is none, and the
 *   bootstrap alone would say so
 */
export function ratioRange(parts: readonly Part[], unseen: readonly Part[]): Ranged {
  const drawn = [...parts, ...unseen];
  const random = createRandom(parts.length);
  const ratios = Array.from({ length: RESAMPLES }, () => ratioOf(drawn.map(() => random.pick(drawn))))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const middle = ratios.slice(Math.floor(ratios.length * 0.025), Math.ceil(ratios.length * 0.975));
  const value = ratioOf(parts);
  return { value, from: Math.min(value, ...middle), to: Math.max(value, ...middle) };
}
