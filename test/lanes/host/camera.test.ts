import { describe, expect, test } from '@jest/globals';
import { Camera } from '../../../src/lanes/host/camera.ts';
import { Turns } from '../../../src/lanes/turns.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import type { FrameSource } from '../../../src/video/frame-source.ts';
import { Budget } from '../../../src/vision/attributes/budget.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { Frame, FullFrame } from '../../../src/vision/frame.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';

const LETTERBOX = { inputWidth: 2, inputHeight: 2, contentWidth: 2, contentHeight: 2 };
const INFO = {
  ...{ width: 2, height: 2, codec: 'none', sourceFps: 5, fps: 5, durationSeconds: null, live: true },
  letterbox: LETTERBOX,
};
/** A frame whose half is bright. */
const MODEL = Uint8Array.from([0, 0, 0, 0, 0, 0, 200, 200, 200, 200, 200, 200]);
const frame = (index: number, more: Partial<Frame> = {}): Frame => ({
  ...{ index, timeMs: 1_000 + index * 200, model: MODEL, letterbox: LETTERBOX, full: null },
  isDamaged: false,
  keepFull: () => undefined,
  ...more,
});
const config = sceneConfigSchema.parse({ zones: SHOP_ZONES, parameters: {} });
const sceneOf = (runId: string) => ({ sceneId: runId, runId, config, checkpoint: null });

const frameOf = (index: number): FullFrame => ({
  ...{ index, timeMs: 1_000 + index * 200, width: 2, height: 2, colourMatrix: 'bt601' },
  data: new Uint8Array(6),
});

/** A camera that gets a frame when `give` is called, with a detector that answers when `detect` is called. */
function makeCamera(...runIds: string[]) {
  const said: string[] = [];
  let give: (frame: Frame | null) => void = () => undefined;
  let detect: () => void = () => undefined;
  const wanted = {
    deviceId: 'd',
    url: 'u',
    networks: [],
    fps: 5,
    attributes: false,
    privacy: NO_PRIVACY,
    scenes: runIds.map(sceneOf),
  };
  const source: FrameSource = {
    info: INFO,
    stats: { processedFrames: 0, droppedFrames: 0, arrivals: 0, restarts: 0, lastFrameAtMs: null },
    open: async () => INFO,
    next: () =>
      new Promise((resolve) => {
        give = resolve;
      }),
    close: async () => give(null),
  };
  const detector: Detector = {
    ...{
      name: 'none',
      executionProvider: 'cpu',
      inputWidth: 2,
      inputHeight: 2,
      sizes: [{ width: 2, height: 2 }],
      prepare: async () => undefined,
    },
    detect: () =>
      new Promise((resolve) => {
        detect = () => resolve([]);
      }),
    dispose: async () => undefined,
  };
  let limitFps: number | null = null;
  const camera = new Camera(wanted, source, {
    ...{ detector, turns: new Turns(), keepsUp: () => true, isOpen: () => false, now: () => 0 },
    limitFps: () => limitFps,
    minFps: 2,
    onObservations: (runs) => said.push(...runs.map(({ runId }) => `${runId} saw`)),
    onRunEnded: (runId, _, last) => said.push(`${runId} ended at ${last?.observation.timeMs ?? null}`),
    ...{ onFailed: () => undefined, onOpened: () => undefined, onLivePicture: () => undefined },
    people: {
      attributeModels: () => null,
      budget: new Budget(0.04),
      onPeople: () => undefined,
      onError: () => undefined,
    },
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  return {
    ...{ camera, said, wanted, settle },
    limit: (fps: number | null) => {
      limitFps = fps;
    },
    /** Reads a frame and starts its detection. */
    async begin(index: number, more?: Partial<Frame>) {
      await settle();
      give(frame(index, more));
      await settle();
    },
    async finish() {
      detect();
      await settle();
    },
  };
}

describe('a run that is stopped while a frame is analysed', () => {
  test('ends at once and gets no observation of that frame', async () => {
    const { camera, said, wanted, begin, finish } = makeCamera('a', 'b');
    await begin(0);
    camera.setScenes({ ...wanted, scenes: [sceneOf('b')] });
    expect(said).toEqual(['a ended at null']);
    await finish();
    expect(said).toEqual(['a ended at null', 'b saw']);
    await camera.close(false);
  });

  test('ends after that frame with drain, and waits for no later frame', async () => {
    const { camera, said, wanted, begin, finish } = makeCamera('a', 'b');
    await begin(0);
    camera.setScenes({ ...wanted, scenes: [sceneOf('b')] }, true);
    expect(said).toEqual([]);
    await finish();
    expect(said).toEqual(['a saw', 'b saw', 'a ended at 1000']);
    await begin(1);
    const closed = camera.close(true);
    await finish();
    await closed;
    expect(said.slice(3)).toEqual(['b saw', 'b ended at 1200']);
  });
});

test('runs that continue over another stream do not end, and get no more observations', async () => {
  const { camera, said, begin, finish } = makeCamera('a');
  await begin(0);
  await finish();
  await begin(1);
  expect(camera.leaveRuns()).toEqual([{ runId: 'a', checkpoint: expect.stringContaining('"version":3') }]);
  const closed = camera.close(false);
  await finish();
  await closed;
  expect(said).toEqual(['a saw']);
});

test('frames above the limit are left out, count as dropped and are not kept for images', async () => {
  const { camera, said, limit, begin, finish } = makeCamera('a');
  limit(2.5);
  const kept: number[] = [];
  for (let index = 0; index < 5; index++) {
    await begin(index, { keepFull: () => kept.push(index), full: frameOf(index) });
    await finish();
  }
  expect(said).toEqual(['a saw', 'a saw', 'a saw']);
  expect(camera.stats()).toMatchObject({ processedFrames: 3, droppedFrames: 2 });
  expect(camera.count).toEqual({ deviceId: 'd', analysed: 3, came: 5 });
  expect(kept).toEqual([0, 2, 4]);
  limit(null);
  await begin(5);
  await finish();
  expect(camera.stats()).toMatchObject({ processedFrames: 4, droppedFrames: 2 });
  await camera.close(false);
});

describe('pictures that cannot be analysed', () => {
  test.each([
    ['damaged_video', { isDamaged: true }],
    ['blank_picture', { model: new Uint8Array(12) }],
  ] as const)(
    '%s: they are not analysed, and are a fault after three seconds until a frame can be analysed',
    async (reason, more) => {
      const { camera, said, begin, finish } = makeCamera('a');
      await begin(0);
      await finish();
      expect(said).toEqual(['a saw']);
      const at = (ms: number) => begin(1, { ...more, timeMs: ms });
      await at(2_000);
      await at(4_900);
      expect(camera.stats().fault).toBeNull();
      await at(5_000);
      await finish();
      expect(camera.stats()).toMatchObject({ fault: { reason, sinceMs: 2_000 }, warnings: [] });
      expect(said).toEqual(['a saw']);
      await begin(25);
      await finish();
      expect([camera.stats().fault, said]).toEqual([null, ['a saw', 'a saw']]);
      await camera.close(false);
    },
  );
});
