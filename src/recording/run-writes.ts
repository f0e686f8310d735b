import type { Context } from '../platform/context.ts';
import type { CameraStates } from './cameras/camera-states.ts';
import { CaptureRecorder } from './captures/capture-recorder.ts';
import type { NodeRuns } from './node-runs.ts';
import { RunRecorder, type RunRecorderParts } from './run-recorder.ts';

interface RunWritesParts extends Omit<RunRecorderParts, 'db' | 'log'> {
  readonly context: Pick<Context, 'db' | 'logger'>;
  readonly held: NodeRuns;
  readonly cameras: CameraStates;
}

/** What a node stores each second: rows of its runs, captures of people, how its cameras are. Each user's by itself. */
export class RunWrites {
  readonly captures: CaptureRecorder;
  readonly #parts: RunWritesParts;
  readonly #recorder: RunRecorder;

  constructor(parts: RunWritesParts) {
    const { context, nodeId, turns } = parts;
    this.#parts = parts;
    this.captures = new CaptureRecorder(context, nodeId, turns);
    this.#recorder = new RunRecorder({ ...parts, db: context.db, log: context.logger });
  }

  /** @param nowMs monotonic @throws Error when the database is away; nothing is lost by it */
  async store(nowMs: number): Promise<void> {
    const { context, held, cameras, turns } = this.#parts;
    const userOf = (deviceId: string) => held.ofDevice(deviceId)[0]?.claim.userId ?? deviceId;
    const all = await Promise.allSettled([
      this.#recorder.record(held.all),
      this.captures.store(),
      cameras.store(context.db, nowMs, (deviceId, work) => turns.take(userOf(deviceId), work)),
    ]);
    for (const end of all) if (end.status === 'rejected') throw end.reason;
  }
}
