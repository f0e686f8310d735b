import { describe, expect, test } from '@jest/globals';
import { Camera } from '../../../src/lanes/host/camera.ts';
import type { LivePicture } from '../../../src/lanes/host/live-pictures.ts';
import type { LaneCamera } from '../../../src/lanes/lane-protocol.ts';
import { Turns } from '../../../src/lanes/turns.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import type { FrameSource } from '../../../src/video/frame-source.ts';
import { Budget } from '../../../src/vision/attributes/budget.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import { NO_PRIVACY, type Privacy } from '../../../src/vision/privacy.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import type { BrightnessCells } from '../../../src/vision/still/brightness.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';
import { eventually } from '../../support/eventually.ts';
import { decode, greyFrame } from '../../video/picture/frames.ts';

const [WIDTH, HEIGHT] = [160, 120];
const LETTERBOX = { inputWidth: 16, inputHeight: 12, contentWidth: 16, contentHeight: 12 };
const INFO = {
  ...{ width: WIDTH, height: HEIGHT, codec: 'none', sourceFps: 5, fps: 5, durationSeconds: null, live: true },
  letterbox: LETTERBOX,
};
const config = sceneConfigSchema.parse({ zones: SHOP_ZONES });
const LEFT_HALF = {
  type: 'polygon',
  points: [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ],
} as const;
const person = (left: number, score = 0.9): Detection => ({ box: boxAt(left), score, classId: 0 });
const boxAt = (left: number): Box => ({ left, top: 0.1, right: left + 0.2, bottom: 0.9 });

/** Stripes of single pixels: where they are left, nothing hides them. */
const frameOf = (index: number): Frame => {
  const full = greyFrame(WIDTH, HEIGHT, (x) => (x % 2 === 0 ? 230 : 60));
  const timeMs = 1_000 + index * 200;
  const model = Uint8Array.from({ length: 16 * 12 * 3 }, (_, at) => (at % 2 === 0 ? 200 : 100));
  return {
    ...{ index, timeMs, model, letterbox: LETTERBOX, full: { ...full, index, timeMs } },
    ...{ isDamaged: false, keepFull: () => undefined },
  };
};

/** A camera with one run; `show` gives it a frame in which the detector finds these people. */
function makeCamera(privacy: Partial<Privacy>, brightness?: BrightnessCells) {
  const wanted: LaneCamera = {
    ...{ deviceId: 'd', url: 'u', networks: [], fps: 5, attributes: false },
    privacy: { ...NO_PRIVACY, ...privacy },
    scenes: [{ sceneId: 's', runId: 'r', config, checkpoint: null }],
  };
  let give: (frame: Frame | null) => void = () => undefined;
  let asked = 0;
  let people: readonly Detection[] = [];
  const seenModels: Uint8Array[] = [];
  const pictures: LivePicture[] = [];
  const source: FrameSource = {
    info: INFO,
    stats: { processedFrames: 0, droppedFrames: 0, arrivals: 0, restarts: 0, lastFrameAtMs: null },
    open: async () => INFO,
    next: () =>
      new Promise((resolve) => {
        asked += 1;
        give = resolve;
      }),
    close: async () => give(null),
  };
  const detector: Detector = {
    ...{
      name: 'none',
      executionProvider: 'cpu',
      inputWidth: 16,
      inputHeight: 12,
      sizes: [{ width: 16, height: 12 }],
      prepare: async () => undefined,
    },
    detect: async (model) => {
      seenModels.push(model.slice());
      return [...people];
    },
    dispose: async () => undefined,
  };
  const camera = new Camera(wanted, source, {
    ...{
      detector,
      brightness,
      turns: new Turns(),
      keepsUp: () => true,
      isOpen: () => false,
      now: () => 0,
      limitFps: () => null,
      minFps: 2,
    },
    ...{ onObservations: () => undefined, onRunEnded: () => undefined },
    ...{ onFailed: () => undefined, onOpened: () => undefined },
    onLivePicture: (picture) => void pictures.push(picture),
    people: {
      attributeModels: () => null,
      budget: new Budget(0.04),
      onPeople: () => undefined,
      onError: () => undefined,
    },
  });
  let shown = 0;
  return {
    ...{ camera, seenModels, pictures },
    set: (changes: Partial<Privacy>) =>
      camera.setScenes({ ...wanted, privacy: { ...NO_PRIVACY, ...privacy, ...changes } }),
    async show(frame: Frame, ...found: Detection[]) {
      await eventually('the camera wants a frame', async () => asked > shown);
      people = found;
      shown = asked;
      give(frame);
      await eventually('the camera wants the next frame', async () => asked > shown);
    },
  };
}

