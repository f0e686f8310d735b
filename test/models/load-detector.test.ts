import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadDetector } from '../../src/models/load-detector.ts';
import { iou } from '../../src/vision/geometry.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { PEOPLE, scene } from './drawn-people.ts';

const MODELS_DIR = new URL('../../models', import.meta.url).pathname;
let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'models-'));
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

describe.each(IS_THOROUGH ? ['nanodet-g-int8', 'nanodet-g'] : ['nanodet-g-int8'])(
  '%s out of the npm package',
  (model) => {
    test('finds the people that are drawn, and nobody else', async () => {
      const detector = await loadDetector({ model, modelsDir: MODELS_DIR, cacheDir });
      try {
        const { pixels, letterbox } = await scene(detector.inputWidth, detector.inputHeight);
        const found = await detector.detect(pixels, letterbox, 0.4);
        expect(found.map(({ classId }) => classId)).toEqual([0, 0]);
        for (const box of PEOPLE)
          expect(Math.max(...found.map((one) => iou(one.box, box)))).toBeGreaterThan(0.7);
        for (const { appearance } of found) {
          const [torsoRed = 0, torsoGreen = 0, , legsRed = 0, legsGreen = 0, legsBlue = 0] = appearance!;
          expect([torsoRed, torsoGreen].map((value) => Math.round(value / 30))).toEqual([5, 2]);
          expect(Math.max(legsRed, legsGreen, legsBlue)).toBeLessThan(110);
        }
        const faint = await detector.detect(pixels, letterbox, 0.05);
        expect(faint.length).toBeGreaterThan(found.length);
        expect(faint.slice(0, 2)).toEqual(found);
      } finally {
        await detector.dispose();
      }
    });
  },
);
