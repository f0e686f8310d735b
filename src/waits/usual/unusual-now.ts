import type { Counted, UsualDays } from './usual-days.ts';

/** A minute of the last hours, by the clock on the wall. */
export interface UsualMinute extends Counted {
  readonly weekday: number;
  readonly quarter: number;
  /** The camera saw it whole. */
  readonly isSeen: boolean;
  /** It lies in a time that was unusual: it says nothing of the level of today. */
  readonly isUnusual: boolean;
}

export const UNUSUAL_METRICS = ['arrivals', 'serviceSeconds', 'openTills'] as const;
export type UnusualMetric = (typeof UNUSUAL_METRICS)[number];

/** How a number of the last 20 minutes differs from what is usual at this time, at the level of today. */
export interface Deviation {
  readonly metric: UnusualMetric;
  /** People, mean seconds, mean tills. */
  readonly value: number;
  /** Where eight of ten ordinary values lie. */
  readonly low: number;
  readonly high: number;
  /** In deviations of an ordinary value; above 0: more than usual. */
  readonly score: number;
}

/** Minutes that are judged, and those before them that tell the level of today. */
export const JUDGED_MINUTES = 20;
export const LEVEL_MINUTES = 180;
/** A notice comes at this score; it was chosen on seeds 1 and 2 (see the README). */
export const NOTICE_SCORE = 3.5;
/** A time is usual again when the score of what was unusual falls below this. */
export const BACK_SCORE = 1.5;

/** Few people swing further than the bell says: the score of 16 counts seven eighths, of 400 nearly all. */
const trust = (people: number): number => 1 - 0.5 / Math.sqrt(Math.max(1, people));

const BAND = 1.28;
const MINUTES_A_QUARTER = 15;
/** The level of a day moves: relative variance from the last hours to now, of people and of the seconds of services. */
const DRIFT = 0.03 ** 2;
const LEAST_SERVICES = 8;
const LEAST_SERVICES_LEARNED = 100;
/** Quarters of earlier days at the same time. */
const LEAST_TILL_QUARTERS = 12;
/** The states of the last minutes may not be final. */
const LEAST_TILL_MINUTES = 15;
const LEAST_TILL_CHANGE = 0.75;
const LEAST_TILL_SHARE = 0.1;
/** Less is nothing to tell anybody, however sure. */
const LEAST_CHANGE = 0.1;

/**
 * What of the last 20 minutes can be compared, with its score.
 * @param minutes the last ones in the order of time, at most 200; nothing is told where a judged one was not seen
 */
export function deviationsNow(usual: UsualDays, minutes: readonly UsualMinute[]): Deviation[] {
  const judged = minutes.slice(-JUDGED_MINUTES);
  if (judged.length < JUDGED_MINUTES || judged.some(({ isSeen }) => !isSeen)) return [];
  const before = minutes
    .slice(-JUDGED_MINUTES - LEVEL_MINUTES, -JUDGED_MINUTES)
    .filter(({ isSeen, isUnusual }) => isSeen && !isUnusual);
  return [arrivals(usual, judged, before), services(usual, judged, before), tills(usual, judged)].filter(
    (one) => one !== null,
  );
}

/** Those that are worth a notice. */
export const unusualOf = (deviations: readonly Deviation[], score = NOTICE_SCORE): Deviation[] =>
  deviations.filter((one) => Math.abs(one.score) >= score);

function arrivals(usual: UsualDays, judged: readonly UsualMinute[], before: readonly UsualMinute[]) {
  const expected = expectedPeople(usual, judged);
  const earlier = expectedPeople(usual, before);
  const people = (minutes: readonly UsualMinute[]) => minutes.reduce((total, one) => total + one.arrivals, 0);
  // The level of today is gamma distributed around 1, so that the people to come are negative binomial.
  const { dispersion, levelVariance } = usual;
  const known = 1 / levelVariance + people(before) / dispersion;
  const level = known / (1 / levelVariance + earlier.mean / dispersion);
  const mean = expected.mean * level;
  const relative = 1 / known + expected.variance + DRIFT;
  const value = people(judged);
  const wider = Math.sqrt(dispersion + relative * mean);
  const edge = (by: number) => Math.max(0, Math.sqrt(mean) + (by * wider) / 2) ** 2;
  const score = (countScore(value, mean) / wider) * trust(mean);
  const isSmall = Math.abs(value - mean) < LEAST_CHANGE * mean;
  return {
    ...{ metric: 'arrivals' as const, value, low: Math.round(edge(-BAND)), high: Math.round(edge(BAND)) },
    score: isSmall ? 0 : score,
  };
}

