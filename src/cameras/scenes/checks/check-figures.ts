import { type Ranged, ratioRange } from './ratio-range.ts';

/** Our count on a still, and those of the people who counted on it. */
export interface Compared {
  /** How many moments the still stands for. */
  readonly weight: number;
  readonly ours: number;
  /** One for each checker; never empty. */
  readonly theirs: readonly number[];
}

export interface Figures {
  readonly stills: number;
  /** In percent of the time. */
  readonly exactPercent: Ranged;
  readonly withinOnePercent: Ranged;
  /** People that we count too many on average; negative: too few. */
  readonly bias: Ranged;
  /** Sum of our errors in percent of the people that there were; null where nobody was. */
  readonly lengthErrorPercent: number | null;
  /** The same with its range. */
  readonly lengthError: Ranged | null;
  readonly meanOurs: number;
  readonly meanTheirs: number;
  readonly mostTheirs: number;
  /** Alerts at so many people or more can be relied on; null: at no number. */
  readonly goodFrom: number | null;
}

const Z = 1.96;
/** Errors up to which we look for a number at which alerts can be relied on. */
const TOLERANCES = [0, 1, 2, 3];
/** An error of a quarter of the number is small. */
const PER_PERSON_OF_ERROR = 4;
const RELIABLE = { percent: 90, from: 80 };

/** @param stills those that somebody has counted; null without any */
export function figuresOf(stills: readonly Compared[]): Figures | null {
  if (stills.length === 0) return null;
  const total = sumOf(stills, () => 1);
  const mean = (value: (still: Compared) => number) => sumOf(stills, value) / total;
  // Stills of unequal weights tell less than as many of equal weight (Kish).
  const effective = total ** 2 / stills.reduce((sum, { weight }) => sum + weight ** 2, 0);
  const within = (people: number): Ranged =>
    wilson(
      mean(({ ours, theirs }) => meanOf(theirs.map((n) => (Math.abs(ours - n) <= people ? 1 : 0)))),
      effective,
    );
  const meanTheirs = mean(({ theirs }) => meanOf(theirs));
  const lengthError = meanTheirs === 0 ? null : lengthErrorOf(stills);
  const tolerance = TOLERANCES.find((people) => {
    const { value, from } = within(people);
    return value >= RELIABLE.percent && from >= RELIABLE.from;
  });
  return {
    stills: stills.length,
    exactPercent: within(0),
    withinOnePercent: within(1),
    bias: biasOf(stills),
    lengthErrorPercent: lengthError?.value ?? null,
    lengthError,
    meanOurs: mean(({ ours }) => ours),
    meanTheirs,
    mostTheirs: Math.max(...stills.flatMap(({ theirs }) => theirs)),
    goodFrom: tolerance === undefined ? null : Math.max(1, tolerance * PER_PERSON_OF_ERROR),
  };
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const sumOf = (stills: readonly Compared[], value: (still: Compared) => number): number =>
  stills.reduce((sum, still) => sum + still.weight * value(still), 0);

/** Wilson's range of a share, in percent. @param n may be no whole number */
export function wilson(share: number, n: number): Ranged {
  const middle = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const half = (Z / (1 + Z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  return {
    value: share * 100,
    from: Math.max(0, middle - half) * 100,
    to: Math.min(1, middle + half) * 100,
  };
}

/** The mean error. Two stills that nobody saw are among those drawn, one with a person too many and one with a person too few. */
function biasOf(stills: readonly Compared[]): Ranged {
  const weight = sumOf(stills, () => 1) / stills.length;
  return ratioRange(
    stills.map((still) => ({
      top: still.weight * (still.ours - meanOf(still.theirs)),
      bottom: still.weight,
    })),
    [1, -1].map((error) => ({ top: weight * error, bottom: weight })),
  );
}

/** Sum of the errors in percent of the people; a still that nobody saw, with a person too many, is among those drawn. */
function lengthErrorOf(stills: readonly Compared[]): Ranged {
  const weight = sumOf(stills, () => 1) / stills.length;
  const people = sumOf(stills, ({ theirs }) => meanOf(theirs)) / stills.length;
  return ratioRange(
    stills.map(({ weight, ours, theirs }) => ({
      top: 100 * weight * meanOf(theirs.map((n) => Math.abs(ours - n))),
      bottom: weight * meanOf(theirs),
    })),
    [{ top: 100 * weight, bottom: people }],
  );
}
