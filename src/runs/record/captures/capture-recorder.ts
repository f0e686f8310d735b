import type { Capture } from '../../../attributes/capture.ts';
import { recordCapture } from '../../../attributes/record-capture.ts';
import type { Context } from '../../../platform/context.ts';
import { isDatabaseBusy, mayPass } from '../../../platform/database/database-away.ts';
import type { ClaimedRun } from '../../store/claim-runs.store.ts';
import { holdRun } from '../../store/write-runs.store.ts';
import type { ActiveRun } from '../active-run.ts';
import { OneWriteEach } from '../one-write-each.ts';
import type { UserWriteQueue } from '../user-write-queue.ts';

/** Captures of one run that wait at most: those of ten minutes. The oldest is dropped first. */
const MAX_WAITING = 60;

interface WaitingCapture {
  readonly run: ClaimedRun;
  readonly capture: Capture;
}

/** Stores the periodic captures of the runs of a node, each in a transaction of its own. */
export class CaptureRecorder {
  readonly #context: Pick<Context, 'clock' | 'db' | 'logger'>;
  readonly #nodeId: string;
  readonly #userWrites: UserWriteQueue;
  readonly #writes = new OneWriteEach();
  #waiting: WaitingCapture[] = [];

  constructor(context: Pick<Context, 'clock' | 'db' | 'logger'>, nodeId: string, userWrites: UserWriteQueue) {
    this.#context = context;
    this.#nodeId = nodeId;
    this.#userWrites = userWrites;
  }

  /** Adds the capture of a run when one is due. */
  addDue({ people, claim: run }: Pick<ActiveRun, 'people' | 'claim'>): void {
    const capture = people.takeCapture();
    if (!capture) return;
    this.#waiting.push({ run, capture });
    const own = this.#waiting.filter((waiting) => waiting.run.id === run.id);
    const [oldest] = own;
    if (oldest && own.length > MAX_WAITING) this.#remove(oldest);
  }

  forget(runId: string): void {
    this.#waiting = this.#waiting.filter(({ run }) => run.id !== runId);
  }

  /** While rows of a user are locked, the captures of this user wait. @throws Error when the database does not answer; then all wait */
  store(): Promise<void> {
    const userIds = new Set(this.#waiting.map(({ run }) => run.userId));
    return this.#writes.start(userIds, (userId) =>
      this.#userWrites
        .add(userId, () => this.#storeOf(userId))
        .catch((error: unknown) => {
          if (!isDatabaseBusy(error)) throw error;
        }),
    );
  }

  async #storeOf(userId: string): Promise<void> {
    const first = () => this.#waiting.find(({ run }) => run.userId === userId);
    for (let next = first(); next; next = first()) {
      try {
        await this.#store(next);
      } catch (error) {
        if (mayPass(error)) throw error;
        this.#context.logger.error({ err: error, taskId: next.run.id }, 'a capture was refused: left out');
      }
      this.#remove(next);
    }
  }

  async #store({ run, capture }: WaitingCapture): Promise<void> {
    const { userId, deviceId, sceneId, id: taskId, isRecording } = run;
    // A recording is charged when it is analysed, whatever day it shows.
    const charged = isRecording ? { chargedAt: this.#context.clock.now() } : {};
    const source = { userId, deviceId, sceneId, taskId, computeNodeId: this.#nodeId };
    await this.#context.db.$transaction(async (tx) => {
      if (await holdRun(tx, this.#nodeId, run)) await recordCapture(tx, source, { ...capture, ...charged });
    });
  }

  #remove(capture: WaitingCapture): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== capture);
  }
}
