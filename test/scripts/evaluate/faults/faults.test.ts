import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readUnscored, type Sighted, sightingsOf } from '../../../../scripts/evaluate/faults/sightings.ts';
import { withSimulatedBoxes } from '../../../../scripts/evaluate/faults/simulated.ts';
import { statisticsOf } from '../../../../scripts/evaluate/faults/statistics.ts';
import { type Footage, readFootage } from '../../../../scripts/evaluate/footage/footage.ts';
import type { MotRow } from '../../../../scripts/evaluate/footage/mot-files.ts';
import { MOT17_FAULTS } from '../../../../src/simulator/faults/fault-rates.ts';
import type { Box, Detection } from '../../../../src/vision/types.ts';

/** A picture of 100 × 100, so that pixels are hundredths. */
const FRAME_SIZE = { width: 100, height: 100 };
const person = (id: number, left: number, top: number, size = { width: 10, height: 30 }): MotRow => ({
  ...{ frame: 1, id, left, top, confidence: 1, classId: 1 },
  ...size,
});
const found = (left: number, top: number, [width, height]: [number, number], score = 0.9): Detection => ({
  box: { left: left / 100, top: top / 100, right: (left + width) / 100, bottom: (top + height) / 100 },
  ...{ score, classId: 0 },
});

function footageOf(frames: readonly { truth: MotRow[]; detections: Detection[] }[]): Footage {
  return {
    ...{
      name: 'made-up',
      camera: 'static',
      size: FRAME_SIZE,
      framesPerSecond: 5,
      trajectories: [],
      video: null,
    },
    frames: frames.map((frame, at) => ({ frame: at + 1, timeMs: at * 200, ...frame })),
  };
}

const nothing = (footage: Footage): MotRow[][] => footage.frames.map(() => []);
const watch = (truth: MotRow[], detections: Detection[], unscored: MotRow[] = []): Sighted =>
  sightingsOf(footageOf([{ truth, detections }]), [unscored]);

describe('the detection of a person', () => {
  const ALONE = person(1, 40, 40);

  test.each([
    ['a box in the same place', [found(40, 41, [10, 30])], 0],
    [
      'the box with the higher score, even if the other overlaps more',
      [found(41, 41, [10, 30]), found(40, 40, [10, 30], 0.2)],
      0,
    ],
    ['an upper body', [found(40, 40, [10, 14])], 0],
    ['no box', [], null],
    ['a box elsewhere', [found(70, 40, [10, 30])], null],
    ['a box with a score below the minimum', [found(40, 40, [10, 30], 0.05)], null],
    ['the legs only', [found(40, 58, [10, 12])], null],
  ])('%s is assigned as expected', (_, detections, expected) => {
    const [sighting] = watch([ALONE], detections).sightings;
    expect(sighting!.found).toBe(expected === null ? null : detections[expected]);
  });

  test('two people get one box each, and a third box inside one of them is a second box', () => {
    const boxes = [found(40, 40, [10, 30]), found(55, 40, [10, 30]), found(41, 44, [9, 24], 0.3)];
    const { sightings, falseBoxes } = watch([ALONE, person(2, 55, 40)], boxes);
    expect(sightings.map((one) => one.found)).toEqual(boxes.slice(0, 2));
    expect(sightings.map((one) => one.duplicates)).toEqual([[boxes[2]], []]);
    expect(falseBoxes).toEqual([[]]);
  });

  test('a box where nobody is counts as false, unless ground truth that is not scored is there', () => {
    const box = found(70, 40, [10, 30]);
    expect(watch([ALONE], [box]).falseBoxes).toEqual([[box]]);
    expect(watch([ALONE], [box], [person(9, 71, 41)]).falseBoxes).toEqual([[]]);
  });

  test('the visible share is that of the file, or else follows from the people in front', () => {
    const nearer = person(2, 40, 55);
    const [behind] = watch([ALONE, nearer], []).sightings;
    expect(behind!.view).toEqual({ visible: 0.5, legs: 0 });
    const [told] = watch([{ ...ALONE, visibility: 0.8 }, nearer], []).sightings;
    expect(told!.view).toEqual({ visible: 0.8, legs: 0 });
  });
});

