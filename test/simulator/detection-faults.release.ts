import { describe, expect, test } from '@jest/globals';
import { type BoxView, boxViewOf, type PlacedBox } from '../../src/simulator/faults/box-cover.ts';
import { type Body, DetectionFaults } from '../../src/simulator/faults/detection-faults.ts';
import {
  type FaultRates,
  MOT17_FAULTS,
  PETS_FAULTS,
  valueAt,
} from '../../src/simulator/faults/fault-rates.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { Wander } from '../../src/simulator/wander.ts';
import { height, iou } from '../../src/vision/geometry.ts';
import type { Detection } from '../../src/vision/types.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

const CLOTHES = [200, 0, 0, 0, 0, 200];
const PEOPLE = IS_THOROUGH ? 400 : 100;
const FRAMES = 50;
const FRAME_MS = 200;

/** A person 0.3 high in the middle of the frame. */
const STANDING: Body = { id: 1, box: { left: 0.45, right: 0.55, top: 0.4, bottom: 0.7 }, clothes: CLOTHES };
/** A nearer person whose box covers the lower half of the first one's. */
const BEFORE: Body = { id: 2, box: { left: 0.4, right: 0.6, top: 0.55, bottom: 0.95 }, clothes: CLOTHES };

const HALF_OUTSIDE: PlacedBox = { box: { ...STANDING.box, left: -0.05, right: 0.05 } };

/** Without false boxes, which would count as those of people. */
const without = (rates: FaultRates, left: Partial<FaultRates> = {}): FaultRates => ({
  ...rates,
  falseBoxes: 0,
  ...left,
});

/** Many people, each alone or behind others, over ten seconds. @returns the detections of each in each frame */
function watchMany(rates: FaultRates, others: readonly Body[] = []): Detection[][][] {
  return Array.from({ length: PEOPLE }, (_, seed) => {
    const faults = new DetectionFaults(seed, rates);
    return Array.from({ length: FRAMES }, (_, frame) =>
      faults
        .detect([STANDING, ...others], frame * FRAME_MS)
        .filter(({ box }) => others.every((other) => iou(other.box, box) < iou(STANDING.box, box))),
    );
  });
}

const share = (all: readonly unknown[], part: readonly unknown[]) => part.length / all.length;

describe('a rank that changes slowly', () => {
  test('is below each rate as often as the rate says, in runs that end', () => {
    const ranks = Array.from({ length: 2000 }, (_, seed) => {
      const wander = new Wander(createRandom(seed), { lasting: 1, seconds: 2 });
      return Array.from({ length: 51 }, () => wander.next(0.2));
    });
    const all = ranks.flat();
    for (const rate of [0.05, 0.3, 0.9]) {
      expect(
        Math.abs(
          share(
            all,
            all.filter((rank) => rank < rate),
          ) - rate,
        ),
      ).toBeLessThan(0.02);
    }
    const again = (after: number) => {
      const low = ranks.filter((ofOne) => ofOne[0]! < 0.1);
      return share(
        low,
        low.filter((ofOne) => ofOne[after]! < 0.1),
      );
    };
    expect(again(1)).toBeGreaterThan(0.5);
    expect(again(50)).toBeLessThan(0.2);
  });
});

describe('the visible share of a box', () => {
  test.each([
    ['alone', STANDING, [], { visible: 1, legs: 1 }],
    ['behind a nearer person who covers the lower half', STANDING, [BEFORE], { visible: 0.5, legs: 0 }],
    ['before somebody whose box covers it', BEFORE, [STANDING], { visible: 1, legs: 1 }],
    ['half outside the frame', HALF_OUTSIDE, [], { visible: 0.5, legs: 0.5 }],
  ] as [string, PlacedBox, PlacedBox[], BoxView][])('%s', (_, body, others, expected) => {
    expect(boxViewOf(body, [body, ...others])).toEqual(expected);
  });
});

