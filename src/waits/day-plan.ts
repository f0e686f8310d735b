import type { Target } from '../catalogue/waits/target.ts';
import { QUARTERS_A_DAY } from './arrivals-forecast.ts';
import { MOST_TILLS, PlanFutures, type StaffingScene } from './plan-futures.ts';
import { serviceLevel } from './service-level.ts';

/** How many tills a half hour of a day needs. */
export interface PlannedHalfHour {
  /** From local midnight, 0-47. */
  readonly number: number;
  /** People who usually join. */
  readonly people: number;
  readonly tills: number;
  /** Expected share of people who wait too long with these tills, 0-1. */
  readonly lateShare: number;
}

/** Half an hour with fewer people needs no plan: the shop is closed, or anybody can serve them. */
const LEAST_PEOPLE = 1;
/** The quarters before count too: their line has to be served. */
const BEFORE = 2;

/**
 * The fewest tills with which each half hour keeps the target, or all where none is enough. Each is played on its own from an hour before its
 * end: what stays open from one to the next is for the reader.
 * @param arrivals people in each quarter of an hour of the day
 */
export function planDay(
  { arrivals, mostTills, ...scene }: Pick<StaffingScene, 'arrivals' | 'mostTills' | 'service' | 'patience'>,
  target: Target,
): PlannedHalfHour[] {
  const most = Math.min(mostTills, MOST_TILLS);
  const planned: PlannedHalfHour[] = [];
  for (let quarter = 0; quarter + 2 <= QUARTERS_A_DAY; quarter += 2) {
    const people = arrivals.slice(quarter, quarter + 2).reduce((sum, joined) => sum + joined, 0);
    if (people < LEAST_PEOPLE) continue;
    const futures = new PlanFutures({
      ...{ ...scene, waited: [], serving: [], openTills: 1, leastTills: 1, mostTills: most, elapsed: 0 },
      arrivals: arrivals.slice(Math.max(0, quarter - BEFORE), quarter + 2),
    });
    const lateWith = (tills: number) => {
      const change = tills === 1 ? null : { tills: tills - 1, from: 0, to: futures.seconds };
      return 1 - (serviceLevel(futures.count(change, target.waitSeconds)) ?? 1);
    };
    let tills = 1;
    let lateShare = lateWith(tills);
    while (tills < most && lateShare > 1 - target.share) lateShare = lateWith(++tills);
    planned.push({ number: quarter / 2, people, tills, lateShare });
  }
  return planned;
}
