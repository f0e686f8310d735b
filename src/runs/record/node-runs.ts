import type { LaneCamera, MainStream } from '../../lanes/lane-protocol.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import type { Privacy } from '../../vision/privacy.ts';
import type { AnalysisAccuracy, AnalysisRegion } from '../../vision/region.ts';
import type { Lease } from '../store/lease.store.ts';
import type { ActiveRun } from './active-run.ts';
import type { StreamedCamera } from './cameras/camera-states.ts';
import type { FrameCounts } from './run-statistics.ts';

/** How to stream a device. */
export interface StreamedDevice {
  /** Of the stream that is analysed. */
  readonly url: string;
  /** Null where `url` is the main stream. */
  readonly main: MainStream | null;
  /** Networks of its user; empty when the user has none. */
  readonly networks: readonly string[];
  readonly revision: number;
  readonly fps: number;
  readonly analysisRegion: AnalysisRegion;
  readonly accuracy: AnalysisAccuracy;
  readonly rotation: Rotation;
  readonly privacy: Privacy;
  readonly isRecording: boolean;
}

/** The lease of a run and the run's device. */
export interface DeviceLease extends Lease {
  readonly userId: string;
  readonly deviceId: string;
  readonly isRecording: boolean;
}

const NO_FRAMES: FrameCounts = { processedFrames: 0, skippedFrames: 0, heldFrames: 0, droppedFrames: 0 };

/** The runs that a node executes, and how to stream their devices. */
export class NodeRuns {
  readonly #runs = new Map<string, ActiveRun>();
  readonly #devices = new Map<string, StreamedDevice>();
  /** By device: the last counters of its lane. */
  readonly #counted = new Map<string, FrameCounts>();
  /** By run: leases that were not renewed in time. These runs are not executed, but the node may renew them later. */
  readonly #paused = new Map<string, DeviceLease>();

  get all(): ActiveRun[] {
    return [...this.#runs.values()];
  }

  get paused(): DeviceLease[] {
    return [...this.#paused.values()];
  }

  /** Executed and paused runs. */
  get leases(): DeviceLease[] {
    return [...this.all.map(leaseOf), ...this.paused];
  }

  get deviceIds(): string[] {
    return devicesOf(this.leases);
  }

  /** Devices that use capacity of this node. */
  get cameraIds(): string[] {
    return devicesOf(this.leases.filter(({ isRecording }) => !isRecording));
  }

  /** Recordings, which use the time that cameras leave. */
  get recordingIds(): string[] {
    return devicesOf(this.leases.filter(({ isRecording }) => isRecording));
  }

  get cameras(): StreamedCamera[] {
    return this.cameraIds.map((deviceId) => ({
      deviceId,
      requestedFps: this.device(deviceId)?.fps ?? 0,
      runs: this.ofDevice(deviceId).map(({ claim }) => claim),
    }));
  }

  /** Users whose cameras the node has. */
  get userIds(): string[] {
    return [...new Set(this.all.filter((run) => !run.isRecording).map(({ claim }) => claim.userId))];
  }

  get(id: string): ActiveRun | undefined {
    return this.#runs.get(id);
  }

  /** @param key by which the lanes know the run */
  byKey(key: string): ActiveRun | undefined {
    return this.all.find((run) => run.key === key && !run.isLeaving);
  }

  ofDevice(deviceId: string): ActiveRun[] {
    return this.all.filter(({ claim }) => claim.deviceId === deviceId);
  }

  device(deviceId: string): StreamedDevice | undefined {
    return this.#devices.get(deviceId);
  }

  setDevice(deviceId: string, device: StreamedDevice): void {
    this.#devices.set(deviceId, device);
  }

  counted(deviceId: string): FrameCounts {
    return this.#counted.get(deviceId) ?? NO_FRAMES;
  }

  setCounted(
    deviceId: string,
    { processedFrames, skippedFrames, heldFrames, droppedFrames }: FrameCounts,
  ): void {
    if (this.#devices.has(deviceId))
      this.#counted.set(deviceId, { processedFrames, skippedFrames, heldFrames, droppedFrames });
  }

  /** @returns whether the plan has changed */
  setPlan(deviceId: string, plan: ActiveRun['plan']): boolean {
    const runs = this.ofDevice(deviceId).filter((run) => run.plan !== plan);
    for (const run of runs) run.plan = plan;
    return runs.length > 0;
  }

  add(run: ActiveRun): void {
    this.#paused.delete(run.id);
    this.#runs.set(run.id, run);
  }

  remove(run: ActiveRun): void {
    // A run that this node has resumed meanwhile has the same id.
    if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
    this.#removeUnusedDevice(run.claim.deviceId);
  }

  /** Stops executing a run but keeps its lease. Records that are not stored are lost. */
  pause(run: ActiveRun): void {
    run.isPaused = true;
    this.#paused.set(run.id, leaseOf(run));
    this.remove(run);
  }

  removePaused({ id, deviceId }: DeviceLease): void {
    this.#paused.delete(id);
    this.#removeUnusedDevice(deviceId);
  }

  /**
   * The requested state of a camera; null when it is not to be streamed. While all its runs are paused the stream stays
   * open without scenes. A recording is closed then: it can be read again.
   */
  requestedCamera(deviceId: string): LaneCamera | null {
    const device = this.#devices.get(deviceId);
    const runs = this.ofDevice(deviceId).filter(
      (run) => run.stoppingSinceMs === null && !run.hasEnded && !run.isLeaving,
    );
    const isPaused = this.paused.some((paused) => paused.deviceId === deviceId && !paused.isRecording);
    if (!device || (runs.length === 0 && !isPaused)) return null;
    const { url, main, networks, fps, analysisRegion, accuracy, rotation, privacy } = device;
    const attributes = runs.some(({ plan }) => plan === 'LEVEL_02');
    const scenes = runs.map(({ laneScene }) => laneScene);
    const recording = runs[0]?.laneRecording;
    const stream = { deviceId, url, main, networks, fps, accuracy, rotation };
    const camera = { ...stream, attributes, analysisRegion, privacy, scenes };
    return recording ? { ...camera, recording } : camera;
  }

  #removeUnusedDevice(deviceId: string): void {
    if (this.deviceIds.includes(deviceId)) return;
    this.#devices.delete(deviceId);
    this.#counted.delete(deviceId);
  }
}

const leaseOf = ({ claim: { id, epoch, userId, deviceId }, isRecording }: ActiveRun): DeviceLease => ({
  ...{ id, epoch, userId, deviceId, isRecording },
});

const devicesOf = (leases: readonly DeviceLease[]): string[] => [
  ...new Set(leases.map(({ deviceId }) => deviceId)),
];
