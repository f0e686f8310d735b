import { grouped } from '../../catalogue/grouped.ts';
import { QUARTERS_A_DAY } from '../arrivals-forecast.ts';

/** What was counted in a time; of services the logarithms of their seconds, which swing alike whether they are long or short. */
export interface Counted {
  readonly arrivals: number;
  readonly services: number;
  readonly logSum: number;
  /** Mean; null where no till was seen. */
  readonly openTills: number | null;
}

/** A quarter of an hour that was seen. */
export interface UsualQuarter extends Counted {
  /** Any name of its day. */
  readonly day: string;
  /** 0-6, and the number of the quarter in the day, by the clock on the wall. */
  readonly weekday: number;
  readonly quarter: number;
  readonly logSquares: number;
}

/** A number with how uncertain it is. */
export interface Expected {
  readonly mean: number;
  readonly variance: number;
}

const DAYS_A_WEEK = 7;
/** People of all weekdays that count as much as those of the weekday. */
const SHRINK_PEOPLE = 400;
/** A weekday that differs so much from the others in a quarter is asked alone: it has other hours. */
const OTHER_HOURS = 3;
/** Services of all hours that count as much as those of the hour. */
const SHRINK_SERVICES = 60;
/** Fewer expected people say nothing of how they swing. */
const LEAST_EXPECTED = 2;
/** One strange quarter does not make all of them strange. */
const MOST_SQUARE = 9;
/** Variance of the level of a day, and of the mean logarithm of its services. */
const LEAST_LEVEL = 0.05 ** 2;
const MOST_LEVEL = 0.5 ** 2;
const LEAST_SERVICE_LEVEL = 0.02 ** 2;

/** What a place usually does, learned from whole days before today. */
export class UsualDays {
  readonly days: number;
  /** How much more arrivals swing than those of people who come one by one, and the variance of the level of a day. */
  readonly dispersion: number;
  readonly levelVariance: number;
  /** Variance of the logarithm of one service, and of the mean of a day; how much more quarters swing than that. */
  readonly serviceVariance: number;
  readonly serviceLevelVariance: number;
  readonly serviceDispersion: number;
  readonly services: number;
  readonly #arrivals: Expected[][];
  readonly #hours: number[];
  readonly #tills: (readonly number[])[][];

  constructor(quarters: readonly UsualQuarter[]) {
    const byDay = grouped(quarters, ({ day }) => day);
    this.days = byDay.size;
    const byWeekday = Array.from({ length: DAYS_A_WEEK }, (_, weekday) =>
      quartersOf(quarters.filter((one) => one.weekday === weekday)),
    );
    this.#arrivals = expectedArrivals(quartersOf(quarters), byWeekday);
    this.#tills = byWeekday.map((ofWeekday) =>
      ofWeekday.map((rows) => rows.flatMap(({ openTills }) => openTills ?? [])),
    );
    const expected = ({ weekday, quarter }: UsualQuarter) => this.arrivals(weekday, quarter).mean;
    const levels = [...byDay.values()].map((rows) => {
      const usual = sum(rows, expected);
      return { usual, level: usual > 0 ? sum(rows, ({ arrivals }) => arrivals) / usual : 1, rows };
    });
    this.dispersion = Math.max(
      1,
      meanSquare(
        levels.flatMap(({ level, rows }) =>
          rows.flatMap((row) => {
            const mean = level * expected(row);
            return mean < LEAST_EXPECTED ? [] : [(row.arrivals - mean) / Math.sqrt(mean)];
          }),
        ),
      ),
    );
    const busy = levels.filter(({ usual }) => usual >= LEAST_EXPECTED);
    const chance = sum(busy, ({ usual }) => this.dispersion / usual) / Math.max(1, busy.length);
    this.levelVariance = between(
      meanSquare(busy.map(({ level }) => level - 1)) - chance,
      LEAST_LEVEL,
      MOST_LEVEL,
    );
    this.services = sum(quarters, ({ services }) => services);
    this.#hours = hourMeans(quarters, this.services);
    const rest = (row: UsualQuarter) => row.logSum - row.services * this.service(row.quarter);
    const squares = sum(quarters, (row) => {
      const mean = this.service(row.quarter);
      return row.logSquares - 2 * mean * row.logSum + row.services * mean * mean;
    });
    this.serviceVariance = squares / Math.max(1, this.services - this.days);
    const served = [...byDay.values()].flatMap((rows) => {
      const services = sum(rows, (row) => row.services);
      return services === 0 ? [] : [{ services, rest: sum(rows, rest) / services, rows }];
    });
    const chanceOfServices = sum(served, ({ services }) => this.serviceVariance / services);
    this.serviceLevelVariance = between(
      meanSquare(served.map((day) => day.rest)) - chanceOfServices / Math.max(1, served.length),
      LEAST_SERVICE_LEVEL,
      MOST_LEVEL,
    );
    this.serviceDispersion = Math.max(
      1,
      meanSquare(
        served.flatMap((day) =>
          day.rows.flatMap((row) =>
            row.services === 0
              ? []
              : [
                  (rest(row) - row.services * day.rest) /
                    Math.sqrt(row.services * Math.max(1e-6, this.serviceVariance)),
                ],
          ),
        ),
      ),
    );
  }

  /** People in a quarter of an hour, at an ordinary level; the variance is that of the mean, relative to its square. */
  arrivals(weekday: number, quarter: number): Expected {
    return this.#arrivals[weekday]![quarter]!;
  }

  /** Mean logarithm of the seconds of a service. */
  service(quarter: number): number {
    return this.#hours[Math.floor(quarter / 4)]!;
  }

  /** Mean numbers of open tills in the quarters from half an hour before to half an hour after this one on the same weekday. */
  openTills(weekday: number, quarter: number): number[] {
    return [-2, -1, 0, 1, 2].flatMap((by) => this.#tills[weekday]?.[quarter + by] ?? []);
  }
}

