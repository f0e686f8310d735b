import { createRandom, type Random } from '../../../src/simulator/random.ts';
import type { LoggedVisit } from './visit-log.ts';

export const SHOP_KINDS = ['one-till', 'two-tills', 'bank', 'supermarket'] as const;
export type ShopKind = (typeof SHOP_KINDS)[number];

export interface Shop {
  readonly tills: number;
  /** Tills that are open by plan at an hour of the day. */
  planned(hour: number): number;
  /** One more till opens when so many wait, after a minute; 0: never. */
  readonly opensAt: number;
  readonly arrivalsPerHour: number;
  service(random: Random): number;
  readonly patienceSeconds: number;
  /** After how many services a cashier goes for a break, and for how long. */
  readonly servicesToBreak: number;
  readonly breakSeconds: number;
  /** People an hour over the day, as a share of the most; without it `DAY_CURVE`. */
  readonly dayCurve?: readonly number[];
}

export const DAY_SECONDS = 86_400;
const OPENS_HOUR = 9;
const CLOSES_HOUR = 19;
/** People an hour over the day, as a share of the most. */
const DAY_CURVE = [0.45, 0.7, 0.9, 1, 0.85, 0.7, 0.75, 0.95, 1, 0.6];
const WEEK_CURVE = [0.9, 0.85, 0.9, 1, 1.1, 1.15, 0.6];

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
export const lognormal = (random: Random, median: number, spread: number): number =>
  median * Math.exp(spread * normal(random));
const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random.next());

export const SHOPS: Record<ShopKind | 'canteen' | 'hall', Shop> = {
  'one-till': {
    tills: 1,
    planned: () => 1,
    opensAt: 0,
    arrivalsPerHour: 52,
    service: (random) => lognormal(random, 45, 0.6),
    patienceSeconds: 900,
    servicesToBreak: 60,
    breakSeconds: 150,
  },
  'two-tills': {
    tills: 2,
    planned: () => 1,
    opensAt: 4,
    arrivalsPerHour: 72,
    service: (random) => lognormal(random, 48, 0.65),
    patienceSeconds: 900,
    servicesToBreak: 80,
    breakSeconds: 150,
  },
  bank: {
    tills: 3,
    planned: (hour) => (hour >= 12 && hour < 14 ? 2 : 3),
    opensAt: 0,
    arrivalsPerHour: 39,
    service: (random) => (random.chance(0.6) ? lognormal(random, 130, 0.5) : lognormal(random, 360, 0.5)),
    patienceSeconds: 2400,
    servicesToBreak: 25,
    breakSeconds: 420,
  },
  supermarket: {
    tills: 8,
    planned: (hour) => (hour < 10 || hour >= 18 ? 4 : 5),
    opensAt: 7,
    arrivalsPerHour: 330,
    service: (random) => (random.chance(0.3) ? lognormal(random, 25, 0.4) : lognormal(random, 75, 0.55)),
    patienceSeconds: 1200,
    servicesToBreak: 70,
    breakSeconds: 300,
  },
  /** Only for the advice: most come in two hours. */
  canteen: {
    tills: 4,
    planned: (hour) => (hour >= 11 && hour < 14 ? 3 : 1),
    opensAt: 0,
    arrivalsPerHour: 260,
    service: (random) => lognormal(random, 32, 0.5),
    patienceSeconds: 600,
    servicesToBreak: 80,
    breakSeconds: 150,
    dayCurve: [0.15, 0.2, 0.6, 1, 0.9, 0.5, 0.25, 0.2, 0.15, 0.1],
  },
  /** Only for unusual days: so many people that little is chance. */
  hall: {
    tills: 34,
    planned: (hour) => (hour < 10 || hour >= 18 ? 18 : 27),
    opensAt: 15,
    arrivalsPerHour: 1_100,
    service: (random) => (random.chance(0.3) ? lognormal(random, 25, 0.4) : lognormal(random, 75, 0.55)),
    patienceSeconds: 1200,
    servicesToBreak: 70,
    breakSeconds: 300,
  },
};