/** How many deviations a count of people who come one by one lies above or below its mean (Wilson and Hilferty). */
function countScore(count: number, mean: number): number {
  const side = count > mean ? 1 : -1;
  const shape = side > 0 ? count : count + 1;
  const z = 3 * Math.sqrt(shape) * (1 - 1 / (9 * shape) - Math.cbrt(mean / shape));
  return side > 0 ? Math.max(0, z) : Math.min(0, z);
}

function expectedPeople(usual: UsualDays, minutes: readonly UsualMinute[]) {
  let [mean, squares] = [0, 0];
  const quarters = new Map<number, { mean: number; variance: number }>();
  for (const { weekday, quarter } of minutes) {
    const known = usual.arrivals(weekday, quarter);
    const part = quarters.get(quarter) ?? { mean: 0, variance: known.variance };
    part.mean += known.mean / MINUTES_A_QUARTER;
    quarters.set(quarter, part);
  }
  for (const part of quarters.values()) {
    mean += part.mean;
    squares += part.mean * part.mean * part.variance;
  }
  return { mean, variance: mean === 0 ? 0 : squares / (mean * mean) };
}

function services(usual: UsualDays, judged: readonly UsualMinute[], before: readonly UsualMinute[]) {
  const now = restOf(usual, judged);
  if (now.services < LEAST_SERVICES || usual.services < LEAST_SERVICES_LEARNED) return null;
  const earlier = restOf(usual, before);
  const variance = usual.serviceVariance * usual.serviceDispersion;
  const known = earlier.services / variance + 1 / usual.serviceLevelVariance;
  const level = earlier.rest / variance / known;
  const rest = now.rest / now.services - level;
  const deviation = Math.sqrt(variance / now.services + 1 / known + DRIFT);
  // Of the logarithms; shown as the seconds of a usual mix of services.
  const seconds = (by: number) => Math.exp(now.usual / now.services + level + by + usual.serviceVariance / 2);
  return {
    metric: 'serviceSeconds' as const,
    value: seconds(rest),
    low: seconds(-BAND * deviation),
    high: seconds(BAND * deviation),
    score: Math.abs(rest) < LEAST_CHANGE ? 0 : (rest / deviation) * trust(now.services),
  };
}

function restOf(usual: UsualDays, minutes: readonly UsualMinute[]) {
  const sums = { services: 0, usual: 0, rest: 0 };
  for (const { quarter, services, logSum } of minutes) {
    const expected = services * usual.service(quarter);
    sums.services += services;
    sums.usual += expected;
    sums.rest += logSum - expected;
  }
  return sums;
}

/** Tills open by plan: what was never seen at this time of the week is unusual. */
function tills(usual: UsualDays, judged: readonly UsualMinute[]) {
  const seen = judged.flatMap(({ openTills }) => openTills ?? []);
  const middle = judged[Math.floor(JUDGED_MINUTES / 2)];
  if (seen.length < LEAST_TILL_MINUTES || !middle) return null;
  const value = seen.reduce((total, one) => total + one, 0) / seen.length;
  const past = usual.openTills(middle.weekday, middle.quarter).sort((a, b) => a - b);
  if (past.length < LEAST_TILL_QUARTERS) return null;
  const [least, most] = [Math.min(...past), Math.max(...past)];
  const at = (share: number) => Math.round(share * (past.length - 1));
  const ordinary = past.slice(at(0.1), at(0.9) + 1);
  const mean = past.reduce((total, one) => total + one, 0) / past.length;
  const deviation = Math.sqrt(
    past.reduce((total, one) => total + (one - mean) ** 2, 0) / (past.length - 1) + 0.15 ** 2,
  );
  // In each of the minutes: who goes for a break, or helps for some minutes, is usual.
  const [fewest, largest] = [Math.min(...seen), Math.max(...seen)];
  const outside = fewest > most ? fewest - most : largest < least ? least - largest : 0;
  return {
    ...{ metric: 'openTills' as const, value, low: Math.min(...ordinary), high: Math.max(...ordinary) },
    score: outside < Math.max(LEAST_TILL_CHANGE, LEAST_TILL_SHARE * mean) ? 0 : (value - mean) / deviation,
  };
}

/** Whether what was unusual is usual again. While nothing can be said, nothing changes. */
export function isBack(deviations: readonly Deviation[], metrics: readonly string[]): boolean {
  const known = deviations.filter(({ metric }) => metrics.includes(metric));
  return known.length > 0 && known.every(({ score }) => Math.abs(score) < BACK_SCORE);
}
