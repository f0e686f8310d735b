import { isDatabaseBusy, mayPass } from '../../platform/database/database-away.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Logger } from '../../platform/logger.ts';
import { writeRuns } from '../store/write-runs.store.ts';
import type { ActiveRun } from './active-run.ts';
import { OneWriteEach } from './one-write-each.ts';
import type { UserWriteQueue } from './user-write-queue.ts';

export interface RunRecorderParts {
  readonly db: Db;
  readonly log: Logger;
  readonly nodeId: string;
  readonly userWrites: UserWriteQueue;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Called before the end of these runs is stored. */
  readonly beforeEnd: (runs: readonly ActiveRun[]) => Promise<void>;
  /** The run belongs to another node, or the API has closed it. */
  readonly onLost: (run: ActiveRun) => void;
  /** The end of the run is stored. */
  readonly onEnded: (run: ActiveRun) => void;
  /** The user or the device has no analysis seconds left. */
  readonly onUnpaid: (run: ActiveRun) => void;
  /** The batches of a recording up to this one are stored. */
  readonly onBatchStored: (run: ActiveRun, batch: number) => void;
}

/**
 * Stores the records of runs, in one transaction for each user. While the database does not answer, the records wait in
 * the runs, which are paused before their leases end. While another session has locked rows of a user, the runs of this
 * user go on and their records wait, up to the limit of `UnstoredRecords`.
 */
export class RunRecorder {
  readonly #parts: RunRecorderParts;
  readonly #writes = new OneWriteEach();
  /** Users whose locked rows are in the log already. */
  readonly #lockedUsers = new Set<string>();

  constructor(parts: RunRecorderParts) {
    this.#parts = parts;
  }

  /** @throws Error when the database does not answer; no record is lost */
  record(runs: readonly ActiveRun[]): Promise<void> {
    const unstored = () => runs.filter((run) => run.isDirty);
    const userIds = new Set(unstored().map(({ claim }) => claim.userId));
    return this.#writes.start(userIds, async (userId) => {
      const own = () => unstored().filter(({ claim }) => claim.userId === userId);
      try {
        await this.#parts.beforeEnd(own().filter((run) => run.hasEnded));
        await this.#parts.userWrites.add(userId, () => this.#recordUser(own()));
        if (this.#lockedUsers.delete(userId))
          this.#parts.log.info({ userId }, 'the rows of the user are no longer locked');
      } catch (error) {
        this.#logLocked(userId, error);
      }
    });
  }

  async #recordUser(runs: readonly ActiveRun[]): Promise<void> {
    try {
      await this.#write(runs);
    } catch (error) {
      if (mayPass(error)) throw error;
      // The database refuses the rows of one run: the other runs are stored without it.
      for (const run of runs) await this.#writeAlone(run);
    }
  }

  async #writeAlone(run: ActiveRun): Promise<void> {
    try {
      await this.#write([run]);
    } catch (error) {
      if (mayPass(error)) throw error;
      this.#parts.log.error({ err: error, taskId: run.id }, 'records of a run were refused and are left out');
      run.stored();
    }
  }

  async #write(runs: readonly ActiveRun[]): Promise<void> {
    const taken = runs.map((run) => ({ run, write: run.takeWrite(this.#parts.now()) }));
    const writes = taken.map(({ write }) => write);
    const { held, unpaid, left } = await writeRuns(this.#parts.db, this.#parts.nodeId, writes);
    for (const { run, write } of taken) {
      if (!held.has(run.id)) this.#parts.onLost(run);
      else {
        run.stored(write, left.get(run.claim.sceneId));
        if (run.isRecording) this.#parts.onBatchStored(run, write.batch);
        if (write.end) this.#parts.onEnded(run);
        else if (unpaid.has(run.id)) this.#parts.onUnpaid(run);
      }
    }
  }

  #logLocked(userId: string, error: unknown): void {
    if (!isDatabaseBusy(error)) throw error;
    if (this.#lockedUsers.has(userId)) return;
    this.#lockedUsers.add(userId);
    this.#parts.log.warn(
      { err: error, userId },
      'another session has locked rows of the user: the records of the user’s runs wait',
    );
  }
}
