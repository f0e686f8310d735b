import { grouped } from '../../../src/catalogue/grouped.ts';
import {
  deviationsNow,
  isBack,
  JUDGED_MINUTES,
  LEVEL_MINUTES,
  NOTICE_SCORE,
  type UnusualMetric,
  type UsualMinute,
  unusualOf,
} from '../../../src/waits/usual/unusual-now.ts';
import { UsualDays, type UsualQuarter } from '../../../src/waits/usual/usual-days.ts';
import { type Change, DAY_SECONDS, type SHOPS, simulateShop } from '../waits/simulated-shops.ts';

export type ShopName = keyof typeof SHOPS;

const MINUTE = 60;
const MINUTES_A_QUARTER = 15;
/** The camera sees an hour more than the shop is open. */
const FIRST_MINUTE = 8 * 60;
const LAST_MINUTE = 20 * 60;

/** A notice: when it came, about what. */
export interface Notice {
  readonly at: number;
  readonly metrics: readonly UnusualMetric[];
  readonly endedAt: number;
}

interface Mutable extends Omit<UsualMinute, 'isUnusual' | 'arrivals' | 'services' | 'logSum' | 'openTills'> {
  arrivals: number;
  services: number;
  logSum: number;
  logSquares: number;
  openTills: number;
  isUnusual: boolean;
}

/** A made-up shop that is learned for some days, and watched minute by minute in the days after them. */
export class WatchedShop {
  readonly #kind: ShopName;
  readonly #seed: number;
  readonly #learnDays: number;
  readonly #usual: UsualDays;

  constructor(kind: ShopName, seed: number, learnDays: number) {
    this.#kind = kind;
    this.#seed = seed;
    this.#learnDays = learnDays;
    this.#usual = new UsualDays(minutesOf(kind, seed, { firstDay: 0, days: learnDays }).flatMap(quartersOf));
  }

  watch(days: number, changes: readonly Change[], score = NOTICE_SCORE): Notice[] {
    const firstDay = this.#learnDays;
    return minutesOf(this.#kind, this.#seed, { firstDay, days, changes }).flatMap((minutes, at) =>
      watchDay(this.#usual, minutes, firstDay + at, score),
    );
  }
}
function watchDay(usual: UsualDays, minutes: Mutable[], day: number, score: number): Notice[] {
  const notices: Notice[] = [];
  const timeOf = (minute: number) => day * DAY_SECONDS + (FIRST_MINUTE + minute) * MINUTE;
  let open: Omit<Notice, 'endedAt'> | null = null;
  for (let end = JUDGED_MINUTES; end <= minutes.length; end++) {
    const deviations = deviationsNow(
      usual,
      minutes.slice(Math.max(0, end - LEVEL_MINUTES - JUDGED_MINUTES), end),
    );
    if (open && isBack(deviations, open.metrics)) {
      notices.push({ ...open, endedAt: timeOf(end) });
      open = null;
    } else if (!open) {
      const found = unusualOf(deviations, score);
      if (found.length === 0) continue;
      open = { at: timeOf(end), metrics: found.map(({ metric }) => metric) };
      for (const minute of minutes.slice(end - JUDGED_MINUTES, end)) minute.isUnusual = true;
    }
    if (open) minutes[end - 1]!.isUnusual = true;
  }
  if (open) notices.push({ ...open, endedAt: timeOf(minutes.length) });
  return notices;
}

function minutesOf(
  kind: ShopName,
  seed: number,
  { days, ...others }: { days: number; firstDay: number; changes?: readonly Change[] },
): Mutable[][] {
  const { firstDay } = others;
  const { visits, tills } = simulateShop(kind, seed, days, others);
  const all = Array.from({ length: days }, (_, day) =>
    Array.from(
      { length: LAST_MINUTE - FIRST_MINUTE },
      (__, minute): Mutable => ({
        ...{
          weekday: (firstDay + day) % 7,
          quarter: Math.floor((FIRST_MINUTE + minute) / MINUTES_A_QUARTER),
        },
        ...{
          isSeen: true,
          isUnusual: false,
          arrivals: 0,
          services: 0,
          logSum: 0,
          logSquares: 0,
          openTills: 0,
        },
      }),
    ),
  );
  const at = (seconds: number) =>
    all[Math.floor(seconds / DAY_SECONDS) - firstDay]?.[
      Math.floor((seconds % DAY_SECONDS) / MINUTE) - FIRST_MINUTE
    ];
  for (const { joinedAt, startedAt, endedAt } of visits) {
    const joined = at(joinedAt!);
    if (joined) joined.arrivals += 1;
    const ended = endedAt === null || startedAt === null ? undefined : at(endedAt);
    if (!ended) continue;
    const log = Math.log(Math.max(1, endedAt! - startedAt!));
    ended.services += 1;
    ended.logSum += log;
    ended.logSquares += log * log;
  }
  const opened = new Map<string, number>();
  for (const { at: time, till, isOpen } of tills) {
    if (isOpen) opened.set(till, time);
    else {
      const since = opened.get(till);
      opened.delete(till);
      if (since === undefined) continue;
      for (let second = since; second < time; second += MINUTE) {
        const minute = at(second);
        if (minute) minute.openTills += Math.min(MINUTE, time - second) / MINUTE;
      }
    }
  }
  return all;
}

function quartersOf(minutes: readonly Mutable[], day: number): UsualQuarter[] {
  return [...grouped(minutes, ({ quarter }) => quarter).values()].map((rows) => {
    const total = (of: (row: Mutable) => number) => rows.reduce((sum, row) => sum + of(row), 0);
    return {
      ...{ day: String(day), weekday: rows[0]!.weekday, quarter: rows[0]!.quarter },
      arrivals: total(({ arrivals }) => arrivals),
      services: total(({ services }) => services),
      logSum: total(({ logSum }) => logSum),
      logSquares: total(({ logSquares }) => logSquares),
      openTills: total(({ openTills }) => openTills) / rows.length,
    };
  });
}