interface Till {
  readonly speed: number;
  open: boolean;
  /** When its present service, or its break, ends. */
  until: number;
  services: number;
}
export interface Person {
  readonly person: string;
  readonly joined: number;
  readonly givesUp: number;
  readonly work: number;
}
/** A till opens or closes: what nobody tells the predictor. */
export interface TillChange {
  readonly at: number;
  readonly till: string;
  readonly isOpen: boolean;
}

/** A time in which a shop is not as usual, in seconds from the first day: so many times the people or the seconds of a service. */
export interface Change {
  readonly what: 'arrivals' | 'services';
  readonly from: number;
  readonly to: number;
  readonly times: number;
}

/** A log of a made-up shop: one line, cashiers who come and go, take breaks and step up, people who give up. The same for the same seed. */
export function simulateShop(
  kind: keyof typeof SHOPS,
  seed: number,
  days: number,
  { changes = [], firstDay = 0 }: { changes?: readonly Change[]; firstDay?: number } = {},
): { readonly visits: LoggedVisit[]; readonly tills: TillChange[] } {
  const shop = SHOPS[kind];
  const visits: LoggedVisit[] = [];
  const opened: TillChange[] = [];
  for (let day = firstDay; day < firstDay + days; day++)
    simulateDay(
      shop,
      day,
      createRandom(seed, Object.keys(SHOPS).indexOf(kind), day),
      visits,
      opened,
      changes,
    );
  return {
    visits: visits.sort((a, b) => a.joinedAt! - b.joinedAt!),
    tills: opened.sort((a, b) => a.at - b.at),
  };
}

const levelOf = (day: number, random: Random): number => WEEK_CURVE[day % 7]! * lognormal(random, 1, 0.1);
const shareAt = (shop: Shop, hour: number): number => (shop.dayCurve ?? DAY_CURVE)[hour - OPENS_HOUR] ?? 0;

/** People who are expected in each quarter of an hour of a day: what only this file knows. @param random as for `arrivalsOf` */
export function expectedOf(shop: Shop, day: number, random: Random): number[] {
  const most = (shop.arrivalsPerHour / 4) * levelOf(day, random);
  return Array.from({ length: 96 }, (_, quarter) => most * shareAt(shop, Math.floor(quarter / 4)));
}

export function arrivalsOf(shop: Shop, day: number, random: Random): Person[] {
  const level = levelOf(day, random);
  const people: Person[] = [];
  const most = (shop.arrivalsPerHour / 3600) * level;
  let at = OPENS_HOUR * 3600;
  for (;;) {
    at += exponential(random, 1 / most);
    if (at >= CLOSES_HOUR * 3600) return people;
    if (!random.chance(shareAt(shop, Math.floor(at / 3600)))) continue;
    const joined = round(day * DAY_SECONDS + at);
    people.push({
      person: `${day + 1}-${people.length + 1}`,
      joined,
      givesUp: joined + exponential(random, shop.patienceSeconds),
      work: shop.service(random),
    });
  }
}

