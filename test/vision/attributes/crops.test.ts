import { describe, expect, test } from '@jest/globals';
import { classificationOf } from '../../../src/models/card-attribute-model.ts';
import { classifyBags } from '../../../src/vision/attributes/bags.ts';
import { Budget } from '../../../src/vision/attributes/budget.ts';
import { cropQuality } from '../../../src/vision/attributes/crop-quality.ts';

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const frameWith = (step: number) => {
  const [width, height] = [200, 400];
  const data = new Uint8Array(width * height * 1.5).fill(128);
  for (let at = 0; at < width * height; at++) data[at] = 100 + (at % 2) * step;
  return { index: 0, timeMs: 0, width, height, colourMatrix: 'bt601' as const, data };
};

describe('the quality of a crop', () => {
  const person = box(0.4, 0.2, 0.6, 0.7);
  test.each([
    ['is 1: alone and sharp', person, [], 12, 1],
    ['is halved: blurred', person, [], 0, 0.5],
    ['is 0: too small', box(0.4, 0.2, 0.5, 0.35), [], 12, 0],
    ['a third outside the frame', box(-0.07, 0.2, 0.14, 0.7), [], 12, 0.67],
    ['mostly outside', box(-0.15, 0.2, 0.05, 0.7), [], 12, 0],
    ['a nearer person covers most of it', person, [box(0.42, 0.3, 0.7, 0.9)], 12, 0],
    ['a person farther away covers nothing', person, [box(0.42, 0.1, 0.7, 0.6)], 12, 1],
  ])('%s', (_, body, others, step, expected) => {
    expect(cropQuality(frameWith(step), body, [body, ...others])).toBeCloseTo(expected, 1);
  });
});

describe('the bags of people', () => {
  const people = [box(0.1, 0.1, 0.2, 0.6), box(0.3, 0.1, 0.4, 0.6)];
  const detection = (classId: number, at: ReturnType<typeof box>, score = 0.6) => ({
    classId,
    box: at,
    score,
  });
  const NONE = { backpack: 0, handBag: 0 };
  test.each([
    [
      'a backpack belongs to the person who covers it',
      detection(24, box(0.12, 0.2, 0.19, 0.35)),
      [{ ...NONE, backpack: 1 }, NONE],
    ],
    [
      'a handbag belongs to the nearer person',
      detection(26, box(0.39, 0.4, 0.42, 0.5)),
      [NONE, { ...NONE, handBag: 1 }],
    ],
    [
      'a bag with a low score belongs to nobody',
      detection(24, box(0.12, 0.2, 0.19, 0.35), 0.2),
      [NONE, NONE],
    ],
    ['a bag on the floor belongs to nobody', detection(26, box(0.7, 0.7, 0.75, 0.8)), [NONE, NONE]],
    ['a bag larger than a trunk belongs to nobody', detection(24, box(0.1, 0.1, 0.2, 0.5)), [NONE, NONE]],
  ])('%s', (_, bag, expected) => {
    expect(classifyBags(people, [bag])).toEqual(expected);
  });
});

test('a budget of 4 % allows ten milliseconds of work in 250, and saves up at most 160', () => {
  const budget = new Budget(0.04);
  expect(budget.allows(0)).toBe(true);
  budget.spent(10);
  expect([budget.allows(249), budget.allows(250)]).toEqual([false, true]);
  expect(budget.allows(60_000)).toBe(true);
  budget.spent(160);
  expect(budget.allows(60_000)).toBe(true);
  budget.spent(10);
  expect(budget.allows(60_100)).toBe(false);
});

test('a classification maps the threshold of each output to one half', () => {
  const outputs = [
    { name: 'is_male', yes: 'male' as const, no: 'female' as const, threshold: 0.5 },
    { name: 'Glasses', yes: 'glasses' as const, threshold: 0.3 },
    { name: 'has_bag', threshold: 0.5 },
  ];
  const { male, female, glasses, ...none } = classificationOf(outputs, Float32Array.of(0.25, 0.3, 0.9));
  expect([male, female]).toEqual([0.25, 0.75]);
  expect(glasses).toBeCloseTo(0.5);
  expect(none).toEqual({});
});
