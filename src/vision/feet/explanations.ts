/** Arms and a trolley make a box that is cut off wider or narrower than the person: a standard deviation, as a logarithm. */
export const CUT_WIDTH_ERROR = 0.15;
/** A box that is cut off has at least this share of the person. */
const LEAST_SEEN = 0.35;
const MOST_HIDDEN = -Math.log(LEAST_SEEN);

/** The logarithm of a height, with its uncertainty. */
export interface Estimate {
  readonly mean: number;
  readonly variance: number;
}

/** What the place of the head and the width of the box say together. */
export function combined(byPlace: Estimate, byWidth: Estimate): Estimate {
  const variance = 1 / (1 / byPlace.variance + 1 / byWidth.variance);
  return { mean: variance * (byPlace.mean / byPlace.variance + byWidth.mean / byWidth.variance), variance };
}

/**
 * Density of a box whose lower part is hidden: as wide as a person of the height that is expected there, and lower than that
 * person, who may have any height within the uncertainty.
 * @param seen logarithm of the height of the box, @param byWidth of the height of a person who is as wide
 */
export function cutDensity(seen: number, byWidth: number, byPlace: Estimate, widthVariance: number): number {
  const asWide = normalDensity(byWidth - byPlace.mean, widthVariance + byPlace.variance);
  if (asWide < NONE) return 0;
  const { mean, variance } = combined(byPlace, { mean: byWidth, variance: widthVariance });
  const deviation = Math.sqrt(variance);
  const isLower =
    normalBelow((seen + MOST_HIDDEN - mean) / deviation) - normalBelow((seen - mean) / deviation);
  return (asWide * isLower) / MOST_HIDDEN;
}

/** Not worth the rest. */
const NONE = 1e-6;

export const normalDensity = (error: number, variance: number): number =>
  Math.exp(-(error ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);

/** Probability that a standard normal value is below another one, to .00001 (Abramowitz and Stegun 26.2.16). */
function normalBelow(value: number): number {
  const t = 1 / (1 + 0.33267 * Math.abs(value));
  const above = normalDensity(value, 1) * t * (0.4361836 + t * (-0.1201676 + t * 0.937298));
  return value > 0 ? 1 - above : above;
}
