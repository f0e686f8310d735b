import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Quality } from '../../../scripts/evaluate/detector/score-quality.ts';
import {
  type ClassCalibration,
  calibrateScores,
  LEAST_BOXES,
  writeScores,
} from '../../../scripts/models/calibrate-scores.ts';
import { calibrationText } from '../../../scripts/models/calibration-text.ts';
import { scoresOf } from '../../../scripts/models/status.ts';
import { DEFAULT_MODEL, readDetectorCard } from '../../../src/models/cards.ts';
import type { ScoreCurve } from '../../../src/vision/detect/score-curves.ts';

const MODELS_DIR = join(import.meta.dirname, '../../../models');
let dir: string;
let modelsDir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'scores-'));
  modelsDir = join(dir, 'models');
  await mkdir(modelsDir);
  for (const file of [`${DEFAULT_MODEL}.json`, `${DEFAULT_MODEL}.ranges.json`]) {
    await copyFile(join(MODELS_DIR, file), join(modelsDir, file));
  }
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const quality: Quality = {
  ...{ ap50: 0.6, ap: 0.3, error: 0.05 },
  near: { objects: 50, recall: 0.8, precision: 0.9 },
  bins: [{ from: 0.6, boxes: 40, meanScore: 0.65, precision: 0.7 }],
};
const curve: ScoreCurve = { constant: -1, score: 3, height: 0.5, scoreByHeight: 0.1, heights: [10, 400] };
const person: ClassCalibration = {
  ...{ name: 'person', right: 150, wrong: 900, curve, raw: quality },
  heldOut: { splits: [quality], pooled: quality },
};
const vehicle: ClassCalibration = {
  ...{ name: 'vehicle', right: 20, wrong: 900, raw: quality, curve: null, heldOut: null },
};

describe('the card of the model', () => {
  const write = (classes: ClassCalibration[]) =>
    writeScores(DEFAULT_MODEL, { pictures: 64, classes }, { modelsDir, data: 'a test' });

  test('gets the curves and their source, and nothing else changes', async () => {
    const before = await readDetectorCard(modelsDir, DEFAULT_MODEL);
    const file = await write([person, vehicle]);
    const { scores, ...rest } = await readDetectorCard(modelsDir, DEFAULT_MODEL);
    expect(scores).toMatchObject({ person: curve, fitted: { data: 'a test', pictures: 64 } });
    expect(scores?.vehicle).toBeUndefined();
    expect(rest).toEqual({ ...before, scores: undefined });
    expect(await readFile(file, 'utf8')).toContain('"heights": [10, 400]');
    expect(scoresOf({ scores })).toBe('probabilities (person)');
  });

  test('has no curves where no class got one', async () => {
    await write([{ ...person, curve: null }, vehicle]);
    const { scores } = await readDetectorCard(modelsDir, DEFAULT_MODEL);
    expect(scores).toBeUndefined();
    expect(scoresOf({ scores })).toBe('raw');
  });
});

test('the text says which scores stay raw and why', () => {
  const text = (one: ClassCalibration) => calibrationText({ pictures: 64, classes: [one] }, null);
  expect(text(vehicle)).toContain(
    `20 right and 900 wrong boxes; a fit needs at least ${LEAST_BOXES} of both`,
  );
  expect(text({ ...person, curve: null })).toContain('does not improve the scores of person: they stay raw');
  expect(text(person)).toContain('"scoreByHeight":0.1');
});

describe('a folder of images', () => {
  const folders = async (name: string, pictures: number, label?: string) => {
    const [images, labels] = [join(dir, name, 'images'), join(dir, name, 'labels')];
    await mkdir(images, { recursive: true });
    await mkdir(labels);
    for (let i = 0; i < pictures; i++) {
      await sharp({ create: { width: 64, height: 48, channels: 3, background: '#727272' } })
        .png()
        .toFile(join(images, `${i}.png`));
      if (label) await writeFile(join(labels, `${i}.txt`), label);
    }
    return { images, labels, modelsDir, cacheDir: join(dir, 'cache') };
  };

  test('of too few boxes leaves the scores raw', async () => {
    const { pictures, classes } = await calibrateScores(DEFAULT_MODEL, await folders('few', 2));
    expect(pictures).toBe(2);
    expect(classes.map((one) => one.curve)).toEqual([null, null]);
  });

  test.each<[string, number, string | undefined, RegExp]>([
    ['without pictures', 0, undefined, /No JPEG or PNG images in/],
    ['with one picture', 1, undefined, /is too few/],
    [
      'with a label of words',
      2,
      'person 0.5 0.5 1 1\n',
      /[01]\.txt, line 1: expected "class x y width height"/,
    ],
    ['with a label of four numbers', 2, '\n0 0.5 0.5 1\n', /[01]\.txt, line 2: expected/],
  ])('%s is refused', async (name, pictures, label, sentence) => {
    await expect(calibrateScores(DEFAULT_MODEL, await folders(name, pictures, label))).rejects.toThrow(
      sentence,
    );
  });

  test('that does not exist is refused', async () => {
    const places = await folders('lost', 1);
    await expect(calibrateScores(DEFAULT_MODEL, { ...places, labels: join(dir, 'x') })).rejects.toThrow(
      /There is no folder/,
    );
  });
});
