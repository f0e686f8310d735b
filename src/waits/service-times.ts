const HELD = 2048;
/** As many services weigh as much as the whole for a till, an hour or a weekday. */
const SHRINK = { till: 12, hour: 40, weekday: 80 };
/** After so many services the older ones weigh half: a new cashier at an old till is learned. */
const FADE_AFTER = 400;
/** The level of today forgets with this many services. */
const TODAY_SERVICES = 60;
/** Half of today's level is luck. */
const TODAY_WEIGHT = 0.5;
/** Services are sorted again after so many new ones. */
const SORT_EVERY = 64;

/** Local hour (0-23) and weekday (0-6) of a moment; only that weekdays differ matters, not which is the first. */
export type LocalTime = (at: number) => { readonly hour: number; readonly weekday: number };

export const plainTime: LocalTime = (at) => ({
  hour: Math.floor(at / 3600) % 24,
  weekday: Math.floor(at / 86_400) % 7,
});

/** A mean of logarithms that shrinks towards 0. */
class Level {
  private sum = 0;
  private count = 0;

  private readonly shrink: number;

  constructor(shrink: number) {
    this.shrink = shrink;
  }

  add(value: number): void {
    if (this.count >= FADE_AFTER) {
      this.sum *= 0.5;
      this.count *= 0.5;
    }
    this.sum += value;
    this.count += 1;
  }

  get value(): number {
    return this.sum / (this.count + this.shrink);
  }
}

class Levels {
  private readonly levels = new Map<number, Level>();
  private readonly shrink: number;

  constructor(shrink: number) {
    this.shrink = shrink;
  }

  of(key: number): Level {
    const level = this.levels.get(key) ?? new Level(this.shrink);
    this.levels.set(key, level);
    return level;
  }

  /** As the whole, where nothing was seen. */
  value(key: number): number {
    return this.levels.get(key)?.value ?? 0;
  }

  clear(): void {
    this.levels.clear();
  }
}

/**
 * How long services take. The last ones are kept as they were, so that several kinds of service and heavy tails stay what they are,
 * each divided by the levels of its till, hour and weekday.
 */
export class ServiceTimes {
  /** Services that were ever added. */
  count = 0;
  private readonly ring = new Float64Array(HELD);
  private sorted = new Float64Array(0);
  private unsorted = 0;
  private meanLog = 0;
  private today = 0;
  private readonly tills = new Levels(SHRINK.till);
  private readonly hours = new Levels(SHRINK.hour);
  private readonly weekdays = new Levels(SHRINK.weekday);

  private readonly local: LocalTime;

  constructor(local: LocalTime) {
    this.local = local;
  }

  add(seconds: number, till: number, at: number): void {
    const held = Math.min(this.count + 1, HELD);
    const log = Math.log(Math.max(seconds, 1));
    this.meanLog += (log - this.meanLog) / held;
    const { hour, weekday } = this.local(at);
    const levels = [this.tills.of(till), this.hours.of(hour), this.weekdays.of(weekday)];
    const known = levels.reduce((sum, level) => sum + level.value, 0);
    const rest = log - this.meanLog - known;
    this.today += (rest - this.today) / TODAY_SERVICES;
    this.ring[this.count % HELD] = seconds / Math.exp(known);
    this.count += 1;
    for (const level of levels) level.add(rest + level.value);
    this.unsorted += 1;
    if (held < SORT_EVERY * 4 || this.unsorted >= SORT_EVERY) {
      this.sorted = this.ring.slice(0, held).sort();
      this.unsorted = 0;
    }
  }

  forgetTills(): void {
    this.tills.clear();
  }

  /** By how much longer than usual services take at this till and time. */
  factor(till: number, at: number): number {
    const { hour, weekday } = this.local(at);
    const known = this.tills.value(till) + this.hours.value(hour) + this.weekdays.value(weekday);
    return Math.exp(known + this.today * TODAY_WEIGHT);
  }

  /** Seconds that are left of a service that has taken `elapsed`, at luck `u`. */
  rest(elapsed: number, factor: number, u: number): number {
    const { sorted } = this;
    const own = elapsed / factor;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! <= own) low = middle + 1;
      else high = middle;
    }
    const longer = sorted.length - low;
    // Of what was hardly ever seen, the longer it has lasted the longer it will last.
    if (longer < 3) return elapsed * 0.3 * (1 / Math.sqrt(1 - u * 0.99) - 0.9);
    const place = Math.max(low, low + u * longer - 0.5);
    const at = Math.min(Math.floor(place), sorted.length - 1);
    const above = Math.min(at + 1, sorted.length - 1);
    const below = sorted[at]!;
    const seconds = below + (sorted[above]! - below) * (place - at);
    return Math.max(0, seconds - own) * factor;
  }
}
