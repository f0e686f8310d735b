import type { Capture } from '../attributes/capture.ts';
import { recordCapture } from '../attributes/record-capture.ts';
import type { Context } from '../platform/context.ts';
import { mayPass } from '../platform/database-away.ts';
import type { ActiveRun } from './active-run.ts';
import type { ClaimedRun } from './lease.store.ts';
import { holdRun } from './run.store.ts';

/** Captures that wait for the database, at most: ten minutes of one run. */
const MOST_WAITING = 60;

/** Stores the periodic captures of the runs a node holds, each in a transaction of its own. */
export class RunCaptures {
  readonly #context: Pick<Context, 'db' | 'logger'>;
  readonly #nodeId: string;
  #waiting: { readonly run: ClaimedRun; readonly capture: Capture }[] = [];

  constructor(context: Pick<Context, 'db' | 'logger'>, nodeId: string) {
    this.#context = context;
    this.#nodeId = nodeId;
  }

  /** What is due of a run. */
  take({ people, claim: run }: Pick<ActiveRun, 'people' | 'claim'>): void {
    const capture = people.take();
    if (!capture) return;
    this.#waiting.push({ run, capture });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  forget(runId: string): void {
    this.#waiting = this.#waiting.filter(({ run }) => run.id !== runId);
  }

  /** @throws Error when the database is away; they wait then */
  async store(): Promise<void> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
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
