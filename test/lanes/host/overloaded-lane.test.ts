import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Camera } from '../../../src/lanes/host/camera.ts';
import { UNLIMITED, withLaneSample } from '../../../src/lanes/host/frame-limit.ts';
import { Turns } from '../../../src/lanes/turns.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import type { FrameSource, StreamInfo } from '../../../src/video/frame-source.ts';
import { Budget } from '../../../src/vision/attributes/budget.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import { wholeMs } from '../../../src/vision/moment.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';

// Real cameras that share one detector, in simulated time: only frames and detections take time.

const LETTERBOX = { inputWidth: 2, inputHeight: 2, contentWidth: 2, contentHeight: 2 };
/** A frame whose half is bright. */
const MODEL = Uint8Array.from([0, 0, 0, 0, 0, 0, 200, 200, 200, 200, 200, 200]);
const CONFIG = sceneConfigSchema.parse({ zones: SHOP_ZONES, parameters: {} });
const START_MS = 1_000_000;

/** A live camera: the newest frame wins. */
class FakeSource implements FrameSource {
  readonly info: StreamInfo;
  readonly stats = { processedFrames: 0, droppedFrames: 0, arrivals: 0, restarts: 0, lastFrameAtMs: null };
  #newest: Frame | null = null;
  #waiting: ((frame: Frame | null) => void) | null = null;

  constructor(fps: number) {
    const shown = { width: 2, height: 2, codec: 'none', sourceFps: fps, durationSeconds: null };
    this.info = { ...shown, fps, live: true, letterbox: LETTERBOX };
  }