describe.each([
  ['MOT17', MOT17_FAULTS],
  ['PETS', PETS_FAULTS],
])('detections as on %s', (_, rates) => {
  test.each([
    ['alone', [] as Body[]],
    ['half covered', [BEFORE]],
  ])('are missed and unsure at the measured rates: %s', (_, others) => {
    const view = boxViewOf(STANDING, [STANDING, ...others]);
    const { missed, unsure } = valueAt(valueAt(rates.found, view.visible), height(STANDING.box));
    const sightings = watchMany(without(rates, { duplicate: 0 }), others).flat();
    const found = sightings.flat();
    const low = found.filter(({ score }) => score < 0.6);
    // Four standard errors of people who are watched for ten seconds each.
    const bound = (rate: number) => 4 * Math.sqrt((rate * (1 - rate)) / PEOPLE) + 0.002;
    expect(Math.abs(1 - found.length / sightings.length - missed)).toBeLessThan(bound(missed));
    expect(Math.abs(share(sightings, low) - unsure)).toBeLessThan(bound(unsure));
  });

  test('have errors of edges as large as measured, on both sides', () => {
    const wanted = valueAt(rates.edges, 1);
    const found = watchMany(without(rates, { duplicate: 0, partial: { edges: [], values: [0] } })).flat(2);
    const tops = found.map(({ box }) => (box.top - STANDING.box.top) / height(STANDING.box));
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean(tops))).toBeLessThan(0.1 * wanted.top + 0.001);
    expect(mean(tops.map(Math.abs)) / wanted.top).toBeGreaterThan(0.9);
    expect(mean(tops.map(Math.abs)) / wanted.top).toBeLessThan(1.1);
  });

  test('have second boxes and end above hidden legs as often as measured', () => {
    const sightings = watchMany(without(rates))
      .flat()
      .filter((boxes) => boxes.length > 0);
    const doubled = share(
      sightings,
      sightings.filter((boxes) => boxes.length > 1),
    );
    expect(Math.abs(doubled - rates.duplicate)).toBeLessThan(4 * Math.sqrt(rates.duplicate / PEOPLE));
    const still = without(rates, {
      duplicate: 0,
      edges: { edges: [], values: [{ left: 0, right: 0, top: 0, bottom: 0 }] },
    });
    const behind = watchMany(still, [BEFORE]).flat(2);
    const partial = behind.filter(({ box }) => box.bottom < 0.69);
    const [wanted] = rates.partial.values;
    expect(Math.abs(share(behind, partial) - wanted!)).toBeLessThan(4 * Math.sqrt(wanted! / PEOPLE));
  });

  test('have as many false boxes as measured', () => {
    const faults = new DetectionFaults(1, rates);
    const frames = 20_000;
    let boxes = 0;
    for (let frame = 0; frame < frames; frame++) boxes += faults.detect([], frame * FRAME_MS).length;
    expect(Math.abs(boxes / frames - rates.falseBoxes)).toBeLessThan(0.03 * (1 + rates.falseBoxes));
  });

  test('are the same for the same seed, others for another', () => {
    const boxes = (seed: number) => {
      const faults = new DetectionFaults(seed, rates);
      return Array.from({ length: 20 }, (_, frame) => faults.detect([STANDING, BEFORE], frame * FRAME_MS));
    };
    expect(boxes(3)).toEqual(boxes(3));
    expect(boxes(3)).not.toEqual(boxes(4));
  });
});

test('the colours of a part are those of the nearest person there', () => {
  const rates = without(PETS_FAULTS, {
    found: { edges: [], values: [{ edges: [], values: [{ missed: 0, unsure: 0 }] }] },
    partial: { edges: [], values: [0] },
    edges: { edges: [], values: [{ left: 0, right: 0, top: 0, bottom: 0 }] },
    duplicate: 0,
    light: 0,
    tint: 0,
  });
  const other: Body = { ...BEFORE, clothes: [0, 200, 0, 0, 200, 0] };
  const [behind, before] = new DetectionFaults(1, rates).detect([STANDING, other], 0);
  expect(before!.appearance).toEqual(other.clothes);
  expect(behind!.appearance!.slice(0, 3)).toEqual([200, 0, 0]);
  expect(behind!.appearance!.slice(3)).toEqual([0, 200, 0]);
});
