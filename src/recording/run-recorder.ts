import { isDatabaseAway, isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db } from '../platform/database/db.ts';
import type { Logger } from '../platform/logger.ts';
import { writeRuns } from '../runs/write-runs.store.ts';
import type { ActiveRun } from './active-run.ts';
import type { UserWriteQueue } from './user-write-queue.ts';

export interface RunRecorderParts {
  readonly db: Db;
  readonly log: Logger;
  readonly nodeId: string;
  readonly turns: UserWriteQueue;
  /** Runs of a user are about to end: what of them has to be written before. */
  readonly beforeEnd: (runs: readonly ActiveRun[]) => Promise<void>;
  /** The run is another's, or was closed by somebody else. */
  readonly onLost: (run: ActiveRun) => void;
  /** Its end is stored. */
  readonly onEnded: (run: ActiveRun) => void;
  /** Its user or device has no analysis seconds left. */
  readonly onUnpaid: (run: ActiveRun) => void;
}

/**
 * Stores what the runs have made, in one transaction for each user. While the database is away everything waits in the
 * runs, which are paused before their leases end. While only rows of a user are held by somebody else, that user's runs
 * go on and their rows wait, so many at most as `PendingRecords` keeps.
 */
export class RunRecorder {
  readonly #parts: RunRecorderParts;
  readonly #writing = new Map<string, Promise<void>>();
  /** Users whose rows are held: said once. */
  readonly #held = new Set<string>();

  constructor(parts: RunRecorderParts) {
    this.#parts = parts;
  }

  /** Of a user who is still being written nothing new is begun. @throws Error when the database is away; nothing is lost by it */
  async record(runs: readonly ActiveRun[]): Promise<void> {
    for (const userId of new Set(runs.map(({ claim }) => claim.userId))) {
      if (this.#writing.has(userId)) continue;
      const own = () => runs.filter((run) => run.claim.userId === userId && run.isDirty);
      if (own().length === 0) continue;
      const writing = this.#parts
        .beforeEnd(own().filter((run) => run.hasEnded))
        .then(() => this.#parts.turns.take(userId, () => this.#recordUser(own())))
        .then(() => this.#noteFree(userId))
        .catch((error: unknown) => this.#noteHeld(userId, error))
        .finally(() => this.#writing.delete(userId));
      this.#writing.set(userId, writing);
    }
    const faults = (await Promise.allSettled(this.#writing.values())).filter(
      (end) => end.status === 'rejected',
    );
    if (faults[0]) throw faults[0].reason;
  }

  async #recordUser(dirty: readonly ActiveRun[]): Promise<void> {
    try {
      await this.#write(dirty);
    } catch (error) {
      if (isDatabaseAway(error) || isDatabaseBusy(error)) throw error;
      // One run's rows are refused: the others must not wait for it for ever.
      for (const run of dirty) await this.#writeAlone(run);
    }
  }

  async #writeAlone(run: ActiveRun): Promise<void> {
    try {
      await this.#write([run]);
    } catch (error) {
      if (isDatabaseAway(error) || isDatabaseBusy(error)) throw error;
      this.#parts.log.error({ err: error, taskId: run.id }, 'records of a run were refused and are left out');
      run.stored();
    }
  }

  async #write(runs: readonly ActiveRun[]): Promise<void> {
    const writes = runs.map((run) => run.takeWrite());
    const { held, unpaid } = await writeRuns(this.#parts.db, this.#parts.nodeId, writes);
    for (const [at, run] of runs.entries()) {
      if (!held.has(run.id)) this.#parts.onLost(run);
      else {
        run.stored(writes[at]);
        if (writes[at]!.end) this.#parts.onEnded(run);
        else if (unpaid.has(run.id)) this.#parts.onUnpaid(run);
      }
    }
  }

  #noteHeld(userId: string, error: unknown): void {
    if (!isDatabaseBusy(error)) throw error;
    if (this.#held.has(userId)) return;
    this.#held.add(userId);
    this.#parts.log.warn(
      { err: error, userId },
      'rows of a user are held by another session: what their runs make waits',
    );
  }

  #noteFree(userId: string): void {
    if (this.#held.delete(userId)) this.#parts.log.info({ userId }, 'the rows of the user are free again');
  }
}
