import type { OccupancyMinute } from '../../metrics/occupancy.ts';
import type { SceneRecords } from '../../metrics/recorder.store.ts';
import type { Recorded, RollingRow, SnapshotRow } from '../../metrics/recorder.ts';
import type { Said } from '../../metrics/waits/line-waits.ts';
import type { Visit } from '../../vision/types.ts';

/** Rows of each kind that wait at most: the snapshots of a day. The oldest are dropped first. */
const MAX_WAITING = 10_000;

interface Rows {
  /** By number: a visit that changes again is stored once, in its newest form. */
  readonly visits: Map<number, Visit>;
  readonly minutes: Map<number, OccupancyMinute>;
  readonly snapshots: SnapshotRow[];
  readonly rolling: RollingRow[];
  readonly said: Said[];
}

/** What one write stores. */
interface Batch {
  readonly rows: Rows;
  readonly checkpoint: string | null;
  readonly watchedMs: number;
}

const noRows = (): Rows => ({ visits: new Map(), minutes: new Map(), snapshots: [], rolling: [], said: [] });

/** The rows, the checkpoint and the time with frames of a run that are not in the database yet. */
export class UnstoredRecords {
  /** JSON; null before the first checkpoint. */
  checkpoint: string | null;
  /** Time with frames since this node started the run. */
  watchedMs = 0;
  #rows = noRows();
  #stored: Omit<Batch, 'rows'>;
  /** A write that has not succeeded: its rows are part of the next write. */
  #inFlight: Batch | null = null;

  constructor(checkpoint: string | null) {
    this.checkpoint = checkpoint;
    this.#stored = { checkpoint, watchedMs: 0 };
  }

  get isWriting(): boolean {
    return this.#inFlight !== null;
  }

  add(
    { snapshot, rolling }: Pick<Recorded, 'snapshot' | 'rolling'>,
    { visits, said }: Pick<SceneRecords, 'visits' | 'said'>,
  ): void {
    for (const visit of visits) this.#rows.visits.set(visit.id, visit);
    if (snapshot) this.#rows.snapshots.push(snapshot);
    this.#rows.rolling.push(...rolling);
    this.#rows.said.push(...said);
    dropOldest(this.#rows);
  }

  addMinutes(minutes: readonly OccupancyMinute[]): void {
    for (const minute of minutes) this.#rows.minutes.set(minute.minuteMs, minute);
  }

  /** @returns what is not stored; the checkpoint is null when it has not changed */
  take() {
    const { checkpoint, watchedMs } = this;
    const rows = this.#inFlight ? merged(this.#inFlight.rows, this.#rows) : this.#rows;
    this.#inFlight = { rows, checkpoint, watchedMs };
    this.#rows = noRows();
    return {
      visits: [...rows.visits.values()],
      minutes: [...rows.minutes.values()],
      snapshots: rows.snapshots,
      rolling: rows.rolling,
      said: rows.said,
      checkpoint: checkpoint === this.#stored.checkpoint ? null : checkpoint,
      watchedMs: watchedMs - this.#stored.watchedMs,
    };
  }

  /** What the last `take` returned is in the database. */
  stored(): void {
    if (this.#inFlight) this.#stored = this.#inFlight;
    this.#inFlight = null;
  }
}

function merged(older: Rows, newer: Rows): Rows {
  const rows = {
    visits: new Map([...older.visits, ...newer.visits]),
    minutes: new Map([...older.minutes, ...newer.minutes]),
    snapshots: [...older.snapshots, ...newer.snapshots],
    rolling: [...older.rolling, ...newer.rolling],
    said: [...older.said, ...newer.said],
  };
  dropOldest(rows);
  return rows;
}

function dropOldest({ visits, minutes, snapshots, rolling, said }: Rows): void {
  for (const rows of [visits, minutes]) {
    for (const oldest of rows.keys()) {
      if (rows.size <= MAX_WAITING) break;
      rows.delete(oldest);
    }
  }
  for (const rows of [snapshots, rolling, said]) rows.splice(0, Math.max(0, rows.length - MAX_WAITING));
}
