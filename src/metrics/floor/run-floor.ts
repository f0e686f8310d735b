import type { FloorChange } from '../../vision/floor/floor-watch.ts';
import { cellsIn, FLOOR_CELLS } from '../../vision/floor/grid.ts';
import type { Region } from '../../vision/types.ts';
import { addEncoded, encodeCells } from './encode-cells.ts';
import { FloorSums } from './floor-sums.ts';

/** An hour of a scene's floor map, as stored. Storing it replaces its row. */
export interface FloorHour {
  /** Start of the UTC hour. */
  readonly hourMs: number;
  readonly coveredMs: number;
  readonly cells: Uint8Array;
}

/** Frame time after which an hour in progress is stored again. */
const STORE_MS = 15_000;
/** Hours kept: the current one and the one before, from which staff may be taken back. */
const KEPT_HOURS = 2;
/** Hours that wait while the database refuses writes; the oldest are dropped first. */
const MOST_HOURS = 48;

interface Hour {
  coveredMs: number;
  readonly sums: FloorSums;
  /** How long each cell was analysed. */
  readonly analysedMs: Float64Array;
  /** Counts changes. */
  version: number;
  storedVersion: number;
}

/** The floor map of a run: the hours that it adds to, and which of them are to be stored. */
export class RunFloor {
  readonly #hours = new Map<number, Hour>();
  #takenMs = Number.NEGATIVE_INFINITY;
  /** 1 for each cell that is analysed now. */
  #analysed = cellsIn(null);
  /** By hour: the versions that the write under way stores. */
  #inFlight = new Map<number, number>();

  /** @param stored the current hour and the one before, of earlier runs or of this one on another node */
  constructor(stored: readonly FloorHour[] = []) {
    for (const { hourMs, coveredMs, cells } of stored) {
      const sums = new FloorSums();
      const analysed = new Uint8Array(FLOOR_CELLS);
      addEncoded(cells, sums, analysed);
      const analysedMs = Float64Array.from(analysed, (isAnalysed) => isAnalysed * coveredMs);
      this.#hours.set(hourMs, { coveredMs, sums, analysedMs, version: 0, storedVersion: 0 });
    }
  }

  /** What part of the picture the next changes come from; null: all of it. */
  set region(region: Region | null) {
    this.#analysed = cellsIn(region);
  }

  add(changes: readonly FloorChange[]): void {
    for (const { hourMs, coveredMs, cells } of changes) {
      const hour = this.#hourAt(hourMs);
      if (!hour) continue;
      hour.coveredMs += coveredMs;
      hour.sums.add(cells);
      if (coveredMs > 0)
        for (let cell = 0; cell < FLOOR_CELLS; cell++)
          hour.analysedMs[cell]! += coveredMs * this.#analysed[cell]!;
      hour.version++;
    }
  }

  /**
   * The hours to store now. The next call returns them again unless `stored` is called before.
   * @param timeMs of the last frame; null: everything is due
   */
  take(timeMs: number | null): FloorHour[] {
    const isDue = timeMs === null || this.#inFlight.size > 0 || timeMs - this.#takenMs >= STORE_MS;
    if (!isDue) return [];
    if (timeMs !== null) this.#takenMs = timeMs;
    const changed = [...this.#hours].filter(([, { version, storedVersion }]) => version > storedVersion);
    this.#inFlight = new Map(changed.map(([hourMs, { version }]) => [hourMs, version]));
    return changed.map(([hourMs, { coveredMs, sums, analysedMs }]) => ({
      ...{ hourMs, coveredMs: Math.round(coveredMs) },
      cells: encodeCells({ sums, analysed: analysedCells(analysedMs, coveredMs) }),
    }));
  }

  /** What the last `take` returned is in the database. */
  stored(): void {
    for (const [hourMs, version] of this.#inFlight) {
      const hour = this.#hours.get(hourMs);
      if (hour) hour.storedVersion = version;
    }
    this.#inFlight.clear();
    this.#forget();
  }

  /** @returns undefined for an hour that is not kept any more */
  #hourAt(hourMs: number): Hour | undefined {
    const known = this.#hours.get(hourMs);
    if (known || hourMs < Math.max(0, ...this.#hours.keys())) return known;
    const analysedMs = new Float64Array(FLOOR_CELLS);
    const hour: Hour = { coveredMs: 0, sums: new FloorSums(), analysedMs, version: 0, storedVersion: 0 };
    this.#hours.set(hourMs, hour);
    this.#forget();
    return hour;
  }

  #forget(): void {
    const newestFirst = [...this.#hours].sort(([a], [b]) => b - a);
    newestFirst.forEach(([hourMs, { version, storedVersion }], at) => {
      if (at >= MOST_HOURS || (at >= KEPT_HOURS && version === storedVersion)) this.#hours.delete(hourMs);
    });
  }
}

/** The cells that were analysed for most of the time with frames; null: all. */
function analysedCells(analysedMs: Float64Array, coveredMs: number): Uint8Array | null {
  const analysed = Uint8Array.from(analysedMs, (ms) => (2 * ms >= coveredMs ? 1 : 0));
  return analysed.every((isAnalysed) => isAnalysed === 1) ? null : analysed;
}
