import type { RunObservation } from '../../lanes/lane-protocol.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import type { ActiveRun } from '../record/active-run.ts';
import { loadRun, UnusableRun } from '../record/load-run.ts';
import type { ClaimedRun } from '../store/claim-runs.store.ts';
import { type RenewedRun, type RunDevice, releaseLeases } from '../store/lease.store.ts';
import { failRun, type RunEnd } from '../store/write-runs.store.ts';
import { cameraStreamUrl, type EncryptedStream } from './camera-stream-url.ts';
import type { NodeParts } from './node-parts.ts';
import { dueAction } from './run-deadlines.ts';

/** Starts, updates, pauses, ends and drops the runs of a node. Each change reaches the camera's lane at once. */
export class RunLifecycle {
  readonly #parts: NodeParts;

  constructor(parts: NodeParts) {
    this.#parts = parts;
  }

  /** Loads a claimed run and starts its camera. @param claimedAtMs monotonic */
  async start(claim: ClaimedRun, claimedAtMs: number): Promise<void> {
    const { context, node, runs, cameras, lanes, frameClock, now } = this.#parts;
    const { id, epoch, deviceId } = claim;
    try {
      const device = claim.isRecording ? null : this.#streamOf(claim);
      const counted = runs.counted(deviceId);
      const options = { nodeId: node.id, claimedAtMs, nowMs: frameClock.now(), counted };
      const run = await loadRun(context, claim, options);
      runs.add(run);
      if (device) {
        runs.setDevice(deviceId, device);
        cameras.add(deviceId, now(), frameClock.now());
        lanes.put(deviceId);
      } else void this.#openRecording(run);
      context.logger.info({ taskId: id, deviceId, epoch }, 'run started');
    } catch (error) {
      // Another session has locked rows of the user. The lease lapses, and then any node with capacity tries again.
      if (isDatabaseBusy(error))
        context.logger.warn({ err: error, taskId: id }, 'a run could not be started');
      else if (!(error instanceof UnusableRun)) throw error;
      else await failRun(context.db, node.id, { id, epoch, errorMessage: error.message });
    }
  }

