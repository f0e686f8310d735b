import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFootage, sampled } from '../../../../scripts/evaluate/footage/footage.ts';
import { findSequences } from '../../../../scripts/evaluate/footage/mot-files.ts';
import { visitsCommand } from '../../../../scripts/evaluate/visits/command.ts';
import {
  type FootPoint,
  interpolated,
  isInside,
  stays,
  type Zone,
} from '../../../../scripts/evaluate/visits/dwell.ts';
import { product, trueIdentities } from '../../../../scripts/evaluate/visits/observers.ts';
import { seenAround } from '../../../../scripts/evaluate/visits/part-of-picture.ts';
import { randomZones } from '../../../../scripts/evaluate/visits/random-zone.ts';
import { addVisits, figuresOf, scoreZone } from '../../../../scripts/evaluate/visits/score-zone.ts';
import type { Span } from '../../../../src/cameras/scenes/checks/times/match-spans.ts';
import { DEFAULT_MODEL } from '../../../../src/models/cards.ts';
import type { Detection } from '../../../../src/vision/types.ts';
import { fc } from '../../../support/property.ts';

const LEFT_HALF: Zone = [
  [0, 0],
  [0.5, 0],
  [0.5, 1],
  [0, 1],
];
const ONE_SECOND = { entryMs: 1000, exitMs: 1000 };

/** Five sightings a second: `i` inside the left half, `o` outside, `-` not seen. */
const trajectory = (pattern: string): FootPoint[] =>
  [...pattern].flatMap((letter, at) =>
    letter === '-' ? [] : [{ timeMs: at * 200, x: letter === 'i' ? 0.2 : 0.8, y: 0.5 }],
  );

describe('true stays', () => {
  test.each([
    ['a stay lasts from the first to the last sighting inside', 'oiiiiiioo', [[200, 1200]]],
    ['a stay shorter than the entry threshold does not count', 'oiiiiioooooo', []],
    ['an absence shorter than the exit threshold does not end a stay', 'iiiiiiooooiiiiii', [[0, 3000]]],
    [
      'an absence as long as the exit threshold does',
      'iiiiiiooooooiiiiii',
      [
        [0, 1000],
        [2400, 3400],
      ],
    ],
    [
      'a person who is not seen inside for longer has two stays',
      'iiiiii------iiiiii',
      [
        [0, 1000],
        [2400, 3400],
      ],
    ],
    ['a person who is never inside has no stay', 'oooooo', []],
  ])('%s', (_, pattern, expected) => {
    const found = stays(trajectory(pattern), LEFT_HALF, ONE_SECOND);
    expect(found).toEqual(expected);
  });

  test('positions between two sightings are interpolated linearly', () => {
    const found = interpolated(
      [
        { timeMs: 0, x: 0, y: 0.2 },
        { timeMs: 400, x: 0.4, y: 0.4 },
      ],
      [0, 200, 400, 600],
    );
    expect(found.map(({ timeMs }) => timeMs)).toEqual([0, 200, 400]);
    expect(found[1]!.x).toBeCloseTo(0.2);
    expect(found[1]!.y).toBeCloseTo(0.3);
  });
});

describe('random zones', () => {
  const always = () => true;
  const area = (zone: Zone): number =>
    Math.abs(
      zone.reduce((twice, [ax, ay], at) => {
        const [bx, by] = zone[(at + 1) % zone.length]!;
        return twice + ax * by - bx * ay;
      }, 0),
    ) / 2;

  test('are convex, of 5-30 % of the frame, and the same for the same seed', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const zones = randomZones({ seed, count: 3, sequence: 'A' }, always);
        expect(randomZones({ seed, count: 3, sequence: 'A' }, always)).toEqual(zones);
        for (const zone of zones) {
          expect(area(zone)).toBeGreaterThanOrEqual(0.05);
          expect(area(zone)).toBeLessThanOrEqual(0.3);
          const middles = zone.map(([ax, ay], at) => {
            const [bx, by] = zone[(at + 2) % zone.length]!;
            return [(ax + bx) / 2, (ay + by) / 2] as const;
          });
          expect(middles.every(([x, y]) => isInside(zone, x, y))).toBe(true);
        }
      }),
    );
  });

  test('differ between seeds and between sequences', () => {
    const first = randomZones({ seed: 1, count: 1, sequence: 'A' }, always);
    expect(randomZones({ seed: 2, count: 1, sequence: 'A' }, always)).not.toEqual(first);
    expect(randomZones({ seed: 1, count: 1, sequence: 'B' }, always)).not.toEqual(first);
  });

  test('a sequence without visited zones is an error', () => {
    expect(() => randomZones({ seed: 1, count: 1, sequence: 'Empty' }, () => false)).toThrow(
      /Empty: too few people visit any of 5000 random zones/,
    );
  });
});

