import { LONGEST_WINDOW_MS } from './metrics.ts';

/** The occupancy of one minute, as stored. Milliseconds of frame time, and people × milliseconds. */
export interface OccupancyMinute {
  /** Start of the UTC minute. */
  readonly minuteMs: number;
  /** Time with frames. */
  coveredMs: number;
  inQueueMs: number;
  inServiceMs: number;
  /** Time with at least one person in service. */
  busyMs: number;
  maxInQueue: number;
  maxInService: number;
}

export interface OccupancySum {
  readonly coveredMs: number;
  readonly inQueueMs: number;
  readonly inServiceMs: number;
  readonly busyMs: number;
  readonly maxInQueue: number;
}

interface Occupied {
  readonly inQueue: number;
  readonly inService: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const SECONDS = LONGEST_WINDOW_MS / SECOND_MS + 1;

/** Integrates people over time: by second for the last hour, by minute for the database. */
export class Occupancy {
  /** The second that each slot has now; slots are reused after an hour. */
  readonly #second = new Float64Array(SECONDS).fill(-1);
  readonly #coveredMs = new Float64Array(SECONDS);
  readonly #inQueueMs = new Float64Array(SECONDS);
  readonly #inServiceMs = new Float64Array(SECONDS);
  readonly #busyMs = new Float64Array(SECONDS);
  readonly #maxInQueue = new Uint32Array(SECONDS);
  #minute: OccupancyMinute | null = null;
  #finished: OccupancyMinute[] = [];

  /** Counts so many people from one time to another. */
  hold({ inQueue, inService }: Occupied, fromMs: number, toMs: number): void {
    let at = fromMs;
    while (at < toMs) {
      const second = Math.floor(at / SECOND_MS);
      const until = Math.min(toMs, (second + 1) * SECOND_MS);
      const heldMs = until - at;
      const slot = this.#slot(second);
      this.#coveredMs[slot]! += heldMs;
      this.#inQueueMs[slot]! += heldMs * inQueue;
      this.#inServiceMs[slot]! += heldMs * inService;
      if (inService > 0) this.#busyMs[slot]! += heldMs;
      this.#maxInQueue[slot] = Math.max(this.#maxInQueue[slot]!, inQueue);
      const minute = this.#minuteAt(at);
      minute.coveredMs += heldMs;
      minute.inQueueMs += heldMs * inQueue;
      minute.inServiceMs += heldMs * inService;
      if (inService > 0) minute.busyMs += heldMs;
      minute.maxInQueue = Math.max(minute.maxInQueue, inQueue);
      minute.maxInService = Math.max(minute.maxInService, inService);
      at = until;
    }
  }

  /** The sum over the seconds that touch `[startMs, endMs)`; the first second counts whole. */
  sum(startMs: number, endMs: number): OccupancySum {
    const sum = { coveredMs: 0, inQueueMs: 0, inServiceMs: 0, busyMs: 0, maxInQueue: 0 };
    const last = Math.ceil(endMs / SECOND_MS) - 1;
    for (let second = Math.floor(startMs / SECOND_MS); second <= last; second++) {
      const slot = second % SECONDS;
      if (this.#second[slot] !== second) continue;
      sum.coveredMs += this.#coveredMs[slot]!;
      sum.inQueueMs += this.#inQueueMs[slot]!;
      sum.inServiceMs += this.#inServiceMs[slot]!;
      sum.busyMs += this.#busyMs[slot]!;
      sum.maxInQueue = Math.max(sum.maxInQueue, this.#maxInQueue[slot]!);
    }
    return sum;
  }

  /** The finished minutes since the last call. */
  takeFinished(): readonly OccupancyMinute[] {
    const finished = this.#finished;
    if (finished.length > 0) this.#finished = [];
    return finished;
  }

  /** The current minute; null before the first frame. */
  get unfinished(): OccupancyMinute | null {
    return this.#minute && { ...this.#minute };
  }

  /** Restores stored minutes, spread evenly over their seconds. The current minute continues. */
  restore(minutes: readonly OccupancyMinute[], nowMs: number): void {
    const oldest = Math.floor((nowMs - LONGEST_WINDOW_MS) / SECOND_MS);
    for (const minute of minutes) {
      const ageMs = nowMs - minute.minuteMs;
      if (ageMs < 0) continue;
      const seconds = Math.max(1, Math.floor(Math.min(ageMs, MINUTE_MS) / SECOND_MS));
      for (let i = 0; i < seconds; i++) {
        const second = minute.minuteMs / SECOND_MS + i;
        if (second < oldest) continue;
        const slot = this.#slot(second);
        this.#coveredMs[slot] = minute.coveredMs / seconds;
        this.#inQueueMs[slot] = minute.inQueueMs / seconds;
        this.#inServiceMs[slot] = minute.inServiceMs / seconds;
        this.#busyMs[slot] = minute.busyMs / seconds;
        this.#maxInQueue[slot] = minute.maxInQueue;
      }
      if (ageMs < MINUTE_MS) this.#minute = { ...minute };
    }
  }

  #slot(second: number): number {
    const slot = second % SECONDS;
    if (this.#second[slot] !== second) {
      this.#second[slot] = second;
      this.#coveredMs[slot] = 0;
      this.#inQueueMs[slot] = 0;
      this.#inServiceMs[slot] = 0;
      this.#busyMs[slot] = 0;
      this.#maxInQueue[slot] = 0;
    }
    return slot;
  }

  #minuteAt(timeMs: number): OccupancyMinute {
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    if (this.#minute?.minuteMs === minuteMs) return this.#minute;
    if (this.#minute) {
      this.#finished.push(this.#minute);
      // A bound for callers that never take the minutes.
      if (this.#finished.length > LONGEST_WINDOW_MS / MINUTE_MS) this.#finished.shift();
    }
    this.#minute = {
      minuteMs,
      coveredMs: 0,
      inQueueMs: 0,
      inServiceMs: 0,
      busyMs: 0,
      maxInQueue: 0,
      maxInService: 0,
    };
    return this.#minute;
  }
}
