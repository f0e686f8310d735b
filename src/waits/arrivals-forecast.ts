export const QUARTER_SECONDS = 900;
export const QUARTERS_A_DAY = 96;
/** A weekday counts as much as all days after so many days. */
const SHRINK_DAYS = 2;
/** Today's level counts as much as an ordinary day after so many expected people. */
const SHRINK_PEOPLE = 25;

/** People who joined on one day, by quarter of an hour from its local midnight. */
export interface DayArrivals {
  /** 0-6; holidays are given as the weekday that they are like. */
  readonly weekday: number;
  readonly quarters: readonly number[];
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
      return (own * same.length + all * SHRINK_DAYS) / (same.length + SHRINK_DAYS);
    });
  }

  /**
   * The quarters that are still to come at the level of today.
   * @param today people of the quarters that have ended
   * @returns one number for each quarter after them
   */
  rest(weekday: number, today: readonly number[]): number[] {
    const usual = this.usual(weekday);
    const expected = usual.slice(0, today.length).reduce((sum, people) => sum + people, 0);
    const came = today.reduce((sum, people) => sum + people, 0);
    const level = (came + SHRINK_PEOPLE) / (expected + SHRINK_PEOPLE);
    return usual.slice(today.length).map((people) => people * level);
  }
}

/** Neighbouring quarters help: one day in a week says little of one quarter. */
function meanOf(days: readonly DayArrivals[], quarter: number): number {
  if (days.length === 0) return 0;
  let sum = 0;
  let weights = 0;
  for (let near = -1; near <= 1; near++) {
    const at = quarter + near;
    if (at < 0 || at >= QUARTERS_A_DAY) continue;
    const weight = near === 0 ? 2 : 1;
    weights += weight;
    for (const day of days) sum += (weight * (day.quarters[at] ?? 0)) / days.length;
  }
  return sum / weights;
}
