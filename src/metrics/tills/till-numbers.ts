import { TOTAL, type TotalMetrics } from '../../catalogue/metrics/all.ts';
import { average, round } from '../../catalogue/metrics/arithmetic.ts';
import type { Now } from '../../catalogue/metrics/now.ts';
import type { TillState } from '../../vision/tills/till-state.ts';
import type { TillNow, TillSecond } from '../../vision/tills/till-watch.ts';
import type { Visit } from '../../vision/types.ts';
import { nothing, type TillsAt } from '../occupancy.ts';
import { percentile } from '../percentile.ts';
import { NO_VISITS, timeSums } from '../sums.ts';

/** How many tills serve, and how many are free now. */
export const tillsNow = (now: readonly Pick<TillNow, 'state'>[]): NonNullable<Now['tills']> => ({
  serving: now.filter(({ state }) => state === 'serving').length,
  free: now.filter(({ state }) => state === 'free').length,
});

/** A second of tills as sums count it. */
export const heldTills = (second: TillSecond): TillsAt => ({
  timeMs: second.timeMs,
  ...tillsNow(second.states.map((state) => ({ state }))),
  isWaitedWithFree: lostAt(second) !== -1,
});

/** Seconds of one or all tills over a time. */
export interface TillSeconds {
  readonly servingSeconds: number;
  readonly freeSeconds: number;
  readonly closedSeconds: number;
  /** In which somebody waited while this till was the first of the free ones. */
  readonly lostSeconds: number;
}

/** The numbers of all tills over a time: those of the catalogue. */
export type TillWindow = Pick<TotalMetrics, 'avgOpenTills' | 'tillUtilization' | 'waitedWithFreeTillSeconds'>;

/** @param known seconds in which the states of the tills are known */
export function tillWindow(
  { servingSeconds, freeSeconds, lostSeconds }: TillSeconds,
  known: number,
): TillWindow {
  const time = {
    ...{ ...nothing(), tillKnownMs: known * 1000, waitedWithFreeMs: lostSeconds * 1000 },
    ...{ servingTillMs: servingSeconds * 1000, openTillMs: (servingSeconds + freeSeconds) * 1000 },
  };
  const sums = { ...NO_VISITS, ...timeSums(time, known * 1000) };
  return Object.fromEntries(
    OF_TILLS.map(({ name, expression }) => [name, expression.value(sums)]),
  ) as unknown as TillWindow;
}

const OF_TILLS = TOTAL.filter(({ zones }) => zones.some((zone) => zone === 'tills'));

/** The number of the first free till of a line in which somebody waits; -1 without one. */
export const lostAt = ({ states, isWaitedFor }: Pick<TillSecond, 'states' | 'isWaitedFor'>): number =>
  states.findIndex((state, till) => state === 'free' && isWaitedFor[till]);

export interface TillServices {
  /** Completed ones. */
  readonly services: number;
  readonly avgServiceSeconds: number | null;
  readonly p90ServiceSeconds: number | null;
}

export function tillServices(serviceSeconds: readonly number[]): TillServices {
  const sorted = serviceSeconds.toSorted((a, b) => a - b);
  return {
    services: sorted.length,
    avgServiceSeconds: average(
      sorted.reduce((sum, seconds) => sum + seconds, 0),
      sorted.length,
    ),
    p90ServiceSeconds: percentile(sorted, 0.9),
  };
}

/** One till over a time: its services and how long it was in each state. */
export interface TillFigures extends TillServices, Record<`${TillState}Seconds`, number> {
  readonly tillId: string;
}

export interface TillNumbers extends TillWindow {
  readonly tills: readonly TillFigures[];
}

/**
 * Every number of the tills over a time.
 * @param visits decided in that time
 * @param seconds whose states are known
 * @param length seconds of the time
 */
export function tillNumbers(
  tillIds: readonly string[],
  { visits, seconds, length }: { visits: readonly Visit[]; seconds: readonly TillSecond[]; length: number },
): TillNumbers {
  const services = visits.flatMap(servicesOf);
  const tills = tillIds.map((tillId, at): TillFigures & { lostSeconds: number } => {
    const count = (state: TillState) => seconds.filter(({ states }) => states[at] === state).length;
    const known = {
      servingSeconds: count('serving'),
      freeSeconds: count('free'),
      closedSeconds: count('closed'),
    };
    const lengths = services.filter((one) => one.tillId === tillId).map((one) => one.seconds);
    return {
      ...{ tillId, ...tillServices(lengths), ...known },
      unknownSeconds: length - seconds.length,
      lostSeconds: seconds.filter((second) => lostAt(second) === at).length,
    };
  });
  const sum = (of: (till: (typeof tills)[number]) => number) =>
    tills.reduce((all, till) => all + of(till), 0);
  const all: TillSeconds = {
    servingSeconds: sum((till) => till.servingSeconds),
    freeSeconds: sum((till) => till.freeSeconds),
    closedSeconds: sum((till) => till.closedSeconds),
    lostSeconds: sum((till) => till.lostSeconds),
  };
  return {
    ...tillWindow(all, seconds.length),
    tills: tills.map(({ lostSeconds: _, ...till }) => till),
  };
}

/** The services of a completed visit at tills. One of a customer who was sent to another till counts at both. */
export const servicesOf = ({ outcome, services = [] }: Visit): { tillId: string; seconds: number }[] =>
  outcome === 'completed'
    ? services.flatMap(({ tillId, startedAtMs, endedAtMs }) =>
        endedAtMs === null ? [] : [{ tillId, seconds: round((endedAtMs - startedAtMs) / 1000) }],
      )
    : [];
