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
  const detector = { sizes: SIZES } as unknown as Detector;
  const region = new CameraRegion({ detector, isOpen }, requested);
  let timeMs = 0;
  /** @returns the window of the last frame */
  const show = (seconds: number) => {
    let window: ReturnType<CameraRegion['windowFor']>;
    for (const end = timeMs + seconds * 1000; timeMs < end; timeMs += 200) {
      window = region.windowFor(LETTERBOX, timeMs);
      region.see([PERSON], { letterbox: LETTERBOX, timeMs, window });
    }
    return window;
  };
  return { region, show };
}

describe('the part of the picture that a camera needs', () => {
  test('that of its zones once people are known', () => {
    const { region, show } = regionOfCamera(camera());
    expect(region.part).toBeNull();
    show(5);
    expect(region.part).toEqual(WHOLE);
    expect(show(35)).toMatchObject(SMALL);
    expect(region.part).toEqual({
      region: { left: 0.5, top: 1 / 3, width: 0.5, height: 2 / 3 },
      size: SMALL,
    });
  });

  test('other zones during a run: the whole picture from the next frame on', () => {
    const { region, show } = regionOfCamera(camera());
    expect(show(65)).toBeDefined();
    // The same zones under another run, and another setting of pictures, change nothing.
    region.set(camera({ scenes: [{ ...CORNER, runId: 'again' }], fps: 3 }));
    expect(show(1)).toBeDefined();
    region.set(camera({ scenes: [CORNER, OTHER] }));
    expect(show(0.2)).toBeUndefined();
    expect(region.part).toEqual(WHOLE);
  });

  test('several scenes: all their zones', () => {
    const { show } = regionOfCamera(camera({ scenes: [CORNER, OTHER] }));
    expect(show(65)).toBeUndefined();
  });

  test.each<[string, Partial<LaneCamera>]>([
    ['the device wants the whole picture', { analysisRegion: 'whole' }],
    ['people are hidden in pictures', { privacy: { ...NO_PRIVACY, blurPeople: 'faces' } }],
    ['a scene of vehicles', { scenes: [CORNER, sceneOf('cars', square(0.7, 0.7, 0.1), 'vehicle')] }],
    ['no scene', { scenes: [] }],
  ])('%s: all of it', (_, changes) => {
    const { region, show } = regionOfCamera(camera(changes));
    expect(show(120)).toBeUndefined();
    expect(region.part).toEqual(WHOLE);
    const later = regionOfCamera(camera());
    expect(later.show(65)).toBeDefined();
    later.region.set(camera(changes));
    expect(later.show(0.2)).toBeUndefined();
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
  expect(show(65)).toBeUndefined();
  expect(region.part).toEqual(WHOLE);
  open(null);
  await new Promise(setImmediate);
  expect(show(1)).toMatchObject(SMALL);
  expect(tried).toEqual([SMALL]);

  const failing = sizesOf();
  expect(failing.has(SMALL)).toBe(false);
  open(new Error('no memory'));
  await new Promise(setImmediate);
  expect(failing.has(SMALL)).toBe(false);
  expect(tried).toHaveLength(2);
});
