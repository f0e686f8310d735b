import { type FrameLimit, UNLIMITED, withLaneSample } from '../../../src/lanes/host/frame-limit.ts';
import { FramePacer } from '../../../src/lanes/host/frame-pacer.ts';

export interface SimulatedLane {
  /** Frames a second that each camera sends. */
  readonly cameras: readonly number[];
  /** The time to analyse a frame, in ms, at a moment in ms. */
  readonly costMs: (atMs: number) => number;
  readonly minFps: number;
  readonly seconds: number;
}

export interface SimulatedRun {
  /** Times of the frames that were analysed, in ms, of each camera. */
  readonly analysedMs: readonly (readonly number[])[];
  /** The limit after each second. */
  readonly limits: readonly (number | null)[];
  /** The busy share of each second. */
  readonly busy: readonly number[];
}

interface SimulatedCamera {
  readonly pacer: FramePacer;
  readonly cameFps: number;
  readonly analysedMs: number[];
  came: number;
  /** The newest frame that was not taken. */
  newestMs: number | null;
  /** The frame that has a turn or waits for one. */
  takenMs: number | null;
}

/** Simulates cameras that share one detector, in simulated time: turns in the order of the calls, the newest frame wins. */
export function simulateLane({ cameras: rates, costMs, minFps, seconds }: SimulatedLane): SimulatedRun {
  let limit: FrameLimit = UNLIMITED;
  const limits: (number | null)[] = [];
  const busy: number[] = [];
  const queue: SimulatedCamera[] = [];
  const cameras = rates.map((cameFps): SimulatedCamera => {
    const counts = { came: 0, newestMs: null, takenMs: null };
    return { pacer: new FramePacer(), cameFps, analysedMs: [], ...counts };
  });
  let busyMs = 0;
  let toldMs = 0;
  let doneMs = Number.POSITIVE_INFINITY;
  let nowMs = 0;
  const begin = () => {
    doneMs = queue.length === 0 ? Number.POSITIVE_INFINITY : nowMs + costMs(nowMs);
  };
  const ask = (camera: SimulatedCamera) => {
    const { newestMs, pacer, cameFps } = camera;
    if (newestMs === null || camera.takenMs !== null) return;
    camera.newestMs = null;
    if (!pacer.takes(newestMs, { limitFps: limit.fps, cameFps })) return;
    camera.takenMs = newestMs;
    if (queue.push(camera) === 1) begin();
  };
  const nextFrameMs = (camera: SimulatedCamera) =>
    (1000 * (camera.came + cameras.indexOf(camera) / cameras.length)) / camera.cameFps;
  while (nowMs < seconds * 1000) {
    const nextSecondMs = 1000 * (limits.length + 1);
    const camera = cameras.reduce((a, b) => (nextFrameMs(b) < nextFrameMs(a) ? b : a));
    const untilMs = Math.min(doneMs, nextFrameMs(camera), nextSecondMs);
    if (queue.length > 0) busyMs += untilMs - nowMs;
    nowMs = untilMs;
    if (nowMs === doneMs) {
      const done = queue.shift()!;
      done.analysedMs.push(done.takenMs!);
      done.takenMs = null;
      begin();
      ask(done);
    } else if (nowMs === nextSecondMs) {
      const counts = cameras.map(({ analysedMs, came }, index) => {
        return { deviceId: String(index), analysed: analysedMs.length, came };
      });
      limit = withLaneSample(limit, { atMs: nowMs, busyMs, cameras: counts }, minFps);
      limits.push(limit.fps);
      busy.push((busyMs - toldMs) / 1000);
      toldMs = busyMs;
    } else {
      camera.came++;
      camera.newestMs = nowMs;
      ask(camera);
    }
  }
  return { analysedMs: cameras.map(({ analysedMs }) => analysedMs), limits, busy };
}
