import { DateTime } from 'luxon';
import { openIn, type SiteHours } from '../../cameras/sites/open-hours.ts';
import { openWithin } from '../../catalogue/hours/opening-hours.ts';
import { QUARTER_MS, QUARTER_SECONDS } from '../../catalogue/metrics/quarter.ts';
import type { Target } from '../../catalogue/waits/target.ts';
import { localMoment } from '../../platform/jobs/local-clock.ts';
import { type Advice, adviseTills } from '../../waits/advise-tills.ts';
import {
  ArrivalsForecast,
  type DayArrivals,
  QUARTERS_A_DAY,
  type Quarter,
} from '../../waits/arrivals-forecast.ts';
import { type PlannedHalfHour, planDay } from '../../waits/day-plan.ts';
import { Patience } from '../../waits/patience.ts';
import { plainTime, ServiceTimes } from '../../waits/service-times.ts';
import { TillPolicy } from '../../waits/till-policy.ts';
import type { ArrivalsRow, VisitRow } from './staffing.store.ts';

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

/** Who waits and who is served, and the tills. */
export interface ScenePresent {
  readonly now: Date;
  readonly target: Target;
  readonly people: readonly { readonly queuedAt: Date | null; readonly servedAt: Date | null }[];
  readonly openTills: number;
  readonly mostTills: number;
}

/** Days before today on which anybody came. */
export const daysSeen = (arrivals: readonly ArrivalsRow[], today: string): number =>
  new Set(arrivals.filter((row) => row.day < today && row.arrivals > 0).map(({ day }) => day)).size;

export const localDay = (now: Date, timezone: string): string =>
  localMoment(now.getTime(), timezone).toISODate();

/** What a scene has taught by a quarter of an hour: dear to read and to learn, so that it is kept for all advice of the quarter. */
export class SceneHistory {
  /** Days before today with customers. */
  readonly days: number;
  readonly #isEnough: boolean;
  readonly #timezone: string;
  readonly #times = new ServiceTimes(plainTime);
  readonly #patience = new Patience();
  readonly #people = {
    service: (elapsed: number, u: number): number => this.#times.rest(elapsed, 1, u),
    patience: (waited: number, u: number): number => this.#patience.rest(waited, u),
  };
  readonly #forecast: ArrivalsForecast;
  /** From the beginning of the quarter on. */
  readonly #arrivals: readonly number[];

  readonly #hours: readonly SiteHours[];
  readonly #policies = new Map<string, TillPolicy>();

  constructor(
    now: Date,
    { timezone, hours }: { readonly timezone: string; readonly hours: readonly SiteHours[] },
    arrivals: readonly ArrivalsRow[],
    visits: readonly VisitRow[],
  ) {
    const local = localMoment(now.getTime(), timezone);
    this.#timezone = timezone;
    this.#hours = hours;
    this.days = daysSeen(arrivals, local.toISODate());
    let services = 0;
    for (const { outcome, wait, service, joinedAt } of visits) {
      if (outcome === 'completed' && service !== null) {
        this.#times.add(service + TURN_SECONDS, 0, joinedAt);
        services += 1;
      }
      if (wait !== null && outcome !== 'lost') this.#patience.add(wait, outcome === 'abandoned');
    }
    this.#isEnough = services >= LEAST_SERVICES && this.days >= LEAST_DAYS;
    const days = quartersByDay(arrivals);
    const today = local.toISODate();
    const before: DayArrivals[] = [...days].flatMap(([day, quarters]) =>
      day < today ? [{ weekday: weekdayOf(DateTime.fromISO(day)), quarters }] : [],
    );
    this.#forecast = new ArrivalsForecast(before);
    const seen = (days.get(today) ?? noQuarters()).slice(0, Math.floor(secondOf(local) / QUARTER_SECONDS));
    const coming = [
      ...this.#forecast.rest(weekdayOf(local), seen),
      ...this.#forecast.usual(weekdayOf(local.plus({ days: 1 }))),
    ].slice(0, PLANNED_QUARTERS);
    const fromMs = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS;
    this.#arrivals = this.#whileOpen(coming, (quarter) => fromMs + quarter * QUARTER_MS);
  }

  /** Advice for now; null while too little was seen. */
  advise({ now, target, people, openTills, mostTills }: ScenePresent): Advice | null {
    if (!this.#isEnough) return null;
    const ages = (of: (one: ScenePresent['people'][number]) => Date | null): number[] =>
      people
        .flatMap((one) => of(one) ?? [])
        .map((at) => Math.max(0, (now.getTime() - at.getTime()) / 1000))
        .filter((seconds) => seconds < MOST_PRESENT_SECONDS);
    const shop = { leastTills: 1, mostTills, arrivals: this.#arrivals, ...this.#people };
    const of = `${mostTills} ${target.waitSeconds} ${target.share}`;
    const policy = this.#policies.get(of) ?? new TillPolicy(shop, target);
    this.#policies.set(of, policy);
    return adviseTills(
      {
        ...shop,
        waited: ages(({ queuedAt }) => queuedAt).sort((a, b) => b - a),
        serving: ages(({ servedAt }) => servedAt).slice(0, openTills),
        openTills,
        elapsed: secondOf(DateTime.fromJSDate(now, { zone: this.#timezone })) % QUARTER_SECONDS,
      },
      target,
      policy,
    );
  }

  /** Tills by the half hour of a day to come; null while too little was seen. */
  planDay(day: DateTime, mostTills: number, target: Target): PlannedHalfHour[] | null {
    if (!this.#isEnough) return null;
    const usual = this.#forecast.usual(weekdayOf(day));
    const arrivals = this.#whileOpen(usual, (quarter) =>
      day.set({ hour: Math.floor(quarter / 4), minute: (quarter % 4) * 15 }).toMillis(),
    );
    return planDay({ arrivals, mostTills, ...this.#people }, target);
  }

  /** Nobody comes in a quarter of an hour that is closed. */
  #whileOpen(arrivals: readonly number[], startOf: (quarter: number) => number): number[] {
    return arrivals.map((people, quarter) => {
      const fromMs = startOf(quarter);
      const span = { fromMs, toMs: fromMs + QUARTER_MS };
      const open = openIn(this.#hours, span);
      return open && openWithin(open, span) === 0 ? 0 : people;
    });
  }
}

const secondOf = ({ hour, minute, second }: DateTime): number => hour * 3600 + minute * 60 + second;

const weekdayOf = ({ weekday }: DateTime): number => weekday % 7;
const noQuarters = (): Quarter[] => Array<Quarter>(QUARTERS_A_DAY).fill(null);

function quartersByDay(rows: readonly ArrivalsRow[]): Map<string, Quarter[]> {
  const days = new Map<string, Quarter[]>();
  for (const row of rows) {
    const quarters = days.get(row.day) ?? noQuarters();
    quarters[row.quarter] = row.arrivals;
    days.set(row.day, quarters);
  }
  return days;
}
