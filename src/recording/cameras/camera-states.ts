import { isDeepStrictEqual } from 'node:util';
import { writeDeviceConditions } from '../../devices/condition.store.ts';
import type { DeviceCondition, Fault, Warning } from '../../devices/condition.ts';
import { writeDevicesSeen } from '../../devices/streamed-devices.store.ts';
import type { CameraStats } from '../../lanes/lane-protocol.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CameraNumbers, StreamedCamera } from './camera-numbers.ts';
import { Presence } from './presence.ts';
import { type RateState, type RateVerdict, ratesOf, UNMEASURED, withSample } from './rate-watch.ts';

/** Makes the writes of a device one after the other. */
type InTurn = (deviceId: string, work: () => Promise<void>) => Promise<void>;

const WELL: DeviceCondition = { fault: null, warnings: [] };

interface Camera {
  /** What its stream stopped with; over with the next frame. */
  stopped: Fault | null;
  /** What its lane said last. */
  told: DeviceCondition;
  rate: RateState;
  /** What its lane has counted; null before it said anything. */
  stats: CameraStats | null;
  /** That it is analysed too slowly, and whose fault that is. */
  slow: Warning | null;
}

export interface CameraStatesParts {
  readonly nodeId: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The node is overloaded now, or not any more. */
  readonly onOverload: () => void;
}

/** When a lane spoke of a camera. */
export interface Told {
  /** Monotonic ms. */
  readonly nowMs: number;
  /** Frame time. */
  readonly frameMs: number;
  /** Frames a second that are to be analysed. */
  readonly wanted: number;
}

/**
 * How the cameras of this node are: whether they are there, and what is wrong with them. Times are monotonic ms, and frame
 * time where they are called so.
 */
export class CameraStates {
  readonly #presence = new Presence();
  readonly #cameras = new Map<string, Camera>();
  readonly #stored = new Map<string, DeviceCondition>();
  /** The last word about cameras that are not streamed here any more. */
  readonly #left = new Map<string, DeviceCondition>();
  /** Whose condition are being written. */
  readonly #writing = new Set<string>();
  readonly #parts: CameraStatesParts;

  constructor(parts: CameraStatesParts) {
    this.#parts = parts;
  }

