import { NO_IMAGE, type PoolListener } from '../../src/lanes/lane-pool.ts';
import type { CameraStats, LaneCamera } from '../../src/lanes/lane-protocol.ts';
import type { Lanes } from '../../src/runs/node/node-parts.ts';

/** The report of a lane about a camera without faults. */
export const cameraStats = (deviceId: string, changes: Partial<CameraStats> = {}): CameraStats => ({
  deviceId,
  processedFrames: 50,
  skippedFrames: 0,
  heldFrames: 0,
  droppedFrames: 0,
  deliveredFrames: 50,
  isDecoderBehind: false,
  decoding: 'all',
  isDecodingLeast: false,
  ownFps: null,
  analysed: null,
  restarts: 0,
  lagMs: 40,
  fps: 5,
  avgProcessingTimeMs: 20,
  fault: null,
  warnings: [],
  ...changes,
});

/** Lanes without processes: they only store the requested cameras. Who made them calls the supervisor's listener itself. */
export class SilentLanes implements Lanes {
  readonly cameras = new Map<string, LaneCamera>();
  listener!: PoolListener;
  connect(listener: PoolListener): void {
    this.listener = listener;
  }
  put(deviceId: string): void {
    const camera = this.listener.requestedCamera(deviceId);
    if (camera) this.cameras.set(deviceId, camera);
    else this.cameras.delete(deviceId);
  }
  anchor(): void {}
  endStuck(): void {}
  async image() {
    return NO_IMAGE;
  }
  watch(): void {}
  /** By device: the last batch that the node has stored. */
  readonly storedBatches = new Map<string, number>();
  stored(deviceId: string, batch: number): void {
    this.storedBatches.set(deviceId, batch);
  }
}
