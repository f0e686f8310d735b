import {
  CURRENT,
  LONGEST_WINDOW_MS,
  type Metrics,
  ROLLING,
  TOTAL,
  WINDOWS,
} from '../catalogue/metrics/all.ts';
import type { DecidedVisit, LineSigns } from '../catalogue/metrics/counted.ts';
import type { Now } from '../catalogue/metrics/now.ts';
import type { Sums } from '../catalogue/metrics/sums.ts';
import { FRAME_GAP_MS } from '../vision/moment.ts';
import type { TillSecond, TillsUpdate } from '../vision/tills/till-watch.ts';
import type { QueueZones, Visit } from '../vision/types.ts';
import { isServed, isWaiting } from '../vision/zones/visit-states.ts';
import { numbersFor } from './measured-by-zones.ts';
import { Occupancy, type OccupancyMinute } from './occupancy.ts';
import { decided, NO_TIME, timeSums, visitSums } from './sums.ts';
import { heldTills, tillsNow } from './tills/till-numbers.ts';
import { addDecided, addTills, noTotals, type QueueTotals, totalSums } from './totals.ts';
import type { LineWaits } from './waits/line-waits.ts';

/** The changes of one frame. */
export interface QueueObservation {
  readonly timeMs: number;
  /** Visits that this frame changed. */
  readonly changes: readonly Visit[];
  /** All open visits after this frame. */
  readonly openVisits: readonly Visit[];
  /** Those of people who are more likely gone than there: they are not present, but not decided yet. */
  readonly doubtful?: readonly number[] | undefined;
  /** How well the line is seen; left out in a scene without a queue zone. */
  readonly signs?: LineSigns | undefined;
  /** The state of each till, and the seconds that are final; left out in a scene without tills. */
  readonly tills?: TillsUpdate | undefined;
}

/** The stored data of a scene with which metrics continue after a restart or a move. */
export interface StoredMetrics {
  /** Open visits, and visits that arrived or were decided in the last hour. No discarded visits. */
  readonly visits: readonly Visit[];
  readonly minutes: readonly OccupancyMinute[];
  readonly totals: QueueTotals;
  readonly nowMs: number;
  /** Time of the last frame when the next one follows it without a gap, as in a recording; null: it does not. */
  readonly lastFrameMs?: number | null;
}

/** More visits per hour than a camera sees; the oldest are dropped. */
const MOST_VISITS = 20_000;
interface ClosedVisit extends DecidedVisit {
  readonly decidedAtMs: number;
}

/** Of a scene without a queue zone. */
const NO_LINE = { median: null, low: null, high: null, reason: null };

/**
 * Turns visits into metrics. All times are frame times. An ended visit counts when its outcome is decided, an arrival
 * when it is confirmed. Windows are half-open, `[start, end)`. Memory is bounded to one hour.
 */
export class QueueMetrics {
  readonly #zones: QueueZones;
  /** Give the numbers of each group. */
  readonly #read;
  readonly #waits: LineWaits | null;
  readonly #occupancy = new Occupancy();
  readonly #totals: QueueTotals;
  #closed: ClosedVisit[] = [];
  #arrivalsMs: number[] = [];
  #open: readonly Visit[] = [];
  /** The open visits without doubtful ones. */
  #present: readonly Visit[] = [];
  #tills: Now['tills'] = null;
  #signs: LineSigns | undefined;
  #lastFrameMs: number | null = null;
  #heldUntilMs = 0;

