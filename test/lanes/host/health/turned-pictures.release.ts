import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TurnedWatch } from '../../../../src/lanes/host/health/turned-watch.ts';
import { type LoadedDetector, loadDetector } from '../../../../src/models/load-detector.ts';
import { loadConfig, MODELS_DIR } from '../../../../src/platform/config.ts';
import { ShopFrames } from '../../../../src/simulator/shop-frames.ts';
import { frameOfRgb } from '../../../../src/video/picture/from-rgb.ts';
import { modelInputOf } from '../../../../src/video/picture/model-input.ts';
import { type Rotation, turnedSize, turnRgb } from '../../../../src/video/picture/turn.ts';

const FRAMES = 20;
const STEP_MS = 2_000;

let detector: LoadedDetector;
/** Pictures of the simulated shop. */
const pictures: Uint8Array[] = [];
const shop = new ShopFrames({ seed: 1, startMs: 360_000, scenario: 'classic', fps: 1000 / STEP_MS });

beforeAll(async () => {
  const cacheDir = loadConfig({}).modelCacheDir;
  detector = await loadDetector({ model: 'nanodet-g', modelsDir: MODELS_DIR, cacheDir });
  for (let at = 0; at < FRAMES; at++) {
    const rgb = new Uint8Array(shop.width * shop.height * 3);
    await shop.prepare(at * STEP_MS);
    shop.frame(at * STEP_MS, rgb);
    pictures.push(rgb);
  }
});
afterAll(async () => {
  await detector?.dispose();
});

test.each([
  [0, null],
  [90, 270],
  [180, 180],
  [270, 90],
] as const)('people of a shop whose pictures are turned by %i degrees want %p', async (turned, wanted) => {
  const watch = new TurnedWatch(0, FRAMES * STEP_MS);
  const size = turnedSize(shop, turned as Rotation);
  for (const [at, rgb] of pictures.entries()) {
    const frame = modelInputOf(frameOfRgb(turnRgb(rgb, shop, turned), size), detector);
    const found = await detector.detect(frame.model, frame.letterbox, 0.3);
    await watch.see(found, { ...frame, timeMs: at * STEP_MS }, (...look) => detector.detect(...look));
  }
  expect(watch.wanted).toBe(wanted);
});
