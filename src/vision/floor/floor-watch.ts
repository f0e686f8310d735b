import { footPoint } from '../geometry.ts';
import type { IdentityUpdate } from '../identity/identity-stage.ts';
import type { Sighting } from '../identity/person.ts';
import { FRAME_GAP_MS, type Moment } from '../moment.ts';
import { FLOOR_CELLS, FLOOR_COLUMNS, FLOOR_ROWS, floorCell } from './grid.ts';

/** What a short time adds to the floor map of one hour. Plain JSON. */
export interface FloorChange {
  /** Start of the UTC hour. */
  readonly hourMs: number;
  /** Time with frames. */
  readonly coveredMs: number;
  /**
   * Four numbers for each cell that changed: the cell, person-milliseconds, and the sum of all movements to the right and
   * down, in picture widths. Negative where people turned out to be staff.
   */
  readonly cells: readonly number[];
}

export interface FloorFrame {
  readonly now: Moment;
  /** The moment of the frame before; null for the first frame. */
  readonly before: Moment | null;
  /** Width over height. */
  readonly aspect: number;
  readonly isStaff: (personId: number) => boolean;
}

const HOUR_MS = 3_600_000;
/** Frame time between two changes of the same hour. */
const CHANGE_MS = 2_000;
/** Cells that are remembered of people who may turn out to be staff. Those of the person seen first are forgotten first. */
const MOST_REMEMBERED = 20_000;
const NO_CHANGES: readonly FloorChange[] = [];

/** The last position of a person. */
interface Stand {
  x: number;
  y: number;
  watchedMs: number;
}

/** The state of a watch, as plain data. */
export interface FloorCheckpoint {
  readonly hourMs: number;
  readonly coveredMs: number;
  /** Null before the first changes. */
  readonly changedMs: number | null;
  /** Of each cell that changed since the last changes: the cell, milliseconds, to the right, down. */
  readonly touched: readonly (readonly [number, number, number, number])[];
  readonly ready: readonly FloorChange[];
  readonly stands: readonly (readonly [personId: number, stand: Stand])[];
  readonly remembered: readonly (readonly [
    personId: number,
    cells: readonly (readonly [key: number, sums: Readonly<Sums>])[],
  ])[];
}

type Sums = [ms: number, right: number, down: number];
/** What one person added, by hour and cell. */
type Remembered = Map<number, Sums>;

/**
 * Adds up where the people of a scene are and how they move. The time between two sightings of a person counts in the
 * cells of the straight line between them. Staff adds nothing; what a person added before being found to be staff is
 * taken back.
 */
export class FloorWatch {
  readonly #hasStaff: boolean;
  /** By cell, since the last changes. */
  readonly #sums = new Map<number, Sums>();
  #hourMs = 0;
  #coveredMs = 0;
  #changedMs = Number.NEGATIVE_INFINITY;
  #ready: FloorChange[] = [];
  readonly #stands = new Map<number, Stand>();
  /** By person. */
  readonly #remembered = new Map<number, Remembered>();
  #rememberedCells = 0;

  /**
   * @param hasStaff whether people may turn out to be staff
   * @param known from `checkpoint()` of an earlier watch, which this one continues without any difference
   */
  constructor(hasStaff: boolean, known: FloorCheckpoint | null = null) {
    this.#hasStaff = hasStaff;
    if (known) this.#restore(known);
  }