  /** Why the node is overloaded, one sentence; null while it is not. */
  get overload(): string | null {
    const all = [...this.#cameras.values()];
    const late = all.filter(({ rate }) => rate.verdict === 'overloaded').length;
    if (late === 0) return null;
    return `${late} of its ${all.length} cameras ${late === 1 ? 'is' : 'are'} analysed at less than 70 % of the wanted rate.`;
  }

  /** What their lanes have counted, and how they are. */
  numbers(held: readonly StreamedCamera[], nowMs: number): CameraNumbers[] {
    return held.map((of) => {
      const camera = this.#cameras.get(of.deviceId);
      const isOverloaded = camera?.rate.verdict === 'overloaded';
      const hasFault = camera !== undefined && this.#fault(of.deviceId, nowMs) !== null;
      return { ...of, stats: camera?.stats ?? null, hasFault, isOverloaded };
    });
  }

  /** From now on frames are expected of it. @param frameTimeMs frame time now */
  expect(deviceId: string, nowMs: number, frameTimeMs: number): void {
    this.#presence.expect(deviceId, nowMs, frameTimeMs);
    this.#camera(deviceId);
  }

  /** A frame was analysed: its stream is well. @param frameTimeMs frame time */
  frame(deviceId: string, frameTimeMs: number, nowMs: number): void {
    this.#presence.frame(deviceId, frameTimeMs, nowMs);
    // The last frame before the stream stopped may be analysed after it.
    const camera = this.#camera(deviceId);
    if (camera.stopped && frameTimeMs > camera.stopped.sinceMs) camera.stopped = null;
  }

  /** What its lane says of it, each second. Whoever finds its pictures wrong has seen some. */
  tell(deviceId: string, stats: CameraStats, { nowMs, frameMs, wanted }: Told): void {
    const { fault, warnings } = stats;
    const camera = this.#camera(deviceId);
    camera.told = { fault, warnings };
    camera.stats = stats;
    if (fault && !camera.stopped) this.#presence.sign(deviceId, nowMs);
    const before = camera.rate.verdict;
    const isOut = this.#fault(deviceId, nowMs) !== null;
    const { processedFrames: processed, deliveredFrames: delivered, ownFps } = stats;
    camera.rate = withSample(camera.rate, { atMs: nowMs, processed, delivered, wanted, ownFps, isOut });
    if (camera.rate.verdict !== before) this.#judged(deviceId, { before, wanted, frameMs });
  }

  /** Its stream has stopped. One that is tried in vain has stopped once, for the newest reason. */
  stop(deviceId: string, fault: Fault): void {
    const camera = this.#camera(deviceId);
    camera.stopped = { ...fault, sinceMs: camera.stopped?.sinceMs ?? fault.sinceMs };
  }

  /** Its stream is opened anew: frames and condition of before say nothing any more. */
  renew(deviceId: string, nowMs: number, frameTimeMs: number): void {
    this.#presence.forget(deviceId);
    this.#cameras.delete(deviceId);
    this.expect(deviceId, nowMs, frameTimeMs);
  }

  /** Nobody streams it here any more. What was wrong with its pictures is not known from now on. */
  forget(deviceId: string): void {
    const left = this.#cameras.get(deviceId);
    const fault = left?.stopped ?? null;
    this.#presence.forget(deviceId);
    this.#cameras.delete(deviceId);
    if (left?.rate.verdict === 'overloaded') this.#parts.onOverload();
    if (this.#stored.has(deviceId)) this.#left.set(deviceId, { fault, warnings: [] });
  }

  /**
   * Writes what has changed, each camera by itself.
   * @param inTurn when the writes of a device may be made
   * @throws Error when the database is away or a device's row is held; then the next call writes it
   */
  async store(db: Db, nowMs: number, inTurn: InTurn): Promise<void> {
    const seen = this.#presence.take(nowMs);
    const seeing = seen.map((one) =>
      inTurn(one.deviceId, () => writeDevicesSeen(db, [one])).catch((error: unknown) => {
        this.#presence.unwritten([one]);
        throw error;
      }),
    );
    const left = new Map(this.#left);
    const news = new Map(left);
    for (const deviceId of this.#cameras.keys()) {
      const now = this.#condition(deviceId, nowMs);
      if (now && !isDeepStrictEqual(now, this.#stored.get(deviceId))) news.set(deviceId, now);
    }
    const due = [...news].filter(([deviceId]) => !this.#writing.has(deviceId));
    for (const [deviceId] of due) this.#writing.add(deviceId);
    const telling = due.map(([deviceId, condition]) =>
      inTurn(deviceId, async () => {
        await writeDeviceConditions(db, this.#parts.nodeId, new Map([[deviceId, condition]]));
        this.#stored.set(deviceId, condition);
        if (left.get(deviceId) !== condition) return;
        if (this.#left.get(deviceId) === condition) this.#left.delete(deviceId);
        if (!this.#cameras.has(deviceId)) this.#stored.delete(deviceId);
      }).finally(() => this.#writing.delete(deviceId)),
    );
    const faults = (await Promise.allSettled([...seeing, ...telling])).filter(
      (end) => end.status === 'rejected',
    );
    if (faults[0]) throw faults[0].reason;
  }

  #fault(deviceId: string, nowMs: number): Fault | null {
    const { stopped, told } = this.#camera(deviceId);
    return stopped ?? told.fault ?? this.#presence.silence(deviceId, nowMs);
  }

  /** Null while nothing is known of it here: what another node or a look at it found stands until then. */
  #condition(deviceId: string, nowMs: number): DeviceCondition | null {
    const { told, slow } = this.#camera(deviceId);
    const fault = this.#fault(deviceId, nowMs);
    // Where the node is too slow for one camera, it may be the reason why another one seems to be slow.
    const isSure = slow !== null && (slow.reason === 'overloaded' || this.overload === null);
    if (!fault && !this.#presence.hasFrames(deviceId) && !this.#stored.has(deviceId)) return null;
    return { fault, warnings: isSure ? [...told.warnings, slow] : told.warnings };
  }

  #judged(
    deviceId: string,
    { before, wanted, frameMs }: { before: RateVerdict; wanted: number; frameMs: number },
  ): void {
    const camera = this.#camera(deviceId);
    const { verdict } = camera.rate;
    const { processed, delivered } = ratesOf(camera.rate) ?? { processed: 0, delivered: 0 };
    const rates = { deviceId, verdict, wanted, processed: round(processed), delivered: round(delivered) };
    camera.slow = verdict === 'well' ? null : { ...tooSlow(verdict, rates), sinceMs: frameMs };
    if (verdict === 'well')
      this.#parts.log.info(rates, 'the camera is analysed at its rate again, or was opened anew');
    else this.#parts.log.warn(rates, 'the camera is analysed too slowly');
    if (verdict === 'overloaded' || before === 'overloaded') this.#parts.onOverload();
  }

  #camera(deviceId: string): Camera {
    const known = this.#cameras.get(deviceId);
    if (known) return known;
    const camera: Camera = { stopped: null, told: WELL, rate: UNMEASURED, stats: null, slow: null };
    this.#cameras.set(deviceId, camera);
    return camera;
  }
}

const round = (rate: number): number => Math.round(rate * 10) / 10;

function tooSlow(
  verdict: 'overloaded' | 'slow',
  { wanted, processed, delivered }: { wanted: number; processed: number; delivered: number },
): Omit<Warning, 'sinceMs'> {
  if (verdict === 'overloaded') {
    const message = `Its compute node analyses ${processed} of ${wanted} frames a second: it has too many cameras. Add a node, or analyse fewer frames.`;
    return { reason: 'overloaded', message };
  }
  const message = `The camera delivers ${delivered} of ${wanted} frames a second: look at its settings and its network.`;
  return { reason: 'slow_camera', message };
}
