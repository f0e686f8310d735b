import { isDatabaseAway } from '../platform/database-away.ts';
import type { Db } from '../platform/db.ts';
import type { Logger } from '../platform/logger.ts';
import type { ActiveRun } from './active-run.ts';
import { writeRuns } from './run.store.ts';

export interface RunRecorderParts {
  readonly db: Db;
  readonly log: Logger;
  readonly nodeId: string;
  /** The run is another's, or was closed by somebody else. */
  readonly onLost: (run: ActiveRun) => void;
  /** Its end is stored. */
  readonly onEnded: (run: ActiveRun) => void;
  /** Its user or device has no analysis seconds left. */
  readonly onUnpaid: (run: ActiveRun) => void;
}

/**
 * Stores what the runs have made: all in one transaction. While the database is away everything waits in the runs,
 * which are paused before their leases end: so it is never more than a lease's worth.
 */
export class RunRecorder {
  readonly #parts: RunRecorderParts;

  constructor(parts: RunRecorderParts) {
    this.#parts = parts;
  }

  /** @throws Error when the database is away; nothing is lost by it */
  async record(runs: readonly ActiveRun[]): Promise<void> {
    const dirty = runs.filter((run) => run.isDirty);
    try {
      await this.#write(dirty);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // One run's rows are refused: the others must not wait for it for ever.
      for (const run of dirty) await this.#writeAlone(run);
    }
  }

  async #writeAlone(run: ActiveRun): Promise<void> {
    try {
      await this.#write([run]);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
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
}
