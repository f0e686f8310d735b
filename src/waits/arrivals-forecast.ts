export const QUARTERS_A_DAY = 96;
/** A weekday counts as much as all days after so many days. */
const SHRINK_DAYS = 2;
/** Today's level counts as much as an ordinary day after so many expected people. */
const SHRINK_PEOPLE = 25;

/** People; null where nobody saw. */
export type Quarter = number | null;

/** People who joined on one day, by quarter of an hour from its local midnight. */
export interface DayArrivals {
  /** 0-6; holidays are given as the weekday that they are like. */
  readonly weekday: number;
  readonly quarters: readonly Quarter[];
}

/** How many people join in each quarter of an hour of a day, from the days before it. */
export class ArrivalsForecast {
  private readonly days: readonly DayArrivals[];

  constructor(days: readonly DayArrivals[]) {
    this.days = days;
  }

  /** By weekday, shrunk towards all days; nothing where no day is known. */
  usual(weekday: number): number[] {
    const same = this.days.filter((day) => day.weekday === weekday);
    return Array.from({ length: QUARTERS_A_DAY }, (_, quarter) => {
      const all = meanOf(this.days, quarter);
      const own = meanOf(same, quarter);
      const weights = own.days + (all.days > 0 ? SHRINK_DAYS : 0);
      return weights === 0 ? 0 : (own.mean * own.days + all.mean * SHRINK_DAYS) / weights;
    });
  }

  /**
   * The quarters that are still to come at the level of today.
   * @param today people of the quarters that have ended
   * @returns one number for each quarter after them
   */
  rest(weekday: number, today: readonly Quarter[]): number[] {
    const usual = this.usual(weekday);
    let expected = 0;
    let came = 0;
    for (const [quarter, people] of usual.entries()) {
      const seen = today[quarter] ?? null;
      if (seen === null) continue;
      expected += people;
      came += seen;
    }
    const level = (came + SHRINK_PEOPLE) / (expected + SHRINK_PEOPLE);
    return usual.slice(today.length).map((people) => people * level);
  }
}

/** Neighbouring quarters help: one day in a week says little of one quarter. */
function meanOf(days: readonly DayArrivals[], quarter: number): { mean: number; days: number } {
  let sum = 0;
  let weights = 0;
  let seen = 0;
  for (const day of days)
    for (let near = -1; near <= 1; near++) {
      const people = day.quarters[quarter + near] ?? null;
      if (people === null) continue;
      const weight = near === 0 ? 2 : 1;
      if (near === 0) seen += 1;
      weights += weight;
      sum += weight * people;
    }
  return { mean: weights === 0 ? 0 : sum / weights, days: seen };
}
