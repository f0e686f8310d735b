import { LONGEST_WINDOW_MS } from '../catalogue/metrics/all.ts';
import { type Held, type HeldTills, TIME_SUMS } from '../catalogue/metrics/counted.ts';
import { TILL_SUM_NAMES, TIME_SUM_NAMES, type TimeSumName } from '../catalogue/metrics/sums.ts';

/** People over a span of frame time, in milliseconds and people × milliseconds. */
export type OccupancySum = Record<TimeSumName | 'coveredMs', number>;

/** The occupancy of one minute, as stored. */
export interface OccupancyMinute extends OccupancySum {
  /** Start of the UTC minute. */
  readonly minuteMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const SECONDS = LONGEST_WINDOW_MS / SECOND_MS + 1;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;
/** Most whole minutes of a window. */
const MINUTES = Math.ceil(LONGEST_WINDOW_MS / MINUTE_MS);
/** Minutes to which the states of tills may still be added: a recording stores many at once. */
const LATE_MINUTES = LONGEST_WINDOW_MS / MINUTE_MS;

/** The tills of a scene in the second that begins at `timeMs`. */
export interface TillsAt extends HeldTills {
  readonly timeMs: number;
}

/** A sum whose parts are found by name. */
const sumOf = (coveredMs: number, numberOf: (name: TimeSumName) => number): OccupancySum => {
  const sum = { coveredMs } as OccupancySum;
  for (const name of TIME_SUM_NAMES) sum[name] = numberOf(name);
  return sum;
};

export const nothing = (): OccupancySum => sumOf(0, () => 0);

/** Adds one span to another. Changes `sum`. */
function add(sum: OccupancySum, more: Readonly<OccupancySum>): void {
  sum.coveredMs += more.coveredMs;
  for (const name of TIME_SUM_NAMES)
    sum[name] = TIME_SUMS[name].fold === 'sum' ? sum[name] + more[name] : Math.max(sum[name], more[name]);
}

/** Integrates people over time: by second for the last hour, by minute for the database. */
export class Occupancy {
  /** A ring of the seconds of the last hour. */
  readonly #seconds: (OccupancySum & { readonly second: number })[] = [];
  /** Sums of whole minutes, each until one of its seconds changes: windows of an hour are summed every second. */
  readonly #minuteSums: ({ readonly minute: number; readonly sum: OccupancySum } | undefined)[] = [];
  #minute: OccupancyMinute | null = null;
  /** Stored minutes that a frame may still belong to: the clock of a new node, or of one that was slow, may be behind. */
  #restored = new Map<number, OccupancyMinute>();
  #finished: OccupancyMinute[] = [];
  /** The last finished ones. */
  readonly #past = new Map<number, OccupancyMinute>();

