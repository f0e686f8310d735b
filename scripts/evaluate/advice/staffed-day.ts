import type { Random } from '../../../src/simulator/random.ts';
import { lognormal, type Person, type Shop } from '../waits/simulated-shops.ts';

/** How often somebody looks at the line. */
const LOOK_SECONDS = 5;
/** A cashier who is called needs so long. */
export const WALK_SECONDS = 60;

/** Between two customers. */
export const TURN_SECONDS = 5;

/** What somebody sees who stands in the shop. */
export interface Seen {
  readonly now: number;
  /** When each waiting person joined, the first first. */
  readonly line: readonly Person[];
  /** When each running service began. */
  readonly began: readonly number[];
  /** Tills that are open, or whose cashier is on the way. */
  readonly open: number;
}
/** How many tills shall be open. */
export type Staffing = (seen: Seen) => number;

export interface StaffedDay {
  readonly tillHours: number;
  readonly joined: number;
  readonly late: number;
  readonly gaveUp: number;
  readonly openings: number;
}

interface Till {
  readonly speed: number;
  open: boolean;
  openedAt: number;
  began: number;
  until: number;
}

/** One day of a shop whose tills open and close as `staffing` says. The same people come whatever it says. */
export function playStaffedDay(
  shop: Shop,
  people: readonly Person[],
  random: Random,
  waitSeconds: number,
  staffing: Staffing,
): StaffedDay {
  const tills = Array.from(
    { length: shop.tills },
    (): Till => ({
      ...{ speed: lognormal(random, 1, 0.15), open: false, openedAt: 0, began: 0, until: 0 },
    }),
  );
  const line: Person[] = [];
  let next = 0;
  let late = 0;
  let gaveUp = 0;
  let openings = 0;
  let tillSeconds = 0;
  const start = people[0]?.joined ?? 0;
  const open = tills.slice(0, 1);
  open[0]!.open = true;
  open[0]!.openedAt = start;
  let now = start;
  for (; next < people.length || line.length > 0; now += LOOK_SECONDS) {
    const wanted = staffing({
      now,
      line,
      began: open.flatMap((t) => (t.until > now && t.began <= now ? [t.began] : [])),
      open: open.length,
    });
    while (open.length < Math.min(wanted, shop.tills)) {
      // Who closed last still sits there.
      const till = tills.filter((each) => !each.open).reduce((a, b) => (b.until > a.until ? b : a));
      till.open = true;
      till.openedAt = Math.max(now + WALK_SECONDS, till.until);
      till.began = till.until = till.openedAt;
      openings += 1;
      open.push(till);
    }
    while (open.length > Math.max(wanted, 1)) {
      const till = open.reduce((a, b) => (b.until < a.until ? b : a));
      till.open = false;
      till.until = Math.max(till.until, now);
      tillSeconds += till.until - till.openedAt;
      open.splice(open.indexOf(till), 1);
    }
    const end = now + LOOK_SECONDS;
    while (next < people.length && people[next]!.joined < end) line.push(people[next++]!);
    while (line.length > 0) {
      const till = open.reduce((a, b) => (b.until < a.until ? b : a));
      const first = line[0]!;
      const begin = Math.max(till.until, first.joined, now);
      if (first.givesUp < Math.min(begin, end)) {
        gaveUp += 1;
        line.shift();
        continue;
      }
      if (begin >= end) break;
      line.shift();
      if (begin - first.joined > waitSeconds) late += 1;
      till.began = begin;
      till.until = begin + first.work * till.speed + TURN_SECONDS;
    }
    for (let at = line.length - 1; at >= 0; at--)
      if (line[at]!.givesUp < end) {
        line.splice(at, 1);
        gaveUp += 1;
      }
  }
  for (const till of open) tillSeconds += Math.max(now, till.until) - till.openedAt;
  return { tillHours: tillSeconds / 3600, joined: people.length, late, gaveUp, openings };
}