  /** Gives its lane the file of a recording, which may have to be copied first. The run is held meanwhile. */
  async #openRecording(run: ActiveRun): Promise<void> {
    const { runs, lanes, recordingFiles } = this.#parts;
    const { deviceId, analysisFps: fps, streamRevision: revision, privacy, rotation } = run.claim;
    try {
      const path = await recordingFiles.open(run.key, run.claim);
      if (runs.get(run.id) !== run) {
        recordingFiles.release(run.key);
        return;
      }
      const stream = { url: `file:${path}`, main: null, networks: [], isRecording: true };
      const analysed = { fps, analysisRegion: 'whole', accuracy: 'standard' } as const;
      runs.setDevice(deviceId, { ...stream, ...analysed, revision, rotation, privacy });
      lanes.put(deviceId);
    } catch (error) {
      if (runs.get(run.id) === run) this.fail([run], (error as Error).message);
    }
  }

  /**
   * Gives a recording back: what was analysed is stored, and any node may continue it from there.
   * @param record stores its records
   */
  async giveBack(run: ActiveRun, record: () => Promise<void>): Promise<void> {
    const { context, node, runs, lanes } = this.#parts;
    const { id, epoch, deviceId } = run.claim;
    run.isLeaving = true;
    lanes.put(deviceId);
    try {
      // The first call waits for a write that is under way, the second one stores the rest.
      await record();
      await record();
      if (runs.get(id) !== run) return;
      await releaseLeases(context.db, node.id, [{ id, epoch }]);
      context.logger.info(
        { taskId: id, epoch },
        'a recording was given back: cameras need the time of this node',
      );
    } finally {
      // Whatever failed: its lease lapses.
      if (runs.get(id) === run) this.drop(run);
    }
  }

  /** Applies what the renewal of a lease has read: a requested stop, another plan, another target, other masks, or another stream. */
  update(run: ActiveRun, renewed: RenewedRun): void {
    const { runs, lanes, now } = this.#parts;
    const { deviceId } = renewed;
    run.targetSeconds = renewed.targetSeconds;
    if (renewed.stopRequested && run.stoppingSinceMs === null) {
      run.stoppingSinceMs = now();
      run.drain = renewed.drain;
      lanes.put(deviceId, renewed.drain);
      return;
    }
    if (runs.setPlan(deviceId, renewed.plan)) lanes.put(deviceId);
    this.#updateView(renewed);
    this.#updateStream(renewed);
  }

  /** @param last the last observation of the lane; null when there is none */
  end(run: ActiveRun, end: RunEnd, last: RunObservation | null = null): void {
    run.end(end, last);
    this.#parts.lanes.put(run.claim.deviceId);
    this.#parts.soon('record');
  }

  /** The user or the device has no analysis seconds left. */
  endUnpaid(run: ActiveRun): void {
    const reason = 'resource_constraint' as const;
    // A camera has measured until now; of a recording a part is missing.
    const errorMessage = run.isRecording
      ? 'The analysis seconds of this month are used up before the end of the recording: raise the quota, or start its analysis again next month.'
      : null;
    this.end(run, { command: run.isRecording ? 'fail' : 'stop', errorMessage, reason });
  }

  fail(runs: readonly ActiveRun[], errorMessage: string): void {
    for (const run of runs) this.end(run, { command: 'fail', errorMessage });
  }

  /** Pauses runs before their leases end, and ends runs whose deadline has passed. */
  checkDeadlines(): void {
    for (const run of this.#parts.runs.all) {
      const due = dueAction(run, this.#parts.now());
      if (due === 'pause') this.pause(run, 'its lease could not be renewed');
      else if (due) this.end(run, due);
    }
  }

  /** Another node has the run, or the API has closed it. */
  lose(run: ActiveRun): void {
    const about = { taskId: run.id, epoch: run.claim.epoch };
    this.#parts.context.logger.warn(about, 'the run no longer belongs to this node');
    this.drop(run);
  }

  drop(run: ActiveRun): void {
    const { alerts, captures, runs, recordingFiles, soon } = this.#parts;
    recordingFiles.release(run.key);
    alerts.forget(run.id);
    captures.forget(run.id);
    runs.remove(run);
    this.releaseCamera(run.claim.deviceId);
    soon('claim');
  }

  /** Stops the camera, unless another run of this node needs it. */
  releaseCamera(deviceId: string): void {
    const { runs, cameras, lanes } = this.#parts;
    if (!runs.cameraIds.includes(deviceId)) cameras.remove(deviceId);
    lanes.put(deviceId);
  }

  /** What pictures may show, and what part is analysed: another setting holds for the next frame, and the stream stays open. */
  #updateView({ deviceId, privacy, analysisRegion }: RunDevice): void {
    const { runs, lanes } = this.#parts;
    const device = runs.device(deviceId);
    // Not only the revision: the masks of a deleted scene end without a new one.
    if (!device) return;
    const view = { privacy, analysisRegion: device.isRecording ? device.analysisRegion : analysisRegion };
    const { privacy: shown, analysisRegion: analysed } = device;
    if (JSON.stringify({ privacy: shown, analysisRegion: analysed }) === JSON.stringify(view)) return;
    runs.setDevice(deviceId, { ...device, ...view });
    lanes.put(deviceId);
  }

  /** The stream of a device whose address, networks, frame rate, accuracy or rotation have changed is opened again. */
  #updateStream(renewed: RenewedRun): void {
    const { runs, cameras, lanes, frameClock, now } = this.#parts;
    const { deviceId, streamRevision, analysisFps, analysisAccuracy, rotation } = renewed;
    const device = runs.device(deviceId);
    if (!device || device.isRecording) return;
    const isSame =
      device.revision === streamRevision &&
      device.fps === analysisFps &&
      device.accuracy === analysisAccuracy &&
      device.rotation === rotation;
    if (isSame) return;
    try {
      runs.setDevice(deviceId, this.#streamOf(renewed));
      cameras.restart(deviceId, now(), frameClock.now());
      lanes.put(deviceId);
    } catch (error) {
      if (!(error instanceof UnusableRun)) throw error;
      this.fail(runs.ofDevice(deviceId), error.message);
    }
  }

  /** @throws UnusableRun when the address of the stream is refused */
  #streamOf(
    run: EncryptedStream &
      Pick<
        RunDevice,
        | ('streamRevision' | 'analysisFps' | 'analysisRegion' | 'analysisAccuracy')
        | ('privacy' | 'width' | 'height' | 'rotation')
      >,
  ) {
    const { streamNetworks: networks, streamRevision: revision, analysisFps: fps, ...rest } = run;
    const { analysisRegion, analysisAccuracy: accuracy, privacy, rotation, width, height } = rest;
    const { streamUrlEncrypted, analysisStreamUrlEncrypted: secondEncrypted } = run;
    const mainUrl = cameraStreamUrl(this.#parts.context, run, streamUrlEncrypted);
    const second = secondEncrypted && {
      url: cameraStreamUrl(this.#parts.context, run, secondEncrypted, 'analysisStreamUrl'),
      main: { url: mainUrl, size: width && height ? { width, height } : null },
    };
    const stream = second || { url: mainUrl, main: null };
    const analysed = { fps, analysisRegion, accuracy, rotation, privacy };
    return { ...stream, ...analysed, networks, revision, isRecording: false };
  }

  /** Stops executing a run, which keeps its lease: the next renewal starts it again. */
  pause(run: ActiveRun, why: string): void {
    const { context, runs, cameras, lanes, recordingFiles } = this.#parts;
    const { deviceId } = run.claim;
    context.logger.warn({ taskId: run.id, why }, 'the run is paused');
    runs.pause(run);
    recordingFiles.release(run.key);
    // Without a run no frame is analysed, which is no fault of the camera.
    if (runs.ofDevice(deviceId).length === 0) cameras.remove(deviceId);
    lanes.put(deviceId);
  }
}