  give(timeMs: number): void {
    if (this.#newest) this.stats.droppedFrames++;
    const picture = { full: null, keepFull: () => undefined };
    const index = this.stats.arrivals++;
    this.#newest = { index, timeMs, model: MODEL, letterbox: LETTERBOX, isDamaged: false, ...picture };
    if (this.#waiting) this.#take(this.#waiting);
  }

  open = async () => this.info;
  next = () =>
    new Promise<Frame | null>((resolve) => {
      if (this.#newest) this.#take(resolve);
      else this.#waiting = resolve;
    });
  close = async () => this.#waiting?.(null);

  #take(resolve: (frame: Frame | null) => void): void {
    resolve(this.#newest);
    [this.#newest, this.#waiting] = [null, null];
  }
}

/** The parts of a lane, without models and camera streams. */
class FakeLane {
  readonly #turns = new Turns(() => this.nowMs);
  readonly sources: readonly FakeSource[];
  readonly cameras: readonly Camera[];
  /** The times of the analysed frames of each camera. */
  readonly seenMs: readonly number[][];
  readonly givenMs: readonly number[][];
  nowMs = START_MS;
  detectMs = 0;
  limit = UNLIMITED;
  #doneMs = Number.POSITIVE_INFINITY;
  #done: () => void = () => undefined;

  constructor(rates: readonly number[]) {
    this.sources = rates.map((fps) => new FakeSource(fps));
    this.seenMs = rates.map(() => []);
    this.givenMs = rates.map(() => []);
    this.cameras = rates.map((fps, index) => this.#camera(fps, index));
  }

  #camera(fps: number, index: number): Camera {
    const scenes = [{ sceneId: 's', runId: String(index), config: CONFIG, checkpoint: null }];
    const wanted = {
      deviceId: String(index),
      url: 'u',
      networks: [],
      fps,
      attributes: false,
      privacy: NO_PRIVACY,
      scenes,
    };
    const detector: Detector = {
      ...{
        name: 'slow',
        executionProvider: 'cpu',
        inputWidth: 2,
        inputHeight: 2,
        sizes: [{ width: 2, height: 2 }],
        prepare: async () => undefined,
      },
      detect: () =>
        new Promise((resolve) => {
          this.#doneMs = this.nowMs + this.detectMs;
          this.#done = () => resolve([]);
        }),
      dispose: async () => undefined,
    };
    return new Camera(wanted, this.sources[index]!, {
      ...{ detector, turns: this.#turns, keepsUp: () => true, isOpen: () => false, now: () => this.nowMs },
      limitFps: () => this.limit.fps,
      minFps: 2,
      onObservations: (runs) => this.seenMs[index]!.push(...runs.map((run) => run.observation.timeMs)),
      ...{
        onRunEnded: () => undefined,
        onFailed: () => undefined,
        onOpened: () => undefined,
        onLivePicture: () => undefined,
      },
      people: {
        attributeModels: () => null,
        budget: new Budget(0.04),
        onPeople: () => undefined,
        onError: () => undefined,
      },
    });
  }

  /** @param detectMs the duration of a detection */
  async run(seconds: number, detectMs: number): Promise<void> {
    this.detectMs = detectMs;
    await this.#settle();
    const endMs = this.nowMs + seconds * 1000;
    let nextSampleMs = this.nowMs + 1000;
    const nextMs = this.sources.map((_, index) => this.nowMs + 7 * index);
    while (this.nowMs < endMs) {
      const first = nextMs.indexOf(Math.min(...nextMs));
      this.nowMs = Math.min(this.#doneMs, nextMs[first]!, nextSampleMs);
      if (this.nowMs === this.#doneMs) {
        this.#doneMs = Number.POSITIVE_INFINITY;
        this.#done();
      } else if (this.nowMs === nextSampleMs) {
        nextSampleMs += 1000;
        const cameras = this.cameras.map(({ count }) => count);
        const { busyMs } = this.#turns;
        this.limit = withLaneSample(this.limit, { atMs: this.nowMs, busyMs, cameras }, 2);
      } else {
        this.givenMs[first]!.push(this.nowMs);
        this.sources[first]!.give(this.nowMs);
        nextMs[first]! += 1000 / this.sources[first]!.info.fps;
      }
      await this.#settle();
    }
  }

  /** Lets all pending promises settle. */
  async #settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await eventLoopTurn();
  }

  async close(): Promise<void> {
    await Promise.all(
      this.cameras.map(async (camera) => {
        const closed = camera.close(false);
        this.#done();
        await closed;
      }),
    );
  }

  /** Frames a second of each camera over the last seconds. */
  rates(seconds: number): number[] {
    return this.seenMs.map(
      (times) => times.filter((ms) => ms > this.nowMs - seconds * 1000).length / seconds,
    );
  }
}

describe('a lane that cannot take all frames', () => {
  test('takes fewer frames of each camera, evenly spaced, and all again once it can', async () => {
    const lane = new FakeLane([5, 5, 5, 5, 3]);
    await lane.run(20, 20);
    expect([lane.limit.fps, lane.rates(10).map(Math.round)]).toEqual([null, [5, 5, 5, 5, 3]]);

    // 16 of 23 frames a second fit: 3.25 for each camera that sends more than three.
    await lane.run(40, 1000 / 16 / 0.999);
    const { fps } = lane.limit;
    expect(fps).toBeGreaterThan(2.5);
    expect(fps).toBeLessThan(3.25);
    const rates = lane.rates(20);
    for (const rate of rates) expect(Math.abs(rate - Math.min(3, fps!))).toBeLessThan(0.15);
    for (const [index, times] of lane.seenMs.entries()) {
      const given = lane.givenMs[index]!.map(wholeMs);
      expect(times.every((ms) => given.includes(ms))).toBe(true);
      const late = times.filter((ms) => ms > lane.nowMs - 20_000);
      const gaps = late.slice(1).map((ms, frame) => ms - late[frame]!);
      expect(Math.max(...gaps)).toBeLessThan(1000 / fps! + 1000 / lane.sources[index]!.info.fps);
      const { processedFrames, droppedFrames } = lane.cameras[index]!.stats();
      // The newest frame may still wait.
      expect(given.length - processedFrames - droppedFrames).toBeLessThanOrEqual(1);
    }

    await lane.run(20, 20);
    expect([lane.limit.fps, lane.rates(5).map(Math.round)]).toEqual([null, [5, 5, 5, 5, 3]]);
    await lane.close();
  });

  test('stays at the lowest limit and drops the frames that it still cannot take', async () => {
    const lane = new FakeLane([5, 5, 5, 5]);
    await lane.run(40, 250);
    expect(lane.limit.fps).toBe(2);
    for (const rate of lane.rates(20)) expect(Math.abs(rate - 1)).toBeLessThan(0.11);
    await lane.close();
  });
});