const hourOf = ({ quarter }: { readonly quarter: number }): number => Math.floor(quarter / 4);
const between = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  let total = 0;
  for (const row of rows) total += of(row);
  return total;
}

/** Of deviations; 0 where there are none. */
const meanSquare = (deviations: readonly number[]): number =>
  sum(deviations, (one) => Math.min(MOST_SQUARE, one * one)) / Math.max(1, deviations.length);

function quartersOf(rows: readonly UsualQuarter[]): UsualQuarter[][] {
  const byQuarter = grouped(rows, ({ quarter }) => quarter);
  return Array.from({ length: QUARTERS_A_DAY }, (_, quarter) => byQuarter.get(quarter) ?? []);
}

/** The profile of all days at the level of the weekday, and the weekday's own people, who count more the more they are. */
function expectedArrivals(
  all: readonly (readonly UsualQuarter[])[],
  byWeekday: readonly (readonly (readonly UsualQuarter[])[])[],
): Expected[][] {
  const people = (rows: readonly UsualQuarter[]) => sum(rows, ({ arrivals }) => arrivals);
  const profile = all.map((rows) => {
    const everybody = people(rows);
    return { everybody, mean: rows.length === 0 ? 0 : everybody / rows.length };
  });
  return byWeekday.map((quarters) => {
    const withProfile = quarters.map((rows, at) => ({ rows, ...profile[at]! }));
    const usual = sum(withProfile, ({ rows, mean }) => rows.length * mean);
    const level = usual === 0 ? 1 : people(quarters.flat()) / usual;
    return withProfile.map(({ rows, everybody, mean }) => {
      const ordinary = level * mean;
      const own = people(rows);
      const expected = rows.length * ordinary;
      const isOther = Math.abs(own - expected) > OTHER_HOURS * Math.sqrt(2 * expected + 0.02 * expected ** 2);
      const shrink = isOther && rows.length > 1 ? 0 : SHRINK_PEOPLE;
      if (expected + shrink === 0 || (shrink === 0 && own === 0)) return { mean: 0, variance: 0 };
      return {
        mean: (ordinary * (own + shrink)) / (expected + shrink),
        variance: 1 / (own + Math.min(shrink, Math.max(1, everybody))),
      };
    });
  });
}

function hourMeans(quarters: readonly UsualQuarter[], services: number): number[] {
  const mean = services === 0 ? 0 : sum(quarters, ({ logSum }) => logSum) / services;
  const byHour = grouped(quarters, hourOf);
  return Array.from({ length: QUARTERS_A_DAY / 4 }, (_, hour) => {
    const rows = byHour.get(hour) ?? [];
    const logs = sum(rows, ({ logSum }) => logSum);
    return (logs + SHRINK_SERVICES * mean) / (SHRINK_SERVICES + sum(rows, (row) => row.services));
  });
}
