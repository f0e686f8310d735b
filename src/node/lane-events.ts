import type { PoolListener } from '../lanes/lane-pool.ts';
import type { CameraStats, FromLane, LaneCamera, RunObservation, RunPeople } from '../lanes/lane-protocol.ts';
import { type StreamReport, storeStreamReport } from '../recording/cameras/outage-notification.ts';
import type { NodeParts } from './node-parts.ts';
import type { RunLifecycle } from './run-lifecycle.ts';

/** Passes what the lanes report to the run or camera that it concerns. */
export class LaneEvents implements PoolListener {
  readonly #parts: NodeParts;
  readonly #lifecycle: RunLifecycle;

  constructor(parts: NodeParts, lifecycle: RunLifecycle) {
    this.#parts = parts;
    this.#lifecycle = lifecycle;
  }

  requestedCamera(deviceId: string): LaneCamera | null {
    return this.#parts.runs.requestedCamera(deviceId);
  }

  onObservations(observations: readonly RunObservation[]): void {
    const { runs, alerts, captures, cameras, node, now, soon } = this.#parts;
    const nowMs = now();
    for (const observed of observations) {
      const run = runs.byKey(observed.runId);
      if (!run) continue;
      const isFirst = run.firstFrameAtMs === null;
      const fired = run.observe(observed, nowMs);
      if (fired) alerts.add(fired);
      captures.addDue(run);
      cameras.frame(run.claim.deviceId, observed.observation.timeMs, nowMs);
      if (!isFirst) continue;
      node.addInitMs(nowMs - run.claimedAtMs);
      soon('record');
    }
  }

  onPeople(reports: readonly RunPeople[]): void {
    for (const { runId, people } of reports) this.#parts.runs.byKey(runId)?.people.learn(people);
  }

  onCheckpoint(key: string, checkpoint: string): void {
    this.#parts.runs.byKey(key)?.setCheckpoint(checkpoint);
  }

  onStats(stats: CameraStats): void {
    const { runs, cameras, frameClock, now } = this.#parts;
    const { deviceId } = stats;
    const device = runs.device(deviceId);
    if (!device) return;
    runs.setCounted(deviceId, stats);
    cameras.report(deviceId, stats, { nowMs: now(), frameMs: frameClock.now(), requestedFps: device.fps });
    for (const run of runs.ofDevice(deviceId)) run.addStats(stats);
  }

  onStream(report: StreamReport): void {
    const { context, runs, cameras, frameClock, availability, soon } = this.#parts;
    const { deviceId, message, faultReason: reason } = report;
    const device = runs.device(deviceId);
    if (!device) return;
    for (const run of runs.ofDevice(deviceId)) run.streamError = reason === null ? null : message;
    if (reason !== null) {
      cameras.streamStopped(deviceId, { reason, message, sinceMs: frameClock.now() });
      soon('record');
    }
    storeStreamReport(context.db, report, device.revision).catch((error: unknown) =>
      availability.failed(error),
    );
  }

  onRunEnded({ runId, endOfStream, last }: Extract<FromLane, { type: 'runEnded' }>): void {
    const run = this.#parts.runs.byKey(runId);
    if (!run) return;
    const errorMessage = run.streamError ?? 'The stream ended unexpectedly.';
    const isExpected = run.stoppingSinceMs !== null || endOfStream;
    const end = isExpected
      ? ({ command: 'stop', errorMessage: null } as const)
      : ({ command: 'fail', errorMessage } as const);
    this.#lifecycle.end(run, end, last);
  }

  onCrashLimit(deviceIds: readonly string[], how: string): void {
    const { runs, node, availability } = this.#parts;
    this.#lifecycle.fail(
      deviceIds.flatMap((deviceId) => runs.ofDevice(deviceId)),
      `The detection process of this camera ended three times within 5 minutes (${how}).`,
    );
    node
      .lanesCrashed(`A detection process ended three times within 5 minutes (${how}).`)
      .catch((error: unknown) => availability.failed(error));
  }
}