  checkpoint(): FloorCheckpoint {
    return {
      ...{ hourMs: this.#hourMs, coveredMs: this.#coveredMs },
      changedMs: Number.isFinite(this.#changedMs) ? this.#changedMs : null,
      touched: [...this.#sums].map(([cell, sums]) => [cell, ...sums]),
      ready: this.#ready,
      stands: [...this.#stands],
      remembered: [...this.#remembered].map(([personId, cells]) => [personId, [...cells]]),
    };
  }

  /** One frame. */
  see({ paths, departed }: IdentityUpdate, { now, before, aspect, isStaff }: FloorFrame): void {
    const hourMs = Math.floor(now.timeMs / HOUR_MS) * HOUR_MS;
    if (hourMs !== this.#hourMs) {
      this.#finish();
      this.#hourMs = hourMs;
    }
    this.#coveredMs += now.watchedMs - (before?.watchedMs ?? now.watchedMs);
    for (const { personId, path } of paths) {
      if (isStaff(personId)) this.#takeBack(personId);
      else for (const sighting of path) this.#step(personId, sighting, aspect);
    }
    for (const { personId } of departed) {
      this.#stands.delete(personId);
      this.#forget(personId);
    }
  }

  /** Nobody who was seen before is recognised again. */
  forgetAll(): void {
    this.#stands.clear();
    this.#remembered.clear();
    this.#rememberedCells = 0;
  }

  /** What was added since the last changes; nothing within two seconds of them. */
  take(timeMs: number): readonly FloorChange[] {
    if (timeMs - this.#changedMs >= CHANGE_MS) {
      this.#changedMs = timeMs;
      this.#finish();
    }
    return this.#takeReady();
  }

  /** Everything that was added since the last changes. */
  takeAll(): readonly FloorChange[] {
    this.#finish();
    return this.#takeReady();
  }

  #restore({ hourMs, coveredMs, changedMs, touched, ready, stands, remembered }: FloorCheckpoint): void {
    this.#hourMs = hourMs;
    this.#coveredMs = coveredMs;
    this.#changedMs = changedMs ?? Number.NEGATIVE_INFINITY;
    for (const [cell, ...sums] of touched) this.#sums.set(cell, sums);
    this.#ready = [...ready];
    for (const [personId, stand] of stands) this.#stands.set(personId, { ...stand });
    for (const [personId, cells] of remembered) {
      this.#remembered.set(personId, new Map(cells.map(([key, sums]) => [key, [...sums]])));
      this.#rememberedCells += cells.length;
    }
  }

  #takeReady(): readonly FloorChange[] {
    if (this.#ready.length === 0) return NO_CHANGES;
    const changes = this.#ready;
    this.#ready = [];
    return changes;
  }

  #step(personId: number, { box, at: { watchedMs } }: Sighting, aspect: number): void {
    const [x, y] = footPoint(box);
    const from = this.#stands.get(personId);
    if (!from) {
      this.#stands.set(personId, { x, y, watchedMs });
      return;
    }
    const elapsedMs = watchedMs - from.watchedMs;
    if (elapsedMs > 0 && elapsedMs <= FRAME_GAP_MS) {
      const [dx, dy] = [x - from.x, y - from.y];
      // A fast person crosses several cells between two frames.
      const parts = Math.max(1, Math.ceil(Math.max(Math.abs(dx) * FLOOR_COLUMNS, Math.abs(dy) * FLOOR_ROWS)));
      for (let part = 0; part < parts; part++) {
        const share = (part + 0.5) / parts;
        const cell = floorCell([from.x + share * dx, from.y + share * dy]);
        if (cell >= 0) this.#add(personId, cell, elapsedMs / parts, dx / parts, dy / aspect / parts);
      }
    }
    from.x = x;
    from.y = y;
    from.watchedMs = watchedMs;
  }

  #add(personId: number, cell: number, ms: number, right: number, down: number): void {
    addTo(this.#sums, cell, ms, right, down);
    if (!this.#hasStaff) return;
    let own = this.#remembered.get(personId);
    if (!own) {
      own = new Map();
      this.#remembered.set(personId, own);
    }
    const key = (this.#hourMs / HOUR_MS) * FLOOR_CELLS + cell;
    if (!addTo(own, key, ms, right, down)) return;
    this.#rememberedCells++;
    if (this.#rememberedCells <= MOST_REMEMBERED) return;
    const [first] = this.#remembered.keys();
    if (first !== undefined) this.#forget(first);
  }

  #takeBack(personId: number): void {
    this.#stands.delete(personId);
    const own = this.#remembered.get(personId);
    if (!own) return;
    this.#forget(personId);
    for (const [key, [ms, right, down]] of own) {
      const cell = key % FLOOR_CELLS;
      const hourMs = ((key - cell) / FLOOR_CELLS) * HOUR_MS;
      if (hourMs === this.#hourMs) addTo(this.#sums, cell, -ms, -right, -down);
      else this.#ready.push({ hourMs, coveredMs: 0, cells: [cell, ...rounded(-ms, -right, -down)] });
    }
  }

  #forget(personId: number): void {
    this.#rememberedCells -= this.#remembered.get(personId)?.size ?? 0;
    this.#remembered.delete(personId);
  }

  #finish(): void {
    if (this.#coveredMs === 0 && this.#sums.size === 0) return;
    const cells: number[] = [];
    for (const [cell, sums] of this.#sums) cells.push(cell, ...rounded(...sums));
    this.#ready.push({ hourMs: this.#hourMs, coveredMs: this.#coveredMs, cells });
    this.#sums.clear();
    this.#coveredMs = 0;
  }
}

/** @returns whether it is the first of its key */
function addTo(to: Map<number, Sums>, key: number, ms: number, right: number, down: number): boolean {
  const known = to.get(key);
  const sums = known ?? [0, 0, 0];
  if (!known) to.set(key, sums);
  sums[0] += ms;
  sums[1] += right;
  sums[2] += down;
  return !known;
}

const MICRO = 1e6;

/** Shorter numbers for the message to the node. */
const rounded = (...[ms, right, down]: Sums): Sums => [
  Math.round(ms * 100) / 100,
  Math.round(right * MICRO) / MICRO,
  Math.round(down * MICRO) / MICRO,
];