/** Whether stripes are left at these places, shares of the width at half of the height. */
async function striped(jpeg: Uint8Array, ...places: number[]): Promise<boolean[]> {
  const { width, height, brightest } = await decode(jpeg);
  return places.map((place) => {
    const x = Math.round(place * width);
    const y = Math.round(height / 2);
    const levels = [0, 1, 2, 3].map((more) => brightest(x + more, y));
    return Math.max(...levels) - Math.min(...levels) > 60;
  });
}
const imageOf = async (camera: Camera, index: number | null = null) => (await camera.image(index))!;

test('a changed mask holds for the next image, of frames that came before it too', async () => {
  const { camera, show, set } = makeCamera({});
  await show(frameOf(0));
  const before = await imageOf(camera);
  expect(await striped(before.jpeg, 0.2, 0.8)).toEqual([true, true]);
  set({ revision: 2, masks: [LEFT_HALF] });
  const after = await imageOf(camera, 0);
  expect(await striped(after.jpeg, 0.2, 0.8)).toEqual([false, true]);
  expect([before.privacyRevision, after.privacyRevision]).toEqual([1, 2]);
  await camera.close(false);
});

test('the detector sees the whole frame, unless masks are analysed: then they are black for it and in crops', async () => {
  const { camera, show, set, seenModels } = makeCamera({ masks: [LEFT_HALF] });
  await show(frameOf(0));
  expect(Buffer.from(seenModels[0]!).includes(0)).toBe(false);
  set({ masks: [LEFT_HALF], maskAnalysis: true });
  const frame = frameOf(1);
  await show(frame);
  const [model] = seenModels.slice(1);
  expect([...model!.subarray(0, 6), ...model!.subarray(15 * 3, 16 * 3)]).toEqual([
    ...[0, 0, 0, 0, 0, 0],
    ...frameOf(1).model.subarray(15 * 3, 16 * 3),
  ]);
  // What crops are cut out of.
  expect([frame.full!.data[10], frame.full!.data[WIDTH - 2]]).toEqual([16, 230]);
  await camera.close(false);
});

test('people of this frame and of the second before are hidden, with low scores too', async () => {
  const { camera, show } = makeCamera({ blurPeople: 'bodies' });
  await show(frameOf(0), person(0));
  for (let index = 1; index < 5; index++) await show(frameOf(index));
  await show(frameOf(5), person(0.7, 0.1));
  expect(await striped((await imageOf(camera)).jpeg, 0.1, 0.45, 0.8)).toEqual([false, true, false]);
  await show(frameOf(6));
  expect(await striped((await imageOf(camera)).jpeg, 0.1, 0.45, 0.8)).toEqual([true, true, false]);
  await camera.close(false);
});

test('a frame in which nobody looked for people is not shown: the newest one of before is, or nothing of it', async () => {
  const { camera, show, set } = makeCamera({});
  await show(frameOf(0), person(0));
  set({ revision: 2, blurPeople: 'faces' });
  const unknown = await imageOf(camera);
  expect(await striped(unknown.jpeg, 0.1, 0.45, 0.8)).toEqual([false, false, false]);
  await show(frameOf(1), person(0));
  await show({ ...frameOf(2), isDamaged: true });
  const newest = await imageOf(camera);
  expect(newest.capturedAtMs).toBe(1_200);
  expect(await striped(newest.jpeg, 0.45, 0.8)).toEqual([true, true]);
  await camera.close(false);
});

