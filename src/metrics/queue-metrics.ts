import { FRAME_GAP_MS } from '../vision/moment.ts';
import type { QueueZones, Visit } from '../vision/types.ts';
import { isServed, isWaiting } from '../vision/zones/visit-states.ts';
import { currentMetrics } from './current.ts';
import { onlyMeasured } from './measured.ts';
import { LONGEST_WINDOW_MS, type Metrics, WINDOWS, type WindowMetrics } from './metrics.ts';
import { Occupancy, type OccupancyMinute } from './occupancy.ts';
import { addClosedVisit, noTotals, type QueueTotals, totalMetrics } from './totals.ts';
import { windowMetrics } from './window.ts';

/** One frame's news. */
export interface QueueObservation {
  readonly timeMs: number;
  /** Visits this frame changed. */
  readonly changes: readonly Visit[];
  /** Every open visit after it. */
  readonly openVisits: readonly Visit[];
}

/** What the database keeps of a scene, enough to go on after a restart or a move. */
export interface StoredMetrics {
  /** Open ones, and those that arrived or were decided in the last hour; none that were discarded. */
  readonly visits: readonly Visit[];
  readonly minutes: readonly OccupancyMinute[];
  readonly totals: QueueTotals;
  readonly nowMs: number;
}

/** More visits an hour than any camera sees; the oldest go first. */
const MOST_VISITS = 20_000;
const RATE_WINDOW_MS = 15 * 60_000;

/**
 * Visits → numbers. Time is the frames' time. A visit counts where its outcome was decided, an arrival where it was
 * confirmed; windows are half-open `[start, end)`. Holds one hour, whatever happens.
 */
export class QueueMetrics {
  readonly #zones: QueueZones;
  readonly #occupancy = new Occupancy();
  readonly #totals: QueueTotals;
  #closed: Visit[] = [];
  #arrivalsMs: number[] = [];
  #open: readonly Visit[] = [];
  #lastFrameMs: number | null = null;
  #heldUntilMs = 0;

  constructor({ zones, stored }: { zones: QueueZones; stored?: StoredMetrics }) {
    this.#zones = zones;
    this.#totals = stored ? structuredClone(stored.totals) : noTotals();
    if (stored) this.#restore(stored);
  }

  /** Goes on from what was stored. */
  static rebuild(zones: QueueZones, stored: StoredMetrics): QueueMetrics {
    return new QueueMetrics({ zones, stored });
  }

  /** Takes a frame's news. */
  observe({ timeMs, changes, openVisits }: QueueObservation): void {
    if (this.#lastFrameMs !== null && timeMs - this.#lastFrameMs <= FRAME_GAP_MS) this.hold(timeMs);
    this.#lastFrameMs = Math.max(timeMs, this.#lastFrameMs ?? timeMs);
    this.#heldUntilMs = this.#lastFrameMs;
    for (const visit of changes) this.#count(visit, timeMs);
    this.#open = openVisits;
    this.#forget(timeMs);
  }

  /** Counts the state of the last frame as lasting until `timeMs`, up to which a next frame is known to follow it. */
  hold(timeMs: number): void {
    if (this.#lastFrameMs === null || timeMs <= this.#heldUntilMs) return;
    const inQueue = this.#open.filter(isWaiting).length;
    const inService = this.#open.filter(isServed).length;
    this.#occupancy.hold({ inQueue, inService }, this.#heldUntilMs, timeMs);
    this.#heldUntilMs = timeMs;
  }

  /** The numbers at a time not before the last frame; null where the scene's zones cannot measure them. */
  at(timeMs: number): Metrics {
    const [rolling5Min, rolling15Min, rolling30Min, rolling60Min] = WINDOWS.map(({ lengthMs }) =>
      this.#window(timeMs, lengthMs),
    ) as [WindowMetrics, WindowMetrics, WindowMetrics, WindowMetrics];
    const { coveredMs } = this.#occupancy.sum(timeMs - RATE_WINDOW_MS, timeMs);
    const completions = { count: rolling15Min.completed.count, coveredSeconds: coveredMs / 1000 };
    const metrics: Metrics = {
      current: currentMetrics(this.#open, timeMs, completions),
      rolling5Min,
      rolling15Min,
      rolling30Min,
      rolling60Min,
      total: totalMetrics(this.#totals),
    };
    return onlyMeasured(metrics, this.#zones);
  }

  /** Time of the last frame; null before the first. */
  get lastFrameMs(): number | null {
    return this.#lastFrameMs;
  }

  /** The running totals, to be stored in the transaction that stores the visits they count. */
  get totals(): QueueTotals {
    return structuredClone(this.#totals);
  }

  /**
   * The minutes that ended since the last call, each whole: storing one replaces the row of that minute,
   * so that storing it twice changes nothing.
   */
  minuteRows(): readonly OccupancyMinute[] {
    return this.#occupancy.takeFinished();
  }

  /** The minute under way, whole so far, to be stored in the same way at a renewal or a stop. */
  get openMinute(): OccupancyMinute | null {
    return this.#occupancy.unfinished;
  }

  #count(visit: Visit, timeMs: number): void {
    // A visit changes several times, at a stop even twice in one frame; it arrives when it is first heard of.
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
    if (visit.state === 'closed') {
      this.#closed.push(visit);
      addClosedVisit(this.#totals, visit);
    }
  }

  /** Nobody came: it was staff. */
  #takeBackArrival({ arrivalDecidedAtMs }: Visit): void {
    this.#totals.arrivals--;
    const at = this.#arrivalsMs.indexOf(arrivalDecidedAtMs);
    if (at !== -1) this.#arrivalsMs.splice(at, 1);
  }

  /** Entering the queue; entering the checkout where there is no queue zone. */
  #isArrival(visit: Visit): boolean {
    return this.#zones.queueZone ? visit.queueEnteredAtMs !== null : true;
  }

  #window(endMs: number, lengthMs: number): WindowMetrics {
    const startMs = endMs - lengthMs;
    return windowMetrics({
      lengthMs,
      closed: this.#closed.filter(({ outcomeDecidedAtMs }) => outcomeDecidedAtMs! >= startMs),
      arrivals: this.#arrivalsMs.filter((atMs) => atMs >= startMs).length,
      occupancy: this.#occupancy.sum(startMs, endMs),
    });
  }

  #forget(timeMs: number): void {
    const startMs = timeMs - LONGEST_WINDOW_MS;
    const isOld = (atMs: number | null | undefined) => atMs != null && atMs < startMs;
    while (this.#closed.length > MOST_VISITS || isOld(this.#closed[0]?.outcomeDecidedAtMs))
      this.#closed.shift();
    while (this.#arrivalsMs.length > MOST_VISITS || isOld(this.#arrivalsMs[0])) this.#arrivalsMs.shift();
  }

  #restore({ visits, minutes, nowMs }: StoredMetrics): void {
    const byDecision = (a: Visit, b: Visit) => a.outcomeDecidedAtMs! - b.outcomeDecidedAtMs!;
    this.#open = visits.filter(({ state }) => state !== 'closed');
    this.#closed = visits.filter(({ state }) => state === 'closed').sort(byDecision);
    this.#arrivalsMs = visits
      .filter((visit) => this.#isArrival(visit))
      .map(({ arrivalDecidedAtMs }) => arrivalDecidedAtMs)
      .sort((a, b) => a - b);
    this.#occupancy.restore(minutes, nowMs);
    this.#forget(nowMs);
  }
}
