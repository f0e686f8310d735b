import type { OccupancyMinute } from '../metrics/occupancy.ts';
import type { Recorded, RollingRow, SnapshotRow } from '../metrics/recorder.ts';
import type { Visit } from '../vision/types.ts';

/** Of each kind the newest so many wait: snapshots of a day, should somebody hold their user's rows for so long. */
const MOST_WAITING = 10_000;

/** Rows that wait to be stored. A visit or minute that changes again waits once, in its newest form. */
export class PendingRecords {
  readonly #visits = new Map<number, Visit>();
  readonly #minutes = new Map<number, OccupancyMinute>();
  readonly #snapshots: SnapshotRow[] = [];
  readonly #rolling: RollingRow[] = [];

  get visits(): readonly Visit[] {
    return [...this.#visits.values()];
  }

  get minutes(): readonly OccupancyMinute[] {
    return [...this.#minutes.values()];
  }

  get snapshots(): readonly SnapshotRow[] {
    return this.#snapshots;
  }

  get rolling(): readonly RollingRow[] {
    return this.#rolling;
  }

  add({ snapshot, rolling }: Pick<Recorded, 'snapshot' | 'rolling'>, changes: readonly Visit[]): void {
    for (const visit of changes) this.#visits.set(visit.id, visit);
    if (snapshot) this.#snapshots.push(snapshot);
    this.#rolling.push(...rolling);
    this.#bound();
  }

  addMinutes(minutes: readonly OccupancyMinute[]): void {
    for (const minute of minutes) this.#minutes.set(minute.minuteMs, minute);
    this.#bound();
  }

  /** These and newer ones together. */
  with(newer: PendingRecords): PendingRecords {
    const both = new PendingRecords();
    for (const records of [this, newer]) {
      both.add({ snapshot: null, rolling: records.rolling }, records.visits);
      both.addMinutes(records.minutes);
      both.#snapshots.push(...records.snapshots);
    }
    both.#bound();
    return both;
  }

  #bound(): void {
    for (const rows of [this.#visits, this.#minutes]) {
      for (const oldest of rows.keys()) {
        if (rows.size <= MOST_WAITING) break;
        rows.delete(oldest);
      }
    }
    for (const rows of [this.#snapshots, this.#rolling])
      rows.splice(0, Math.max(0, rows.length - MOST_WAITING));
  }
}