  /** @param waits of a scene with a queue zone */
  constructor(parts: { zones: QueueZones; stored?: StoredMetrics; waits?: LineWaits | null }) {
    const { zones, stored, waits = null } = parts;
    this.#zones = zones;
    this.#waits = waits;
    this.#read = {
      current: numbersFor(CURRENT, zones),
      rolling: numbersFor(ROLLING, zones),
      total: numbersFor(TOTAL, zones),
    };
    this.#totals = stored ? structuredClone(stored.totals) : noTotals();
    if (stored) this.#restore(stored);
  }

  /** Continues from stored data. */
  static rebuild(zones: QueueZones, stored: StoredMetrics, waits: LineWaits | null = null): QueueMetrics {
    return new QueueMetrics({ zones, stored, waits });
  }

  /** Takes the changes of a frame. */
  observe({ timeMs, changes, openVisits, doubtful = [], signs, tills }: QueueObservation): void {
    if (this.#lastFrameMs !== null && timeMs - this.#lastFrameMs <= FRAME_GAP_MS) this.hold(timeMs);
    this.#lastFrameMs = Math.max(timeMs, this.#lastFrameMs ?? timeMs);
    this.#heldUntilMs = this.#lastFrameMs;
    for (const visit of changes) this.#count(visit, timeMs);
    this.#open = openVisits;
    this.#present =
      doubtful.length === 0 ? openVisits : openVisits.filter(({ id }) => !doubtful.includes(id));
    this.#signs = signs;
    if (tills) this.#tills = tillsNow(tills.now);
    for (const second of tills?.settled ?? []) this.#occupancy.settle(heldTills(second));
    this.#waits?.observe({ timeMs, changes, tills: tills?.now });
    this.#forget(timeMs);
  }

  /**
   * Counts seconds of tills in their minutes and in the totals. Each may be counted once; store what is counted in the transaction that
   * stores the states.
   */
  countTills(seconds: readonly TillSecond[]): void {
    for (const second of seconds) {
      const tills = heldTills(second);
      this.#occupancy.count(tills);
      addTills(this.#totals, tills);
    }
  }

  /** Lets the state of the last frame last until `timeMs`. Call it only if another frame follows without a gap. */
  hold(timeMs: number): void {
    if (this.#lastFrameMs === null || timeMs <= this.#heldUntilMs) return;
    const inQueue = this.#present.filter(isWaiting).length;
    const inService = this.#present.filter(isServed).length;
    this.#occupancy.hold({ inQueue, inService, signs: this.#signs }, this.#heldUntilMs, timeMs);
    this.#heldUntilMs = timeMs;
  }

  /** The metrics at a time that is not before the last frame; null where the zones cannot measure them. */
  at(timeMs: number): Metrics {
    const windows = WINDOWS.map(({ name, lengthMs }) => [name, this.#sumsOf(timeMs, lengthMs)] as const);
    const wait = this.#waits?.at(timeMs) ?? NO_LINE;
    const now: Now = {
      waits: this.#present.filter(isWaiting).flatMap((visit) => since(visit.queueEnteredAtMs, timeMs)),
      services: this.#present.filter(isServed).flatMap((visit) => since(visit.serviceStartedAtMs, timeMs)),
      wait,
      tills: this.#tills,
    };
    const total = { ...NO_TIME, ...totalSums(this.#totals) };
    return {
      current: { ...this.#read.current(({ value }) => value(now)), estimatedWaitReason: wait.reason },
      ...Object.fromEntries(
        windows.map(([name, sums]) => [name, this.#read.rolling(({ expression }) => expression.value(sums))]),
      ),
      total: this.#read.total(({ expression }) => expression.value(total)),
    } as unknown as Metrics;
  }

  /** Time of the last frame; null before the first. */
  get lastFrameMs(): number | null {
    return this.#lastFrameMs;
  }

  /** The totals. Store them in the transaction that stores the visits that they count. */
  get totals(): QueueTotals {
    return structuredClone(this.#totals);
  }

  /**
   * The minutes that ended since the last call. Each is complete: storing it replaces the row of that minute, so that
   * storing it twice changes nothing.
   */
  minuteRows(): readonly OccupancyMinute[] {
    return this.#occupancy.takeFinished();
  }

  /** The current minute so far. Store it in the same way when the lease is renewed and when the run stops. */
  get openMinute(): OccupancyMinute | null {
    return this.#occupancy.unfinished;
  }

  #count(visit: Visit, timeMs: number): void {
    // A visit changes several times, at a stop even twice in one frame. It arrives with its first change.
    const isOpen = this.#open.some(({ id }) => id === visit.id);
    if (visit.state === 'discarded') {
      if (isOpen && this.#isArrival(visit)) this.#takeBackArrival(visit);
      return;
    }
    const isNew = visit.arrivalDecidedAtMs === timeMs && !isOpen;
    if (isNew && this.#isArrival(visit)) {
      this.#totals.arrivals++;
      this.#arrivalsMs.push(timeMs);
    }
    for (const closed of closedOf(visit)) {
      this.#closed.push(closed);
      addDecided(this.#totals, closed);
    }
  }

  /** A visit of staff is no arrival. */
  #takeBackArrival({ arrivalDecidedAtMs }: Visit): void {
    this.#totals.arrivals--;
    const at = this.#arrivalsMs.indexOf(arrivalDecidedAtMs);
    if (at !== -1) this.#arrivalsMs.splice(at, 1);
  }

  /** An arrival enters the queue; without a queue zone, the checkout. */
  #isArrival(visit: Visit): boolean {
    return this.#zones.queueZone ? visit.queueEnteredAtMs !== null : true;
  }

  /** What the metrics of one rolling window are made of. */
  #sumsOf(endMs: number, lengthMs: number): Sums {
    const startMs = endMs - lengthMs;
    const closed = this.#closed.filter(({ decidedAtMs }) => decidedAtMs >= startMs);
    const arrivals = this.#arrivalsMs.filter((atMs) => atMs >= startMs).length;
    const occupancy = this.#occupancy.sum(startMs, endMs);
    return { ...visitSums(closed, arrivals), ...timeSums(occupancy, lengthMs) };
  }

  #forget(timeMs: number): void {
    const startMs = timeMs - LONGEST_WINDOW_MS;
    const isOld = (atMs: number | undefined) => atMs !== undefined && atMs < startMs;
    while (this.#closed.length > MOST_VISITS || isOld(this.#closed[0]?.decidedAtMs)) this.#closed.shift();
    while (this.#arrivalsMs.length > MOST_VISITS || isOld(this.#arrivalsMs[0])) this.#arrivalsMs.shift();
  }

  #restore({ visits, minutes, nowMs, lastFrameMs = null }: StoredMetrics): void {
    this.#lastFrameMs = lastFrameMs;
    this.#heldUntilMs = lastFrameMs ?? 0;
    this.#open = visits.filter(({ state }) => state !== 'closed');
    this.#present = this.#open;
    this.#closed = visits.flatMap(closedOf).sort((a, b) => a.decidedAtMs - b.decidedAtMs);
    this.#arrivalsMs = visits
      .filter((visit) => this.#isArrival(visit))
      .map(({ arrivalDecidedAtMs }) => arrivalDecidedAtMs)
      .sort((a, b) => a - b);
    this.#occupancy.restore(minutes, nowMs);
    this.#forget(nowMs);
  }
}

const closedOf = (visit: Visit): ClosedVisit[] =>
  visit.state === 'closed' && visit.outcomeDecidedAtMs !== null
    ? [{ ...decided(visit), decidedAtMs: visit.outcomeDecidedAtMs }]
    : [];

/** In seconds; none of what has not begun. */
const since = (sinceMs: number | null, timeMs: number): number[] =>
  sinceMs === null ? [] : [Math.max(0, timeMs - sinceMs) / 1000];