test('live pictures hide the same, and name the settings for which they were made', async () => {
  const { camera, show, pictures } = makeCamera({ revision: 7, masks: [LEFT_HALF], blurPeople: 'bodies' });
  camera.watch({ width: WIDTH, fps: 5, forMs: 60_000 });
  await show(frameOf(0), person(0.7));
  await eventually('a picture is made', async () => pictures.length === 1);
  const [{ jpeg, privacyRevision }] = pictures as [LivePicture];
  expect(privacyRevision).toBe(7);
  expect(await striped(jpeg, 0.2, 0.6, 0.8)).toEqual([false, true, false]);
  await camera.close(false);
});

test('for a check live pictures come with the people too, under the masks; no second one where nobody is hidden', async () => {
  const { camera, show, set, pictures } = makeCamera({ masks: [LEFT_HALF], blurPeople: 'bodies' });
  camera.watch({ width: WIDTH, fps: 5, forMs: 60_000, showsPeople: true });
  await show(frameOf(0), person(0.7));
  await eventually('a picture is made', async () => pictures.length === 1);
  const [{ jpeg, shown }] = pictures as [LivePicture];
  expect(await striped(jpeg, 0.2, 0.6, 0.8)).toEqual([false, true, false]);
  expect(await striped(shown!, 0.2, 0.6, 0.8)).toEqual([false, true, true]);
  set({ revision: 2, blurPeople: 'none' });
  await show(frameOf(1), person(0.7));
  await eventually('another is made', async () => pictures.length === 2);
  expect(pictures[1]!.shown).toHaveLength(0);
  camera.watch({ width: WIDTH, fps: 5, forMs: 60_000 });
  await show(frameOf(2), person(0.7));
  await eventually('a third is made', async () => pictures.length === 3);
  expect(pictures[2]!.shown).toBeUndefined();
  await camera.close(false);
});

describe('of a camera that skips frames in which nothing changes', () => {
  const unchanging: BrightnessCells = {
    ...{ count: 1, columns: 1, of: async () => Int32Array.of(0), release: async () => undefined },
  };
  /** The detector looks at the frames of the first second, 0 to 4. */
  const makeStill = async (privacy: Partial<Privacy>) => {
    const camera = makeCamera(privacy, unchanging);
    for (let index = 0; index < 8; index++) await camera.show(frameOf(index));
    expect(camera.seenModels).toHaveLength(5);
    expect(camera.camera.stats()).toMatchObject({ processedFrames: 8, skippedFrames: 3 });
    return camera;
  };

  test('where people are hidden, an image shows the last frame at which the detector has looked', async () => {
    const { camera } = await makeStill({ blurPeople: 'bodies' });
    for (const index of [null, 6, 4]) {
      const image = await imageOf(camera, index);
      expect(image.capturedAtMs).toBe(frameOf(4).timeMs);
      expect(await striped(image.jpeg, 0.2, 0.8)).toEqual([true, true]);
    }
    expect((await imageOf(camera, 2)).capturedAtMs).toBe(frameOf(2).timeMs);
    await camera.close(false);
  });

  test('where nobody is hidden, an image shows the frame itself', async () => {
    const { camera } = await makeStill({});
    expect((await imageOf(camera, 6)).capturedAtMs).toBe(frameOf(6).timeMs);
    await camera.close(false);
  });

  test.each([
    ['bodies', 6],
    ['none', 5],
  ] as const)('while somebody watches, with people hidden: %s', async (blurPeople, looks) => {
    const { camera, show, pictures, seenModels } = await makeStill({ blurPeople });
    camera.watch({ width: 640, fps: 5, forMs: 10_000 });
    await show(frameOf(8));
    await eventually('a live picture', async () => pictures.length === 1);
    expect(pictures[0]!.capturedAtMs).toBe(frameOf(8).timeMs);
    expect(await striped(pictures[0]!.jpeg, 0.2, 0.8)).toEqual([true, true]);
    expect(seenModels).toHaveLength(looks);
    await camera.close(false);
  });
});
