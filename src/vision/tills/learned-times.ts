/** The last times of one kind, milliseconds. Plain data. */
export type LearnedTimes = readonly number[];

const MOST = 40;

export const noTimes = (): LearnedTimes => [];

export const withTime = (times: LearnedTimes, ms: number): LearnedTimes => [...times, ms].slice(-MOST);

/** How long something may take before it is no longer usual. */
interface Usual {
  /** Where too little is known. */
  readonly unknown: number;
  readonly fewest: number;
  /** This share of the times is taken so many times. */
  readonly share: number;
  readonly factor: number;
  readonly least: number;
  readonly most: number;
}

/** Between two services at an open till. */
export const IDLE_MS: Usual = {
  ...{ unknown: 600_000, fewest: 5, share: 0.75, factor: 4 },
  ...{ least: 180_000, most: 1_800_000 },
};

/** From an empty till with somebody in line until the next service. */
export const STEP_UP_MS: Usual = {
  ...{ unknown: 20_000, fewest: 8, share: 0.9, factor: 1.5 },
  ...{ least: 10_000, most: 25_000 },
};

/** Times change with a service and are asked for with each frame. */
const known = new WeakMap<Usual, WeakMap<LearnedTimes, number>>();

export function typicalTime(times: LearnedTimes, usual: Usual): number {
  if (times.length < usual.fewest) return usual.unknown;
  const ofUsual = known.get(usual) ?? new WeakMap<LearnedTimes, number>();
  known.set(usual, ofUsual);
  const time = ofUsual.get(times) ?? computed(times, usual);
  ofUsual.set(times, time);
  return time;
}

function computed(times: LearnedTimes, usual: Usual): number {
  const sorted = times.toSorted((a, b) => a - b);
  const time = usual.factor * sorted[Math.floor(usual.share * (sorted.length - 1))]!;
  return Math.min(usual.most, Math.max(usual.least, time));
}