describe('the figures', () => {
  const times = Array.from({ length: 51 }, (_, at) => at * 200);

  test('count each visit at most once, with a temporal IoU of at least one half', () => {
    const counts = scoreZone(
      [
        [0, 4000],
        [6000, 8000],
      ],
      [
        [400, 4000],
        [400, 3800],
        [7600, 10_000],
      ],
      times,
    );
    expect(figuresOf(counts)).toMatchObject({ truthVisits: 2, ourVisits: 3 });
    expect(figuresOf(counts)).toMatchObject({ f1: 0.4, precision: 0.3333, recall: 0.5 });
  });

  test('compare the queue lengths of all frames', () => {
    // Two people too few in one of five frames with three people each, one too many in another one.
    const truth: Span[] = [
      [0, 800],
      [0, 800],
      [0, 800],
    ];
    const ours: Span[] = [
      [0, 800],
      [0, 400],
      [0, 400],
      [200, 200],
    ];
    const figures = figuresOf(scoreZone(truth, ours, [0, 200, 400, 600, 800]));
    expect(figures).toMatchObject({ occupancyErrorPercent: 33.33, biasPercent: -20, meanAbsoluteError: 1 });
  });

  test('are sums over zones, and null where there is nothing to count', () => {
    const counts = scoreZone([[0, 1000]], [[0, 1000]], times);
    expect(figuresOf(addVisits([counts, scoreZone([[0, 1000]], [], times)]))).toMatchObject({
      ...{ truthVisits: 2, ourVisits: 1, f1: 0.6667, precision: 1, recall: 0.5 },
      ...{ meanDwellTrueSeconds: 1, meanDwellOursSeconds: 1 },
    });
    expect(figuresOf(addVisits([]))).toMatchObject({ f1: null, occupancyErrorPercent: null });
  });
});

