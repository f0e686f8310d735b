import { QUARTER_SECONDS } from '../../../src/catalogue/metrics/quarter.ts';
import type { Target } from '../../../src/catalogue/waits/target.ts';
import { adviseTills } from '../../../src/waits/advise-tills.ts';
import { ArrivalsForecast, type DayArrivals, QUARTERS_A_DAY } from '../../../src/waits/arrivals-forecast.ts';
import { Patience } from '../../../src/waits/patience.ts';
import { plainTime, ServiceTimes } from '../../../src/waits/service-times.ts';
import { TillPolicy } from '../../../src/waits/till-policy.ts';
import { DAY_SECONDS, type Person } from '../waits/simulated-shops.ts';
import { type Staffing, TURN_SECONDS, WALK_SECONDS } from './staffed-day.ts';

/** Quarters of an hour. */
const PLANNED = 8;
/** Nobody saw who would have given up after more than this. */
const SEEN_WAIT_SECONDS = 120;

/** CPU time of the advice. */
export interface Spent {
  ms: number;
  looks: number;
}

function quartersOf(people: readonly Person[], day: number): number[] {
  const quarters = Array<number>(QUARTERS_A_DAY).fill(0);
  for (const { joined } of people) quarters[Math.floor((joined - day * DAY_SECONDS) / QUARTER_SECONDS)]! += 1;
  return quarters;
}

/** What is known of a shop after some days. */
export class Learned {
  readonly #days: DayArrivals[] = [];
  readonly #times = new ServiceTimes(plainTime);
  readonly #patience = new Patience();

  learn(people: readonly Person[], day: number): void {
    this.#days.push({ weekday: day % 7, quarters: quartersOf(people, day) });
    for (const { work, joined, givesUp } of people) {
      this.#times.add(work + TURN_SECONDS, 0, joined);
      const waited = Math.min(SEEN_WAIT_SECONDS, givesUp - joined);
      this.#patience.add(waited, waited < SEEN_WAIT_SECONDS);
    }
  }

  /**
   * Looks every so often, and does what is advised to be done before the next look. It knows of the day only what has happened.
   * @param expected people of each quarter of an hour, for the limit: what it would do that knew them
   */
  follow(
    { day, people, tills }: { day: number; people: readonly Person[]; tills: number },
    { target, everySeconds }: { target: Target; everySeconds: number },
    spent: Spent,
    expected: readonly number[] | null = null,
  ): Staffing {
    const forecast = new ArrivalsForecast(this.#days);
    const today = quartersOf(people, day);
    const shopAt = (quarter: number) => ({
      ...{ leastTills: 1, mostTills: tills },
      arrivals: (expected?.slice(quarter) ?? forecast.rest(day % 7, today.slice(0, quarter))).slice(
        0,
        PLANNED,
      ),
      service: (elapsed: number, u: number) => this.#times.rest(elapsed, 1, u),
      patience: (waited: number, u: number) => this.#patience.rest(waited, u),
    });
    let lookedAt = Number.NEGATIVE_INFINITY;
    let known: {
      readonly quarter: number;
      readonly shop: ReturnType<typeof shopAt>;
      readonly policy: TillPolicy;
    } | null = null;
    let planned: { readonly at: number; readonly tills: number } | null = null;
    return ({ now, line, began, open }) => {
      if (now - lookedAt >= everySeconds) {
        lookedAt = now;
        const begin = process.cpuUsage();
        const second = now - day * DAY_SECONDS;
        const quarter = Math.floor(second / QUARTER_SECONDS);
        if (known?.quarter !== quarter) {
          const shop = shopAt(quarter);
          known = { quarter, shop, policy: new TillPolicy(shop, target) };
        }
        const { change } = adviseTills(
          {
            ...known.shop,
            waited: line.map(({ joined }) => now - joined),
            serving: began.map((at) => now - at),
            openTills: open,
            elapsed: second - quarter * QUARTER_SECONDS,
          },
          target,
          known.policy,
        );
        const used = process.cpuUsage(begin);
        spent.ms += (used.user + used.system) / 1000;
        spent.looks += 1;
        const called = change === null ? Number.NaN : Math.max(now, now + change.from - WALK_SECONDS);
        planned = called < now + everySeconds ? { at: called, tills: open + change!.tills } : null;
      }
      if (planned === null || now < planned.at) return open;
      const { tills: wanted } = planned;
      planned = null;
      return wanted;
    };
  }
}