describe('the statistics', () => {
  const BODY: [number, number] = [10, 30];
  /** `x` found, `?` unsure, `-` missed, `u` upper body only, `2` found twice, `!` with a box of nobody. */
  const SAID: Record<string, Detection[]> = {
    x: [found(40, 40, BODY)],
    '?': [found(40, 40, BODY, 0.4)],
    '-': [],
    u: [found(40, 40, [10, 18])],
    2: [found(40, 40, BODY), found(41, 42, BODY, 0.3)],
    '!': [found(40, 40, BODY), found(80, 10, BODY)],
  };
  const watchAll = (pattern: string) => {
    const footage = footageOf(
      [...pattern].map((letter, at) => ({
        truth: [{ ...person(1, 40, 40), frame: at + 1 }],
        detections: SAID[letter]!,
      })),
    );
    return statisticsOf([sightingsOf(footage, nothing(footage))]);
  };
  const ofVisible = ({ found: rates }: ReturnType<typeof watchAll>) => rates.find((one) => one.of > 0)!;

  test('missed people, low scores and the lengths of misses are counted', () => {
    const statistics = watchAll('xx--x--x?x');
    expect(ofVisible(statistics)).toMatchObject({
      ...{ visible: '≥ 0.95', height: '0.2-0.35', of: 10 },
      ...{ missed: { of: 10, rate: 0.4 }, unsure: { of: 10, rate: 0.1 } },
    });
    expect(statistics.missedRuns).toMatchObject({ runs: 2, median: 0.4 });
    expect(statistics.missedAgain[0]).toEqual({ seconds: 0.2, rate: { of: 4, rate: 0.5 } });
  });

  test('upper bodies, second boxes and boxes of nobody are counted', () => {
    const statistics = watchAll('xxxu22!!xx');
    expect(statistics.partial.at(-1)).toEqual({ legs: '≥ 0.9', rate: { of: 10, rate: 0.1 } });
    expect(statistics.duplicate).toEqual({ of: 10, rate: 0.2 });
    expect(statistics.sureDuplicate).toEqual({ of: 10, rate: 0 });
    expect(statistics.falsePerFrame).toBeCloseTo(0.2);
    expect(statistics.falseAgain).toEqual({ of: 2, rate: 0.5 });
    expect(statistics.duplicateAt.top).toBeCloseTo(2 / 30);
  });
});

describe('the fault layer on real people', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faults-test-'));
    await mkdir(join(folder, 'gt'));
    await mkdir(join(folder, 'det'));
    await writeFile(
      join(folder, 'seqinfo.ini'),
      '[Sequence]\nname=made-up\nframeRate=5\nseqLength=400\nimWidth=100\nimHeight=100\n',
    );
    const rows = Array.from({ length: 400 }, (_, at) =>
      [10, 40, 70].map((left, id) => `${at + 1},${id + 1},${left},40,10,30,1,1,1`),
    ).flat();
    await writeFile(join(folder, 'gt', 'gt.txt'), [...rows, '3,9,5,5,10,30,0,7,1'].join('\n'));
    await writeFile(join(folder, 'det', 'det.txt'), '1,-1,10,40,10,30,0.9\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('misses people at the configured rate, and does not use the detections of the file', async () => {
    const footage = await readFootage(folder, 'unused');
    const unscored = await readUnscored(folder, footage.frames.length);
    expect(unscored[2]).toHaveLength(1);
    const boxesOf = (of: Footage): Box[] =>
      of.frames.flatMap(({ detections }) => detections.map(({ box }) => box));
    expect(boxesOf(footage)).toHaveLength(1);
    const missing = {
      ...MOT17_FAULTS,
      found: { edges: [], values: [{ edges: [], values: [{ missed: 0.3, unsure: 0 }] }] },
    };
    const watched = [1, 2, 3, 4].map((seed) =>
      sightingsOf(withSimulatedBoxes(footage, missing, seed), unscored),
    );
    const sightings = watched.flatMap((one) => one.sightings);
    const missed = sightings.filter((one) => one.found === null).length / sightings.length;
    expect(missed).toBeGreaterThan(0.25);
    expect(missed).toBeLessThan(0.35);
  });
});
