import { describe, expect, test } from '@jest/globals';
import { CameraRegion } from '../../../src/lanes/host/camera-region.ts';
import { OpenSizes } from '../../../src/lanes/host/open-sizes.ts';
import type { LaneCamera } from '../../../src/lanes/lane-protocol.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import type { Detector, NetworkSize } from '../../../src/vision/detect/detector.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';
import { WHOLE_PICTURE } from '../../../src/vision/region.ts';
import type { AnalysisClass, Detection, Letterbox, Polygon } from '../../../src/vision/types.ts';

const LETTERBOX: Letterbox = { inputWidth: 512, inputHeight: 384, contentWidth: 512, contentHeight: 288 };
const WHOLE = { region: WHOLE_PICTURE, size: { width: 512, height: 384 } };
const SMALL = { width: 256, height: 192 };
const SIZES = [{ width: 512, height: 384 }, { width: 384, height: 288 }, SMALL];
const PIXELS = new Uint8Array(0);
const PERSON: Detection = { box: { left: 0.78, top: 0.6, right: 0.82, bottom: 0.8 }, score: 0.9, classId: 0 };

const square = (left: number, top: number, side: number): Polygon => ({
  type: 'polygon',
  points: [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ],
});
const sceneOf = (runId: string, queueZone: Polygon, name: AnalysisClass = 'person') => ({
  ...{ sceneId: runId, runId, checkpoint: null },
  config: {
    zones: { queueZone },
    parameters: {
      ...{ confidenceThreshold: 0.5, class: name, entryThresholdSeconds: 1, exitThresholdSeconds: 1 },
      trackingMaxAgeSeconds: 5,
    },
  },
});
const CORNER = sceneOf('corner', square(0.7, 0.7, 0.2));
const OTHER = sceneOf('other', square(0.05, 0.7, 0.2));
const camera = (changes: Partial<LaneCamera> = {}): LaneCamera => ({
  ...{ deviceId: 'till', url: 'rtsp://camera/1', networks: [], fps: 5, attributes: false },
  ...{ analysisRegion: 'zones', privacy: NO_PRIVACY, scenes: [CORNER] },
  ...changes,
});

function regionOfCamera(requested: LaneCamera, isOpen: (size: NetworkSize) => boolean = () => true) {
  const detector = { inputWidth: 512, inputHeight: 384, sizes: SIZES } as unknown as Detector;
  const region = new CameraRegion({ detector, isOpen }, requested);
  let timeMs = 0;
  /** @returns the view of the last frame */
  const show = async (seconds: number) => {
    let view: ReturnType<CameraRegion['viewFor']>;
    for (const end = timeMs + seconds * 1000; timeMs < end; timeMs += 200) {
      view = region.viewFor(LETTERBOX, timeMs);
      await region.see([PERSON], { model: PIXELS, letterbox: LETTERBOX, timeMs, view });
    }
    return view;
  };
  return { region, show };
}

describe('the part of the picture that a camera needs', () => {
  test('that of its zones once people are known', async () => {
    const { region, show } = regionOfCamera(camera());
    expect(region.part).toBeNull();
    await show(5);
    expect(region.part).toEqual(WHOLE);
    expect(await show(35)).toMatchObject(SMALL);
    expect(region.part).toEqual({
      region: { left: 0.5, top: 1 / 3, width: 0.5, height: 2 / 3 },
      size: SMALL,
    });
  });

  test('other zones during a run: the whole picture from the next frame on', async () => {
    const { region, show } = regionOfCamera(camera());
    expect(await show(65)).toBeDefined();
    // The same zones under another run, and another setting of pictures, change nothing.
    region.set(camera({ scenes: [{ ...CORNER, runId: 'again' }], fps: 3 }));
    expect(await show(1)).toBeDefined();
    region.set(camera({ scenes: [CORNER, OTHER] }));
    expect(await show(0.2)).toBeUndefined();
    expect(region.part).toEqual(WHOLE);
  });

  test('several scenes: all their zones', async () => {
    const { show } = regionOfCamera(camera({ scenes: [CORNER, OTHER] }));
    expect(await show(65)).toBeUndefined();
  });

  test.each<[string, Partial<LaneCamera>]>([
    ['the device wants the whole picture', { analysisRegion: 'whole' }],
    ['people are hidden in pictures', { privacy: { ...NO_PRIVACY, blurPeople: 'faces' } }],
    ['a scene of vehicles', { scenes: [CORNER, sceneOf('cars', square(0.7, 0.7, 0.1), 'vehicle')] }],
    ['no scene', { scenes: [] }],
  ])('%s: all of it', async (_, changes) => {
    const { region, show } = regionOfCamera(camera(changes));
    expect(await show(120)).toBeUndefined();
    expect(region.part).toEqual(WHOLE);
    const later = regionOfCamera(camera());
    expect(await later.show(65)).toBeDefined();
    later.region.set(camera(changes));
    expect(await later.show(0.2)).toBeUndefined();
  });
});

test('frames go on with the whole picture while a network is opened; one that cannot be opened is not tried again', async () => {
  let open = (_: Error | null): void => undefined;
  const tried: NetworkSize[] = [];
  const prepare = (size: NetworkSize) => {
    tried.push(size);
    return new Promise<void>((resolve, reject) => {
      open = (error) => (error ? reject(error) : resolve());
    });
  };
  const sizesOf = () =>
    new OpenSizes({ prepare } as unknown as Detector, createLogger({ level: 'silent' } as never));
  const sizes = sizesOf();
  const { region, show } = regionOfCamera(camera(), (size) => sizes.has(size));
  expect(await show(65)).toBeUndefined();
  expect(region.part).toEqual(WHOLE);
  open(null);
  await new Promise(setImmediate);
  expect(await show(1)).toMatchObject(SMALL);
  expect(tried).toEqual([SMALL]);

  const failing = sizesOf();
  expect(failing.has(SMALL)).toBe(false);
  open(new Error('no memory'));
  await new Promise(setImmediate);
  expect(failing.has(SMALL)).toBe(false);
  expect(tried).toHaveLength(2);
});

test('tall people in zones that need all of the picture: the shrunk picture, once it shows them as well', async () => {
  const views: unknown[] = [];
  const tall: Detection = { box: { left: 0.4, top: 0.1, right: 0.6, bottom: 0.9 }, score: 0.9, classId: 0 };
  const detector = {
    ...{ inputWidth: 512, inputHeight: 384, sizes: SIZES },
    detect: async (...[, , , view]: Parameters<Detector['detect']>) => {
      views.push(view);
      return [tall];
    },
  } as unknown as Detector;
  const everywhere = camera({ scenes: [sceneOf('all', square(0, 0, 1))] });
  const region = new CameraRegion({ detector, isOpen: () => true }, everywhere);
  for (let timeMs = 0; timeMs < 30_000; timeMs += 200) {
    const view = region.viewFor(LETTERBOX, timeMs);
    await region.see([tall], { model: PIXELS, letterbox: LETTERBOX, timeMs, view });
  }
  expect(region.viewFor(LETTERBOX, 30_000)).toBe('shrunk');
  expect(region.part).toEqual({ region: WHOLE_PICTURE, size: SMALL });
  expect(new Set(views)).toEqual(new Set(['shrunk']));
  expect(views.length).toBeLessThan(60);
});
