import { isDeepStrictEqual } from 'node:util';
import { writeDeviceConditions } from '../../../cameras/devices/condition.store.ts';
import type { DeviceCondition, Fault, Warning } from '../../../cameras/devices/condition.ts';
import { writeDecodingPercent } from '../../../cameras/devices/decoding/decoding.store.ts';
import { writeDevicesSeen } from '../../../cameras/devices/streamed-devices.store.ts';
import type { CameraStats, DecodingPercent } from '../../../lanes/lane-protocol.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { NodeReason } from '../../../platform/processes/node-reason.ts';
import { OneWriteEach, settleAll } from '../one-write-each.ts';
import { Presence } from './presence.ts';
import {
  isDecoderBehind,
  type RateState,
  type RateVerdict,
  ratesOf,
  UNMEASURED,
  withSample,
} from './rate-watch.ts';

/** A camera that a node streams. */
export interface StreamedCamera {
  readonly deviceId: string;
  /** Frames per second that are to be analysed. */
  readonly requestedFps: number;
  readonly runs: readonly { readonly id: string; readonly sceneId: string }[];
}

export interface CameraNumbers extends StreamedCamera {
  readonly isOverloaded: boolean;
  readonly hasFault: boolean;
  /** Milliseconds since its last analysed frame; null before the first. */
  readonly frameAgeMs: number | null;
  /** The last statistics of its lane; null before the first. */
  readonly stats: CameraStats | null;
}

/** Adds a write of a device to the writes of its user. */
type AddWrite = (deviceId: string, work: () => Promise<void>) => Promise<void>;

const NO_FAULTS: DeviceCondition = { fault: null, warnings: [] };

interface Camera {
  /** Why its stream stopped; null from the next frame on. */
  stopped: Fault | null;
  /** The last report of its lane. */
  reported: DeviceCondition;
  rate: RateState;
  /** The last statistics of its lane; null before the first. */
  stats: CameraStats | null;
  /** What its decoding costs, as it was stored last; null before the first time. */
  storedCost: DecodingPercent | null;
  /** The camera is analysed too slowly: by the node or by its own fault. */
  slow: Warning | null;
}

export interface CameraStatesParts {
  readonly nodeId: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The overload of the node has begun, changed or ended. */
  readonly onOverload: () => void;
}

/** The time of a report, and the requested rate of its camera. */
export interface ReportContext {
  /** Monotonic ms. */
  readonly nowMs: number;
  /** Frame time. */
  readonly frameMs: number;
  /** Frames per second that are to be analysed. */
  readonly requestedFps: number;
}

/** The online status, faults and warnings of the cameras of this node. Times are monotonic ms unless called frame time. */
export class CameraStates {
  readonly #parts: CameraStatesParts;
  readonly #presence = new Presence();
  readonly #cameras = new Map<string, Camera>();
  readonly #stored = new Map<string, DeviceCondition>();
  /** The last state of removed cameras, until it is stored. */
  readonly #removed = new Map<string, DeviceCondition>();
  readonly #writes = new OneWriteEach();

  constructor(parts: CameraStatesParts) {
    this.#parts = parts;
  }

