import { average, round } from '../../catalogue/metrics/arithmetic.ts';
import type { Now } from '../../catalogue/metrics/now.ts';
import type { TillState } from '../../vision/tills/till-state.ts';
import type { TillNow, TillSecond } from '../../vision/tills/till-watch.ts';
import type { Visit } from '../../vision/types.ts';
import { percentile } from '../percentile.ts';

/** How many tills serve, and how many are free now. */
export const tillsNow = (now: readonly Pick<TillNow, 'state'>[]): NonNullable<Now['tills']> => ({
  serving: now.filter(({ state }) => state === 'serving').length,
  free: now.filter(({ state }) => state === 'free').length,
});

/** Seconds of one or all tills over a time. */
export interface TillSeconds {
  readonly servingSeconds: number;
  readonly freeSeconds: number;
  readonly closedSeconds: number;
  /** In which somebody waited while this till was the first of the free ones. */
  readonly lostSeconds: number;
}

export interface TillWindow {
  /** Mean number of open tills while their states are known; null where they never are. */
  readonly avgOpenTills: number | null;
  /** Serving ÷ open time, 0-1; null where no till was open. */
  readonly tillUtilization: number | null;
  /** Time in which somebody waited while a till was free that serves their line; null where states are never known. */
  readonly waitedWithFreeTillSeconds: number | null;
}

/** @param known seconds in which the states of the tills are known */
export function tillWindow(
  { servingSeconds, freeSeconds, lostSeconds }: TillSeconds,
  known: number,
): TillWindow {
  const open = servingSeconds + freeSeconds;
  return {
    avgOpenTills: average(open, known),
    tillUtilization: average(servingSeconds, open),
    waitedWithFreeTillSeconds: known > 0 ? lostSeconds : null,
  };
}

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
  const lengths = new Map<string, number[]>(tillIds.map((id) => [id, []]));
  for (const { tillId, seconds: served } of visits.flatMap(servicesOf)) lengths.get(tillId)?.push(served);
  const tills = tillIds.map((tillId, at): TillFigures & { lostSeconds: number } => {
    const count = (state: TillState) => seconds.filter(({ states }) => states[at] === state).length;
    const known = {
      servingSeconds: count('serving'),
      freeSeconds: count('free'),
      closedSeconds: count('closed'),
    };
    return {
      ...{ tillId, ...tillServices(lengths.get(tillId)!), ...known },
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
