import type { Capture } from '../../attributes/capture.ts';
import { recordCapture } from '../../attributes/record-capture.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseBusy, mayPass } from '../../platform/database/database-away.ts';
import type { ClaimedRun } from '../../runs/claim-runs.store.ts';
import { holdRun } from '../../runs/write-runs.store.ts';
import type { ActiveRun } from '../active-run.ts';
import type { UserWriteQueue } from '../user-write-queue.ts';

/** Captures of one run that wait, at most: ten minutes of it. */
const MOST_WAITING = 60;

/** Stores the periodic captures of the runs a node holds, each in a transaction of its own. */
export class CaptureRecorder {
  readonly #context: Pick<Context, 'db' | 'logger'>;
  readonly #nodeId: string;
  readonly #turns: UserWriteQueue;
  readonly #storing = new Map<string, Promise<void>>();
  #waiting: { readonly run: ClaimedRun; readonly capture: Capture }[] = [];

  constructor(context: Pick<Context, 'db' | 'logger'>, nodeId: string, turns: UserWriteQueue) {
    this.#context = context;
    this.#nodeId = nodeId;
    this.#turns = turns;
  }

  /** What is due of a run. */
  take({ people, claim: run }: Pick<ActiveRun, 'people' | 'claim'>): void {
    const capture = people.take();
    if (!capture) return;
    this.#waiting.push({ run, capture });
    const own = this.#waiting.filter((waiting) => waiting.run.id === run.id);
    if (own.length > MOST_WAITING) this.#waiting = this.#waiting.filter((waiting) => waiting !== own[0]);
  }

  forget(runId: string): void {
    this.#waiting = this.#waiting.filter(({ run }) => run.id !== runId);
  }

  /** @throws Error when the database is away; they wait then, and so do those of a user whose rows are held */
  async store(): Promise<void> {
    for (const userId of new Set(this.#waiting.map(({ run }) => run.userId))) {
      if (this.#storing.has(userId)) continue;
      const storing = this.#turns
        .take(userId, () => this.#storeOf(userId))
        .catch((error: unknown) => {
          if (!isDatabaseBusy(error)) throw error;
        })
        .finally(() => this.#storing.delete(userId));
      this.#storing.set(userId, storing);
    }
    const faults = (await Promise.allSettled(this.#storing.values())).filter(
      (end) => end.status === 'rejected',
    );
    if (faults[0]) throw faults[0].reason;
  }

  async #storeOf(userId: string): Promise<void> {
    const first = () => this.#waiting.find(({ run }) => run.userId === userId);
    for (let next = first(); next; next = first()) {
      try {
        await this.#record(next.run, next.capture);
      } catch (error) {
        if (mayPass(error)) throw error;
        this.#context.logger.error({ err: error, taskId: next.run.id }, 'a capture was refused: left out');
      }
      const stored = next;
      this.#waiting = this.#waiting.filter((waiting) => waiting !== stored);
    }
  }

  async #record(run: ClaimedRun, capture: Capture): Promise<void> {
    const { userId, deviceId, sceneId, id: taskId } = run;
    const place = { userId, deviceId, sceneId, taskId, computeNodeId: this.#nodeId };
    await this.#context.db.$transaction(async (tx) => {
      if (await holdRun(tx, this.#nodeId, run)) await recordCapture(tx, place, capture);
    });
  }
}