/** Fewer of the people, or some of those of another day like it besides. */
function changedArrivals(
  shop: Shop,
  day: number,
  random: Random,
  changes: readonly Change[],
): readonly Person[] {
  let people = arrivalsOf(shop, day, random);
  for (const { what, from, to, times } of changes) {
    if (what !== 'arrivals' || Math.floor(from / DAY_SECONDS) !== day) continue;
    const isIn = ({ joined }: Person) => joined >= from && joined < to;
    const luck = createRandom(from, day, 7);
    if (times < 1) people = people.filter((one) => !isIn(one) || luck.chance(times));
    else {
      const others = arrivalsOf(shop, day, luck).filter((one) => isIn(one) && luck.chance(times - 1));
      people = [...people, ...others.map((one) => ({ ...one, person: `${one.person}b` }))].sort(
        (a, b) => a.joined - b.joined,
      );
    }
  }
  return people;
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

function simulateDay(
  shop: Shop,
  day: number,
  random: Random,
  visits: LoggedVisit[],
  opened: TillChange[],
  changes: readonly Change[],
): void {
  const people = changedArrivals(shop, day, random, changes);
  const slower = (at: number) =>
    changes.find(({ what, from, to }) => what === 'services' && at >= from && at < to)?.times ?? 1;
  const tills = Array.from(
    { length: shop.tills },
    (): Till => ({
      speed: lognormal(random, 1, 0.15),
      open: false,
      until: 0,
      services: 0,
    }),
  );
  const line: Person[] = [];
  let next = 0;
  let calledAt = Number.NaN;
  let calmSince = Number.NaN;
  const start = day * DAY_SECONDS + OPENS_HOUR * 3600;
  const tell = (at: number, till: number): void => {
    opened.push({ at, till: `till-${till + 1}`, isOpen: tills[till]!.open });
  };
  // Seconds are exact enough: a day is played second by second, and the moments within a second are kept.
  for (let now = start; next < people.length || line.length > 0; now++) {
    const hour = (now % 86_400) / 3600;
    const planned = Math.max(1, shop.planned(hour));
    const open = tills.filter((till) => till.open).length;
    const closed = tills.findIndex((till) => !till.open && till.until <= now);
    if (shop.opensAt > 0 && line.length >= shop.opensAt && open < shop.tills) {
      if (Number.isNaN(calledAt)) calledAt = now;
    } else calledAt = Number.NaN;
    if (closed >= 0 && (open < planned || now - calledAt >= 60)) {
      tills[closed]!.open = true;
      tills[closed]!.until = now + random.between(2, 8);
      calledAt = Number.NaN;
      tell(now, closed);
    }
    calmSince = line.length === 0 ? (Number.isNaN(calmSince) ? now : calmSince) : Number.NaN;
    if (open > planned && (now - calmSince >= 90 || hour >= CLOSES_HOUR)) {
      const idle = tills.findIndex((till) => till.open && till.until <= now);
      if (idle >= 0) {
        tills[idle]!.open = false;
        calmSince = now;
        tell(now, idle);
      }
    }
    while (next < people.length && people[next]!.joined < now + 1) line.push(people[next++]!);
    for (let at = line.length - 1; at >= 0; at--) {
      const { person, joined, givesUp } = line[at]!;
      if (givesUp >= now) continue;
      line.splice(at, 1);
      visits.push({
        person,
        joinedAt: joined,
        leftAt: round(givesUp),
        startedAt: null,
        endedAt: null,
        till: null,
      });
    }
    for (const [number, till] of tills.entries()) {
      if (!till.open || till.until > now) continue;
      if (till.services >= shop.servicesToBreak * 0.5 && random.chance(1 / (shop.servicesToBreak * 60))) {
        till.services = 0;
        till.open = false;
        till.until = now + lognormal(random, shop.breakSeconds, 0.4);
        tell(now, number);
        continue;
      }
      const first = line.shift();
      if (!first) continue;
      const startedAt = round(Math.max(first.joined, now));
      const endedAt = round(startedAt + first.work * till.speed * slower(startedAt));
      visits.push({
        person: first.person,
        joinedAt: first.joined,
        leftAt: startedAt,
        startedAt,
        endedAt,
        till: `till-${number + 1}`,
      });
      till.until = endedAt + random.between(2, 8);
      till.services += 1;
      if (till.services >= shop.servicesToBreak * lognormal(random, 1, 0.2)) {
        till.services = 0;
        till.open = false;
        till.until = endedAt + lognormal(random, shop.breakSeconds, 0.4);
        tell(endedAt, number);
      }
    }
  }
}
