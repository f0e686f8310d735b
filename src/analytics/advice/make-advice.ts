import { DateTime } from 'luxon';
import { type Advice, adviseTills } from '../../waits/advise-tills.ts';
import {
  ArrivalsForecast,
  type DayArrivals,
  QUARTER_SECONDS,
  QUARTERS_A_DAY,
  type Quarter,
} from '../../waits/arrivals-forecast.ts';
import { Patience } from '../../waits/patience.ts';
import type { ServiceTarget } from '../../waits/service-level.ts';
import { plainTime, ServiceTimes } from '../../waits/service-times.ts';
import type { ArrivalsRow, VisitRow } from './staffing.store.ts';

/** Where neither the scene nor its site has a target. */
export const DEFAULT_TARGET: ServiceTarget = { waitSeconds: 180, share: 0.9 };
/** Days that are looked back on. */
export const HISTORY_DAYS = 28;
/** Advice is stored after so many days with customers, and told after so many. */
export const LEAST_DAYS = 7;
export const TOLD_DAYS = 14;
export const MOST_VISITS = 2_000;
const LEAST_SERVICES = 30;
const PLANNED_QUARTERS = 8;
/** Until the next customer is there. */
const TURN_SECONDS = 5;
/** What is older was forgotten by a camera, or by a run that died. */
const MOST_PRESENT_SECONDS = 4 * 3600;

/** What is known of a scene. */
export interface StaffingFacts {
  readonly now: Date;
  readonly timezone: string;
  readonly target: ServiceTarget;
  readonly arrivals: readonly ArrivalsRow[];
  readonly visits: readonly VisitRow[];
  readonly present: readonly { readonly queuedAt: Date | null; readonly servedAt: Date | null }[];
  readonly openTills: number;
  readonly mostTills: number;
}

/** Days before today on which anybody came. */
export const daysSeen = (arrivals: readonly ArrivalsRow[], today: string): number =>
  new Set(arrivals.filter((row) => row.day < today && row.arrivals > 0).map(({ day }) => day)).size;

export const localDay = (now: Date, timezone: string): string =>
  DateTime.fromJSDate(now, { zone: timezone }).toISODate()!;

/** Advice for now; null while too little was seen. */
export function makeAdvice(facts: StaffingFacts): Advice | null {
  const { now, timezone, visits, present, target } = facts;
  const services = visits.filter(({ outcome, service }) => outcome === 'completed' && service !== null);
  const local = DateTime.fromJSDate(now, { zone: timezone });
  const today = local.toISODate()!;
  if (services.length < LEAST_SERVICES || daysSeen(facts.arrivals, today) < LEAST_DAYS) return null;
  const times = new ServiceTimes(plainTime);
  for (const { service, joinedAt } of services) times.add(service! + TURN_SECONDS, 0, joinedAt);
  const patience = new Patience();
  for (const { outcome, wait } of visits)
    if (wait !== null && outcome !== 'lost') patience.add(wait, outcome === 'abandoned');
  const second = local.hour * 3600 + local.minute * 60 + local.second;
  const quarter = Math.floor(second / QUARTER_SECONDS);
  const ages = (of: (one: StaffingFacts['present'][number]) => Date | null): number[] =>
    present
      .flatMap((one) => of(one) ?? [])
      .map((at) => Math.max(0, (now.getTime() - at.getTime()) / 1000))
      .filter((seconds) => seconds < MOST_PRESENT_SECONDS);
  return adviseTills(
    {
      waited: ages(({ queuedAt }) => queuedAt).sort((a, b) => b - a),
      serving: ages(({ servedAt }) => servedAt).slice(0, facts.openTills),
      ...{ openTills: facts.openTills, leastTills: 1, mostTills: facts.mostTills },
      arrivals: nextArrivals(facts.arrivals, local, quarter),
      elapsed: second - quarter * QUARTER_SECONDS,
      service: (elapsed, u) => times.rest(elapsed, 1, u),
      patience: (waited, u) => patience.rest(waited, u),
    },
    target,
  );
}

function nextArrivals(rows: readonly ArrivalsRow[], now: DateTime, quarter: number): number[] {
  const days = new Map<string, Quarter[]>();
  for (const row of rows) {
    const quarters = days.get(row.day) ?? Array<Quarter>(QUARTERS_A_DAY).fill(null);
    quarters[row.quarter] = row.arrivals;
    days.set(row.day, quarters);
  }
  const today = now.toISODate()!;
  const before: DayArrivals[] = [...days].flatMap(([day, quarters]) =>
    day < today ? [{ weekday: DateTime.fromISO(day).weekday % 7, quarters }] : [],
  );
  const forecast = new ArrivalsForecast(before);
  const seen = (days.get(today) ?? Array<Quarter>(QUARTERS_A_DAY).fill(null)).slice(0, quarter);
  const rest = forecast.rest(now.weekday % 7, seen);
  return [...rest, ...forecast.usual(now.plus({ days: 1 }).weekday % 7)].slice(0, PLANNED_QUARTERS);
}
