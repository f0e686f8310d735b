import type { LaneCamera } from '../lanes/lane-protocol.ts';
import type { ClaimedRun } from '../runs/claim-runs.store.ts';
import type { Lease } from '../runs/lease.store.ts';
import type { ActiveRun, FrameCounts } from './active-run.ts';
import type { StreamedCamera } from './cameras/camera-numbers.ts';

/** How a device is streamed. */
export interface StreamedDevice {
  readonly url: string;
  /** Of its user; empty: none of their own. */
  readonly networks: readonly string[];
  readonly revision: number;
  readonly fps: number;
}

/** How to stream the device of a run. */
export const deviceOf = (
  { streamNetworks, streamRevision, analysisFps }: ClaimedRun,
  url: string,
): StreamedDevice => ({ url, networks: streamNetworks, revision: streamRevision, fps: analysisFps });

/** The runs a node holds, and how to stream their devices. */
export class NodeRuns {
  readonly #runs = new Map<string, ActiveRun>();
  readonly #byKey = new Map<string, ActiveRun>();
  readonly #devices = new Map<string, StreamedDevice>();
  /** What their lanes counted last. */
  readonly #counted = new Map<string, FrameCounts>();
  /** Runs whose lease lapsed while the database was away: not worked on, but perhaps had again. By id. */
  readonly #paused = new Map<string, Lease & { readonly deviceId: string }>();

  get all(): ActiveRun[] {
    return [...this.#runs.values()];
  }

  get paused(): (Lease & { readonly deviceId: string })[] {
    return [...this.#paused.values()];
  }

  /** Devices that take up this node's capacity. */
  get deviceIds(): string[] {
    return [
      ...new Set([...this.all.map(({ claim }) => claim.deviceId), ...this.paused.map((p) => p.deviceId)]),
    ];
  }

  get cameras(): StreamedCamera[] {
    return this.deviceIds.map((deviceId) => ({
      deviceId,
      wantedFps: this.device(deviceId)?.fps ?? 0,
      runs: this.ofDevice(deviceId).map(({ claim }) => claim),
    }));
  }

  get userIds(): string[] {
    return [...new Set(this.all.map(({ claim }) => claim.userId))];
  }

  get(id: string): ActiveRun | undefined {
    return this.#runs.get(id);
  }

  byKey(key: string): ActiveRun | undefined {
    return this.#byKey.get(key);
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
    return this.#counted.get(deviceId) ?? { processedFrames: 0, droppedFrames: 0 };
  }

  /** @returns whether that is news */
  setPlan(deviceId: string, plan: ActiveRun['plan']): boolean {
    const runs = this.ofDevice(deviceId).filter((run) => run.plan !== plan);
    for (const run of runs) run.plan = plan;
    return runs.length > 0;
  }

  setCounted(deviceId: string, { processedFrames, droppedFrames }: FrameCounts): void {
    if (this.#devices.has(deviceId)) this.#counted.set(deviceId, { processedFrames, droppedFrames });
  }

  add(run: ActiveRun): void {
    this.#paused.delete(run.id);
    this.#runs.set(run.id, run);
    this.#byKey.set(run.key, run);
  }

  forget(run: ActiveRun): void {
    // A run that was taken up again meanwhile has the same id.
    if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
    this.#byKey.delete(run.key);
    this.#forgetDevice(run.claim.deviceId);
  }

  /** Stops working on a run without giving it up. What of it was not stored is gone. */
  pause(run: ActiveRun): void {
    const { id, epoch, deviceId } = run.claim;
    this.#paused.set(id, { id, epoch, deviceId });
    this.forget(run);
  }

  forgetPaused(id: string): void {
    const paused = this.#paused.get(id);
    this.#paused.delete(id);
    if (paused) this.#forgetDevice(paused.deviceId);
  }

  /** The camera as a lane should have it; null when nobody wants it. A paused one streams, but nothing looks at it. */
  camera(deviceId: string): LaneCamera | null {
    const device = this.#devices.get(deviceId);
    const runs = this.ofDevice(deviceId).filter((run) => run.stoppingSinceMs === null && !run.hasEnded);
    const isPaused = this.paused.some((paused) => paused.deviceId === deviceId);
    if (!device || (runs.length === 0 && !isPaused)) return null;
    const { url, networks, fps } = device;
    const attributes = runs.some(({ plan }) => plan === 'LEVEL_02');
    return { deviceId, url, networks, fps, attributes, scenes: runs.map(({ laneScene }) => laneScene) };
  }

  #forgetDevice(deviceId: string): void {
    if (this.deviceIds.includes(deviceId)) return;
    this.#devices.delete(deviceId);
    this.#counted.delete(deviceId);
  }
}