  /** Why the node is overloaded; null while it is not. */
  get overload(): NodeReason | null {
    const all = [...this.#cameras.values()];
    const late = all.filter(({ rate }) => rate.verdict === 'overloaded').length;
    if (late === 0) return null;
    return {
      sentence: `${late} of its ${all.length} cameras ${late === 1 ? 'is' : 'are'} analysed at less than 70 % of the requested rate.`,
      cause: { code: 'overloaded', late, cameras: all.length },
    };
  }

  numbers(streamed: readonly StreamedCamera[], nowMs: number): CameraNumbers[] {
    return streamed.map((of) => {
      const camera = this.#cameras.get(of.deviceId);
      const isOverloaded = camera?.rate.verdict === 'overloaded';
      const hasFault = camera !== undefined && this.#fault(of.deviceId, nowMs) !== null;
      const frameAgeMs = this.#presence.frameAgeMs(of.deviceId, nowMs);
      return { ...of, stats: camera?.stats ?? null, frameAgeMs, hasFault, isOverloaded };
    });
  }

  /** From now on frames are expected of the camera. */
  add(deviceId: string, nowMs: number, frameTimeMs: number): void {
    this.#presence.add(deviceId, nowMs, frameTimeMs);
    this.#camera(deviceId);
  }

  /** A frame was analysed: the camera stream works. */
  frame(deviceId: string, frameTimeMs: number, nowMs: number): void {
    this.#presence.frame(deviceId, frameTimeMs, nowMs);
    // The last frame before the stop may be analysed after it.
    const camera = this.#camera(deviceId);
    if (camera.stopped && frameTimeMs > camera.stopped.sinceMs) camera.stopped = null;
  }

  /** The report of its lane, each second. */
  report(deviceId: string, stats: CameraStats, { nowMs, frameMs, requestedFps }: ReportContext): void {
    const { fault, warnings } = stats;
    const camera = this.#camera(deviceId);
    camera.reported = { fault, warnings };
    const { decoding } = stats;
    if (decoding !== (camera.stats?.decoding ?? 'all'))
      this.#parts.log.info({ deviceId, decoding }, 'other frames of the camera are decoded than before');
    camera.stats = stats;
    // A lane that finds a fault in the frames has received frames.
    if (fault && !camera.stopped) this.#presence.signal(deviceId, nowMs);
    const before = camera.rate.verdict;
    const hasFault = this.#fault(deviceId, nowMs) !== null;
    const { processedFrames: processed, deliveredFrames: delivered, ownFps, isDecoderBehind } = stats;
    const sample = { atMs: nowMs, processed, delivered, requestedFps, ownFps, isDecoderBehind, hasFault };
    camera.rate = withSample(camera.rate, sample);
    if (camera.rate.verdict !== before) this.#verdictChanged(deviceId, { before, requestedFps, frameMs });
  }

  /** The camera stream has stopped. Failed restarts update the reason and keep the start of the fault. */
  streamStopped(deviceId: string, fault: Fault): void {
    const camera = this.#camera(deviceId);
    camera.stopped = { ...fault, sinceMs: camera.stopped?.sinceMs ?? fault.sinceMs };
  }

  /** Another stream is opened: frames and faults of the former stream do not count for it. */
  restart(deviceId: string, nowMs: number, frameTimeMs: number): void {
    this.#presence.remove(deviceId);
    this.#cameras.delete(deviceId);
    this.add(deviceId, nowMs, frameTimeMs);
  }

  /** This node no longer streams the camera, so that faults and warnings of its frames are no longer known. */
  remove(deviceId: string): void {
    const camera = this.#cameras.get(deviceId);
    const fault = camera?.stopped ?? null;
    this.#presence.remove(deviceId);
    this.#cameras.delete(deviceId);
    if (camera?.rate.verdict === 'overloaded') this.#parts.onOverload();
    if (this.#stored.has(deviceId)) this.#removed.set(deviceId, { fault, warnings: [] });
  }

  /**
   * Stores what has changed, each camera by itself.
   * @throws Error when the database does not answer or a row is locked; the next call stores it
   */
  async store(db: Db, nowMs: number, addWrite: AddWrite): Promise<void> {
    const presence = this.#presence.take(nowMs).map((seen) =>
      addWrite(seen.deviceId, () => writeDevicesSeen(db, [seen])).catch((error: unknown) => {
        this.#presence.notWritten(seen.deviceId);
        throw error;
      }),
    );
    const removed = new Map(this.#removed);
    const changed = new Map(removed);
    for (const deviceId of this.#cameras.keys()) {
      const now = this.#condition(deviceId, nowMs);
      if (now && !isDeepStrictEqual(now, this.#stored.get(deviceId))) changed.set(deviceId, now);
    }
    const conditions = this.#writes.start(changed.keys(), (deviceId) =>
      addWrite(deviceId, async () => {
        const now = changed.get(deviceId)!;
        await writeDeviceConditions(db, this.#parts.nodeId, new Map([[deviceId, now]]));
        this.#stored.set(deviceId, now);
        if (removed.get(deviceId) !== now) return;
        if (this.#removed.get(deviceId) === now) this.#removed.delete(deviceId);
        if (!this.#cameras.has(deviceId)) this.#stored.delete(deviceId);
      }),
    );
    await settleAll([...presence, conditions, ...this.#storeCosts(db, addWrite)]);
  }

  /** Where it has changed by more than it changes from minute to minute. */
  #storeCosts(db: Db, addWrite: AddWrite): Promise<void>[] {
    return [...this.#cameras].flatMap(([deviceId, camera]) => {
      const cost = camera.stats?.decodingCost;
      if (!cost || isNearly(cost, camera.storedCost)) return [];
      const before = camera.storedCost;
      camera.storedCost = cost;
      const write = addWrite(deviceId, () => writeDecodingPercent(db, this.#parts.nodeId, deviceId, cost));
      return write.catch((error: unknown) => {
        camera.storedCost = before;
        throw error;
      });
    });
  }

  #fault(deviceId: string, nowMs: number): Fault | null {
    const { stopped, reported } = this.#camera(deviceId);
    return stopped ?? reported.fault ?? this.#presence.missingFrames(deviceId, nowMs);
  }

  /** Null while nothing is known here: until then the result of another node or of a probe stays. */
  #condition(deviceId: string, nowMs: number): DeviceCondition | null {
    const { reported, slow } = this.#camera(deviceId);
    const fault = this.#fault(deviceId, nowMs);
    // While the node is too slow for one camera, another camera may only seem to be slow.
    const isSure = slow !== null && (slow.reason === 'overloaded' || this.overload === null);
    if (!fault && !this.#presence.hasFrames(deviceId) && !this.#stored.has(deviceId)) return null;
    return { fault, warnings: isSure ? [...reported.warnings, slow] : reported.warnings };
  }

  #verdictChanged(
    deviceId: string,
    { before, requestedFps, frameMs }: { before: RateVerdict; requestedFps: number; frameMs: number },
  ): void {
    const camera = this.#camera(deviceId);
    const { verdict } = camera.rate;
    const { processed, delivered } = ratesOf(camera.rate) ?? { processed: 0, delivered: 0 };
    const rates = { requestedFps, processed: round(processed), delivered: round(delivered) };
    const isDecoderSlow = isDecoderBehind(camera.rate);
    const { isDecodingLeast = false } = camera.stats ?? {};
    const about = { deviceId, verdict, isDecoderSlow, ...rates };
    camera.slow =
      verdict === 'normal'
        ? null
        : { ...slowWarning(verdict, { ...rates, isDecoderSlow, isDecodingLeast }), sinceMs: frameMs };
    if (verdict === 'normal')
      this.#parts.log.info(about, 'the camera is analysed at its rate again, or its stream was opened again');
    else this.#parts.log.warn(about, 'the camera is analysed too slowly');
    if (verdict === 'overloaded' || before === 'overloaded') this.#parts.onOverload();
  }

  #camera(deviceId: string): Camera {
    const known = this.#cameras.get(deviceId);
    if (known) return known;
    const camera = {
      stopped: null,
      reported: NO_FAULTS,
      rate: UNMEASURED,
      stats: null,
      storedCost: null,
      slow: null,
    };
    this.#cameras.set(deviceId, camera);
    return camera;
  }
}

/** Of a cost, and in percent of a core. */
const [SAME_SHARE, SAME_PERCENT] = [0.25, 0.5];

function isNearly({ stream, percent }: DecodingPercent, stored: DecodingPercent | null): boolean {
  if (stored?.stream !== stream) return false;
  return Math.abs(percent - stored.percent) <= Math.max(SAME_PERCENT, SAME_SHARE * stored.percent);
}

const round = (rate: number): number => Math.round(rate * 10) / 10;

interface SlowRates {
  readonly requestedFps: number;
  readonly processed: number;
  readonly delivered: number;
  readonly isDecoderSlow: boolean;
  readonly isDecodingLeast: boolean;
}

function slowWarning(
  verdict: 'overloaded' | 'slow',
  { requestedFps, processed, delivered, isDecoderSlow, isDecodingLeast }: SlowRates,
): Omit<Warning, 'sinceMs'> {
  if (verdict === 'overloaded' && isDecoderSlow) {
    const least = isDecodingLeast ? ' No more frames can be left out before they are decoded.' : '';
    const message = `Its compute node decodes ${delivered} of ${requestedFps} frames per second, and video that has come waits or is left out: it has too many cameras, or their pictures are too large.${least} Add a node, or analyse a smaller stream of the camera (analysisStreamUrl).`;
    return { reason: 'overloaded', message };
  }
  if (verdict === 'overloaded') {
    const message = `Its compute node analyses ${processed} of ${requestedFps} frames per second: it has too many cameras. Add a node, or analyse fewer frames.`;
    return { reason: 'overloaded', message };
  }
  const message = `The camera delivers ${delivered} of ${requestedFps} frames per second: check its settings and its network.`;
  return { reason: 'slow_camera', message };
}