  /** Counts so many people from one time to another. */
  hold(present: Held, fromMs: number, toMs: number): void {
    for (let at = fromMs; at < toMs; ) {
      const second = Math.floor(at / SECOND_MS);
      const until = Math.min(toMs, (second + 1) * SECOND_MS);
      const heldMs = until - at;
      const held = sumOf(heldMs, (name) => {
        const sum = TIME_SUMS[name];
        if (!('of' in sum)) return 0;
        return sum.fold === 'sum' ? heldMs * sum.of(present) : sum.of(present);
      });
      add(this.#secondAt(second), held);
      add(this.#minuteAt(at), held);
      at = until;
    }
  }

  /** Takes a second of tills into the windows, once or again. */
  settle(tills: TillsAt): void {
    const slot = this.#secondAt(Math.floor(tills.timeMs / SECOND_MS));
    for (const name of TILL_SUM_NAMES) slot[name] = SECOND_MS * TIME_SUMS[name].ofTills(tills);
  }

  /** Counts a second of tills in its minute, once. */
  count(tills: TillsAt): void {
    const minuteMs = Math.floor(tills.timeMs / MINUTE_MS) * MINUTE_MS;
    const minute =
      this.#minute?.minuteMs === minuteMs
        ? this.#minute
        : (this.#past.get(minuteMs) ?? this.#restored.get(minuteMs));
    // A minute without a frame has no known second either.
    if (!minute) return;
    for (const name of TILL_SUM_NAMES) minute[name] += SECOND_MS * TIME_SUMS[name].ofTills(tills);
    if (minute !== this.#minute && !this.#finished.includes(minute)) this.#finished.push(minute);
  }

  /** The sum over the seconds that touch `[startMs, endMs)`; the first second counts whole. */
  sum(startMs: number, endMs: number): OccupancySum {
    const sum = nothing();
    const last = Math.ceil(endMs / SECOND_MS) - 1;
    for (let second = Math.floor(startMs / SECOND_MS); second <= last; ) {
      const isWholeMinute = second % MINUTE_SECONDS === 0 && second + MINUTE_SECONDS - 1 <= last;
      if (isWholeMinute) add(sum, this.#sumOfMinute(second / MINUTE_SECONDS));
      else this.#addSecond(sum, second);
      second += isWholeMinute ? MINUTE_SECONDS : 1;
    }
    return sum;
  }

  #sumOfMinute(minute: number): OccupancySum {
    const known = this.#minuteSums[minute % MINUTES];
    if (known?.minute === minute) return known.sum;
    const sum = nothing();
    for (let at = 0; at < MINUTE_SECONDS; at++) this.#addSecond(sum, minute * MINUTE_SECONDS + at);
    this.#minuteSums[minute % MINUTES] = { minute, sum };
    return sum;
  }

  #addSecond(sum: OccupancySum, second: number): void {
    const seen = this.#seconds[second % SECONDS];
    if (seen?.second === second) add(sum, seen);
  }

  /** The finished minutes since the last call. */
  takeFinished(): readonly OccupancyMinute[] {
    if (this.#finished.length === 0) return [];
    const finished = this.#finished.map((minute) => ({ ...minute }));
    this.#finished = [];
    return finished;
  }

  /** The current minute; null before the first frame. */
  get unfinished(): OccupancyMinute | null {
    return this.#minute && { ...this.#minute };
  }

  /**
   * Restores stored minutes, spread evenly over their seconds. A frame that falls into one of them continues it, so that what was
   * stored of it is never replaced by less.
   */
  restore(minutes: readonly OccupancyMinute[], nowMs: number): void {
    const oldest = Math.floor((nowMs - LONGEST_WINDOW_MS) / SECOND_MS);
    this.#minuteSums.length = 0;
    for (const minute of minutes) {
      this.#restored.set(minute.minuteMs, { ...minute });
      const ageMs = Math.max(nowMs - minute.minuteMs, minute.coveredMs);
      const seconds = Math.max(1, Math.floor(Math.min(ageMs, MINUTE_MS) / SECOND_MS));
      const share = sumOf(minute.coveredMs / seconds, (name) =>
        TIME_SUMS[name].fold === 'sum' ? minute[name] / seconds : minute[name],
      );
      for (let i = 0; i < seconds; i++) {
        const second = minute.minuteMs / SECOND_MS + i;
        if (second >= oldest) this.#seconds[second % SECONDS] = { second, ...share };
      }
      if (Math.floor(nowMs / MINUTE_MS) * MINUTE_MS === minute.minuteMs) this.#minuteAt(nowMs);
    }
  }

  /** The second, which the caller changes. */
  #secondAt(second: number): OccupancySum {
    const minute = Math.floor(second / MINUTE_SECONDS);
    if (this.#minuteSums[minute % MINUTES]?.minute === minute) this.#minuteSums[minute % MINUTES] = undefined;
    const slot = second % SECONDS;
    const known = this.#seconds[slot];
    if (known?.second === second) return known;
    const fresh = { second, ...nothing() };
    // Of states that became final after a long outage.
    if (known === undefined || known.second < second) this.#seconds[slot] = fresh;
    return fresh;
  }

  #minuteAt(timeMs: number): OccupancyMinute {
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    if (this.#minute?.minuteMs === minuteMs) return this.#minute;
    if (this.#minute) {
      this.#finished.push(this.#minute);
      this.#past.set(this.#minute.minuteMs, this.#minute);
      for (const oldest of this.#past.keys()) {
        if (this.#past.size <= LATE_MINUTES) break;
        this.#past.delete(oldest);
      }
      // A bound for callers that never take the minutes.
      if (this.#finished.length > LONGEST_WINDOW_MS / MINUTE_MS) this.#finished.shift();
    }
    this.#minute = this.#restored.get(minuteMs) ?? { minuteMs, ...nothing() };
    this.#restored.delete(minuteMs);
    return this.#minute;
  }
}