describe('sequences in folders', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'visits-'));
    await sequence('Till');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const FRAMES = 300;
  const INFO = `[Sequence]\nname=Till\nframeRate=10\nseqLength=${FRAMES}\nimWidth=1000\nimHeight=500\n`;

  /** Six people stand in the picture one after the other, four seconds each, and step from left to right meanwhile. */
  function rows(column: (person: number, confidence: number) => string): string[] {
    return Array.from({ length: FRAMES }, (_, at) => at + 1).flatMap((frame) => {
      const person = Math.floor(frame / 50);
      const within = frame % 50;
      if (within >= 40) return [];
      return `${frame},${column(person + 1, 1)}`.replace('BOX', `${100 + within * 15},100,100,250`);
    });
  }

  async function sequence(
    name: string,
    files: Partial<Record<'gt' | 'det' | 'info', string>> = {},
  ): Promise<string> {
    const folder = join(root, name);
    for (const part of ['gt', 'det']) await mkdir(join(folder, part), { recursive: true });
    const gt = files.gt ?? rows((person) => `${person},BOX,1,1,1`).join('\n');
    const det = files.det ?? rows(() => '-1,BOX,0.9,-1,-1,-1').join('\n');
    await writeFile(join(folder, 'gt', 'gt.txt'), gt);
    await writeFile(join(folder, 'det', 'det.txt'), det);
    await writeFile(join(folder, 'seqinfo.ini'), files.info ?? INFO);
    return folder;
  }

  test('are found in the folder and up to two folders deeper', async () => {
    const outer = await mkdtemp(join(tmpdir(), 'visits-outer-'));
    try {
      await mkdir(join(outer, 'set', 'A', 'gt'), { recursive: true });
      await writeFile(join(outer, 'set', 'A', 'gt', 'gt.txt'), '');
      expect(await findSequences(outer)).toEqual([join(outer, 'set', 'A')]);
      await expect(findSequences(join(outer, 'none'))).rejects.toThrow(/is not a folder that can be read/);
      await rm(join(outer, 'set', 'A', 'gt'), { recursive: true });
      await expect(findSequences(outer)).rejects.toThrow(/holds no sequences/);
    } finally {
      await rm(outer, { recursive: true, force: true });
    }
  });

  test('the product and the true identities find every visit of people who come one by one', async () => {
    const footage = await readFootage(join(root, 'Till'), 'unused');
    const frames = sampled(footage, 5);
    const truth = footage.trajectories.flatMap((person) => stays(person, LEFT_HALF, ONE_SECOND));
    expect(truth).toHaveLength(6);
    const parameters = {
      ...{ confidenceThreshold: 0.6, entryThresholdSeconds: 1 },
      ...{ exitThresholdSeconds: 1, trackingMaxAgeSeconds: 5 },
    };
    const times = frames.map(({ timeMs }) => timeMs);
    for (const observe of [product(frames, parameters), trueIdentities(frames, footage, ONE_SECOND)]) {
      expect(figuresOf(scoreZone(truth, observe(LEFT_HALF), times)).f1).toBe(1);
    }
  });

  test('sampled frames are nearest to the rate; all frames where the sequence has no more', async () => {
    const footage = await readFootage(join(root, 'Till'), 'unused');
    expect(
      sampled(footage, 4)
        .slice(0, 5)
        .map(({ frame }) => frame),
    ).toEqual([1, 4, 6, 9, 11]);
    expect(sampled(footage, 50)).toHaveLength(FRAMES);
  });

  test('the order of rows does not matter, and rows of other objects than people are ignored', async () => {
    const sorted = rows((person) => `${person},BOX,1,1,1`);
    const ignored = rows(() => '99,BOX,0,7,1');
    const mixed = await sequence('Mixed', { gt: [...ignored, ...sorted.toReversed()].join('\n') });
    const [mixedTrajectories, trajectories] = [
      (await readFootage(mixed, 'unused')).trajectories,
      (await readFootage(join(root, 'Till'), 'unused')).trajectories,
    ];
    expect(mixedTrajectories.toSorted((a, b) => a[0]!.timeMs - b[0]!.timeMs)).toEqual(trajectories);
    await rm(mixed, { recursive: true });
  });

  test.each([
    ['no person', { gt: '1,1,0,0,10,20,0,1,1\n' }, /gt\.txt has no person/],
    ['a person twice in a frame', { gt: '1,1,0,0,10,20,1,1,1\n1,1,5,0,10,20,1,1,1\n' }, /twice in frame 1/],
    ['a frame beyond the end', { gt: '999,1,0,0,10,20,1,1,1\n' }, /has frame 999/],
    ['words', { det: 'one,two\n' }, /det\.txt:1 is no MOTChallenge row/],
    ['an unknown kind of camera', { info: `${INFO}camera=drone\n` }, /must be static or moving, not drone/],
    ['no frame rate', { info: '[Sequence]\nname=A\n' }, /has no seqLength/],
  ])('a sequence with %s is an error that names the file', async (name, files, message) => {
    const folder = await sequence(`bad ${name}`, files);
    await expect(readFootage(folder, 'unused')).rejects.toThrow(message);
    await rm(folder, { recursive: true });
  });

  test('the kind of camera comes from seqinfo.ini, or from the names of known sequences', async () => {
    const moving = await sequence('Moving', { info: `${INFO}camera=moving\n` });
    const known = await sequence('Known', { info: INFO.replace('name=Till', 'name=MOT17-13-FRCNN') });
    expect((await readFootage(moving, 'unused')).camera).toBe('moving');
    expect((await readFootage(known, 'unused')).camera).toBe('moving');
    expect((await readFootage(join(root, 'Till'), 'unused')).camera).toBe('static');
    for (const folder of [moving, known]) await rm(folder, { recursive: true });
  });

  test('detections of a file are cut at the edges of the part around a zone, with what lies outside left out', async () => {
    const small = (row: string) => row.replace(',100,100,250', ',100,100,50');
    const folder = await sequence('Small', {
      gt: rows((person) => `${person},BOX,1,1,1`)
        .map(small)
        .join('\n'),
      det: rows(() => '-1,BOX,0.9,-1,-1,-1')
        .map(small)
        .join('\n'),
    });
    const footage = await readFootage(folder, 'unused');
    const zone = [
      [0.05, 0.25],
      [0.42, 0.25],
      [0.42, 0.35],
      [0.05, 0.35],
    ] as const;
    const { region, size, frames, inZone } = await seenAround(footage, zone, {
      fps: 10,
      model: DEFAULT_MODEL,
    });
    // The smallest network that shows it shows half of the width.
    expect(size.width).toBe(256);
    expect([region.left, region.top, region.width]).toEqual([0, 0, 0.5]);
    expect(inZone.part.flatMap(({ truth }) => truth)).toEqual(inZone.whole.flatMap(({ truth }) => truth));
    expect(frames.map(({ truth }) => truth)).toEqual(footage.frames.map(({ truth }) => truth));
    const [whole, cut] = [footage.frames, frames].map((all) => all.flatMap(({ detections }) => detections));
    expect(Math.max(...whole!.map(({ box }) => box.right))).toBeGreaterThan(0.7);
    expect(Math.max(...cut!.map(({ box }) => box.right))).toBeCloseTo(0.5, 9);
    // Less than 0.3 of a box inside is left out.
    expect(Math.max(...cut!.map(({ box }) => box.left))).toBeLessThan(0.471);
    expect(cut!.filter(({ box }) => box.left > 0.4)).not.toHaveLength(0);
    const inside = ({ box }: Detection) => box.right <= 0.5;
    expect(cut!.filter(({ box }) => box.right < 0.5 - 1e-9).length).toBe(
      whole!.filter((one) => inside(one) && one.box.right < 0.5 - 1e-9).length,
    );
    await rm(folder, { recursive: true });
  });

  test('the command refuses two observers at once', async () => {
    const command = visitsCommand().exitOverride();
    await expect(
      command.parseAsync([root, '--region', '--limit', 'identities'], { from: 'user' }),
    ).rejects.toThrow('Choose one of --region, --plain and --limit.');
    await expect(command.parseAsync([root, '--plain', '--limit', 'feet'], { from: 'user' })).rejects.toThrow(
      'Choose one of --plain and --limit.',
    );
  });
});
