import { describe, expect, test } from '@jest/globals';
import { IdentityStage, type IdentityUpdate } from '../../../src/vision/identity/identity-stage.ts';
import { type Moment, momentOf } from '../../../src/vision/moment.ts';
import type { Appearance, Track } from '../../../src/vision/types.ts';
import { fc } from '../../support/property.ts';
import { boxAt, trackAt } from '../zones/walk.ts';

const RED: Appearance = [200, 40, 40, 20, 20, 120];
const GREEN: Appearance = [40, 160, 40, 200, 200, 190];
const MAX_AGE_MS = 5_000;

/** One track over some frames, five a second. */
interface Stretch {
  readonly id: number;
  readonly frames: readonly [from: number, to: number];
  readonly x: number;
  /** Fractions of the frame a second. */
  readonly speed?: number;
  readonly bottom?: number;
  readonly appearance?: Appearance;
}

function tracksAt(stretches: readonly Stretch[], frame: number): Track[] {
  return stretches.flatMap(({ id, frames: [from, to], x, speed = 0, bottom, appearance }): Track[] => {
    if (frame < from || frame > to) return [];
    const track = trackAt(id, x + (speed * (frame - from)) / 5, frame * 200, bottom);
    return [
      appearance
        ? { ...track, appearance: { colours: appearance, showsTorso: true, showsLegs: true } }
        : track,
    ];
  });
}

/** The update of each frame. */
function watch(
  stretches: readonly Stretch[],
  { stage = new IdentityStage(MAX_AGE_MS), frames = 60, movedAt = -1, from = 0 } = {},
): IdentityUpdate[] {
  let before: Moment | null = null;
  return Array.from({ length: frames - from }, (_, i) => {
    const frame = from + i;
    const now: Moment = momentOf(frame * 200, before);
    before = now;
    const tracks = tracksAt(stretches, frame);
    const boxes = tracks.map(({ box }) => box);
    return stage.update(tracks, now, { boxes, aspect: 16 / 9, hasMoved: frame === movedAt });
  });
}

/** Tracks of each person, in the order in which they showed it. */
function peopleOf(updates: readonly IdentityUpdate[]): number[][] {
  const tracks = new Map<number, Set<number>>();
  for (const { personId, trackId } of updates.flatMap(({ paths }) => paths)) {
    tracks.set(personId, (tracks.get(personId) ?? new Set()).add(trackId));
  }
  return [...tracks.values()].map((ids) => [...ids]);
}

describe('unsure boxes before the birth of a track', () => {
  const box = boxAt(0.5);
  const track: Track = {
    ...trackAt(1, 0.5, 600),
    bornMs: 400,
    earlier: [
      { box, timeMs: 0 },
      { box, timeMs: 200 },
    ],
  };
  const at = (frame: number): Moment => ({ timeMs: frame * 200, watchedMs: frame * 200 });
  const context = { boxes: [], aspect: 16 / 9, hasMoved: false };

  test('are the begin of the path of a new person', () => {
    const stage = new IdentityStage(MAX_AGE_MS);
    for (const frame of [0, 1, 2]) stage.update([], at(frame), context);
    const [path] = stage.update([track], at(3), context).paths;
    expect(path!.path.map((sighting) => sighting.at.timeMs)).toEqual([0, 200, 400, 600]);
  });

  test('are no part of the path of a person who was known before', () => {
    const stage = new IdentityStage(MAX_AGE_MS);
    stage.update([trackAt(1, 0.5, -1000)], at(-5), context);
    for (const frame of [-4, -3, -2, -1, 0, 1, 2]) stage.update([], at(frame), context);
    const [path] = stage.update([{ ...track, id: 2 }], at(3), context).paths;
    expect(path).toMatchObject({ personId: 1, trackId: 2 });
    expect(path!.path.filter(({ at: { timeMs } }) => timeMs === 0)).toHaveLength(1);
  });
});

describe('a new track where a person vanished', () => {
  test.each<[string, Stretch[], number[][]]>([
    [
      'shows the same person',
      [
        { id: 1, frames: [0, 20], x: 0.3 },
        { id: 2, frames: [26, 59], x: 0.31 },
      ],
      [[1, 2]],
    ],
    [
      'is another person two body heights away',
      [
        { id: 1, frames: [0, 20], x: 0.3 },
        { id: 2, frames: [26, 59], x: 0.7 },
      ],
      [[1], [2]],
    ],
    [
      'is another person while the first one is still seen',
      [
        { id: 1, frames: [0, 30], x: 0.3 },
        { id: 2, frames: [26, 59], x: 0.31 },
      ],
      [[1], [2]],
    ],
    [
      'is another person after the maximum age',
      [
        { id: 1, frames: [0, 20], x: 0.3 },
        { id: 2, frames: [48, 59], x: 0.3 },
      ],
      [[1], [2]],
    ],
    [
      'is the one with the same clothes, of two who vanished',
      [
        { id: 1, frames: [0, 20], x: 0.3, appearance: RED },
        { id: 2, frames: [0, 20], x: 0.35, appearance: GREEN },
        { id: 3, frames: [26, 59], x: 0.325, appearance: GREEN },
      ],
      [[1], [2, 3]],
    ],
  ])('%s', (_, stretches, people) => {
    expect(peopleOf(watch(stretches))).toEqual(people);
  });

  test('two people who cross out of sight are recognised by their speed', () => {
    const crossing: Stretch[] = [
      { id: 1, frames: [0, 15], x: 0.2, speed: 0.08 },
      { id: 2, frames: [0, 15], x: 0.7, speed: -0.08 },
      { id: 3, frames: [23, 59], x: 0.568, speed: 0.08 },
      { id: 4, frames: [23, 59], x: 0.332, speed: -0.08 },
    ];
    expect(peopleOf(watch(crossing))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test('all new tracks are paired together: the most likely explanation of all wins over the best single pair', () => {
    // Track 3 lies nearest to where 2 was, but 4 can only be 2, and then 3 is 1.
    const line: Stretch[] = [
      { id: 1, frames: [0, 20], x: 0.3 },
      { id: 2, frames: [0, 20], x: 0.36 },
      { id: 3, frames: [24, 59], x: 0.335 },
      { id: 4, frames: [24, 59], x: 0.4 },
    ];
    expect(peopleOf(watch(line))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });
});

describe('the update of a frame', () => {
  const broken: Stretch[] = [
    { id: 1, frames: [0, 20], x: 0.3 },
    { id: 2, frames: [26, 59], x: 0.33 },
  ];

  test('fills the frames of a gap on a straight line, once the new track comes', () => {
    const updates = watch(broken);
    const at = updates.findIndex(({ paths }) => paths.some(({ trackId }) => trackId === 2));
    expect(at).toBe(26);
    const { path } = updates[at]!.paths[0]!;
    expect(path.map(({ at: { timeMs } }) => timeMs / 200)).toEqual([21, 22, 23, 24, 25, 26]);
    expect(path.map(({ isSeen }) => isSeen)).toEqual([...Array(5).fill(false), true]);
    expect(path[2]!.box.left).toBeCloseTo(boxAt(0.315).left, 9);
  });

  test.each<[string, number, boolean]>([
    ['a nearer person covers the feet', 0.75, true],
    ['a person farther away is there', 0.65, false],
    ['a person stands in the same row', 0.71, false],
  ])('has hidden feet where %s: %d, %s', (_, bottom, hasHiddenFeet) => {
    const [first] = watch(
      [
        { id: 1, frames: [0, 1], x: 0.3 },
        { id: 2, frames: [0, 1], x: 0.32, bottom },
      ],
      { frames: 1 },
    );
    expect(first!.paths[0]!.path).toMatchObject([{ hasHiddenFeet }]);
  });

  test('has a new person at once if nobody is missing', () => {
    const [first] = watch([{ id: 1, frames: [0, 9], x: 0.3 }], { frames: 10 });
    expect(first!.paths).toMatchObject([{ personId: 1, trackId: 1 }]);
  });

  test('the joined track belongs to the first person', () => {
    const stage = new IdentityStage(MAX_AGE_MS);
    watch(broken, { stage, frames: 28 });
    expect([stage.personOf(1), stage.personOf(2), stage.personOf(3)]).toEqual([undefined, 1, undefined]);
  });

  test('begins a path in the frame in which the track was born', () => {
    const stage = new IdentityStage(MAX_AGE_MS);
    const context = { boxes: [], aspect: 16 / 9, hasMoved: false };
    stage.update([], { timeMs: 0, watchedMs: 0 }, context);
    const track = { ...trackAt(1, 0.4, 0), bornBox: boxAt(0.35), timeMs: 200 };
    const { paths } = stage.update([track], { timeMs: 200, watchedMs: 200 }, context);
    expect(paths[0]!.path).toMatchObject([
      { box: boxAt(0.35), at: { timeMs: 0 } },
      { box: boxAt(0.4), at: { timeMs: 200 } },
    ]);
  });
});

describe('a person out of sight', () => {
  const waits: Stretch = { id: 1, frames: [0, 20], x: 0.3 };
  const departures = (others: readonly Stretch[], options = {}) =>
    watch([waits, ...others], { frames: 200, ...options }).flatMap(({ departed }, frame) =>
      departed.some(({ personId }) => personId === 1) ? [frame] : [],
    );

  test.each<[string, Stretch[], number[]]>([
    ['counts as gone after the maximum age', [], [45]],
    [
      'does not count as gone while a nearer person covers them',
      [{ id: 2, frames: [10, 199], x: 0.31, bottom: 0.75 }],
      [],
    ],
    [
      'counts as gone although a person farther away is there',
      [{ id: 2, frames: [10, 199], x: 0.31, bottom: 0.62 }],
      [45],
    ],
    [
      'counts as gone although a person is beside them',
      [{ id: 2, frames: [10, 199], x: 0.4, bottom: 0.75 }],
      [45],
    ],
    [
      'counts as gone once nobody has covered them for the maximum age',
      [{ id: 2, frames: [10, 80], x: 0.31, bottom: 0.75 }],
      [105],
    ],
  ])('%s', (_, others, frames) => {
    expect(departures(others)).toEqual(frames);
  });

  test('counts as gone at once when the camera moves, and people in sight do not', () => {
    expect(departures([{ id: 2, frames: [0, 199], x: 0.7 }], { movedAt: 30 })).toEqual([30]);
    expect(departures([{ id: 2, frames: [10, 199], x: 0.31, bottom: 0.75 }], { movedAt: 30 })).toEqual([30]);
  });

  test('counts as gone after a minute behind another person', () => {
    const front: Stretch = { id: 2, frames: [10, 999], x: 0.31, bottom: 0.75 };
    expect(departures([front], { frames: 400 })).toEqual([345]);
  });

  test('is recognised after a move to another node, where track ids begin anew', () => {
    const first = new IdentityStage(MAX_AGE_MS);
    watch([waits, { id: 2, frames: [0, 20], x: 0.6 }], { stage: first, frames: 21 });
    const known = JSON.parse(JSON.stringify(first.checkpoint()));
    const second = new IdentityStage(MAX_AGE_MS, known);
    const updates = watch(
      [
        { id: 1, frames: [30, 59], x: 0.61 },
        { id: 2, frames: [30, 59], x: 0.3 },
        { id: 3, frames: [30, 59], x: 0.9 },
      ],
      { stage: second, from: 30 },
    );
    const people = new Map(
      updates.flatMap(({ paths }) => paths).map((path) => [path.trackId, path.personId]),
    );
    expect([...people].toSorted(([a], [b]) => a - b)).toEqual([
      [1, 2],
      [2, 1],
      [3, 5],
    ]);
  });

  test('is unknown after forgetAll, and ids continue', () => {
    const stage = new IdentityStage(MAX_AGE_MS);
    watch([waits], { stage, frames: 21 });
    stage.forgetAll();
    expect(stage.checkpoint()).toEqual({ nextId: 2, people: [] });
  });
});

test('any tracks: each sighting is reported once, in order and for one person; a track never changes its person', () => {
  const stretch = fc
    .record({
      from: fc.integer({ min: 0, max: 50 }),
      length: fc.integer({ min: 0, max: 30 }),
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      speed: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
      bottom: fc.double({ min: 0.4, max: 1, noNaN: true }),
      appearance: fc.option(fc.constantFrom(RED, GREEN), { nil: undefined }),
    })
    .map(({ from, length, ...rest }) => ({ ...rest, frames: [from, from + length] as const }));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 12 }), (drawn) => {
      const stretches = drawn.map((one, at) => ({ ...one, id: at + 1, appearance: one.appearance ?? [] }));
      const seenBy = stretches.map(({ appearance, ...one }) =>
        appearance.length > 0 ? { ...one, appearance } : one,
      );
      const updates = watch(seenBy as Stretch[], { frames: 100 });
      const personOfTrack = new Map<number, number>();
      const lastMs = new Map<number, number>();
      const told = new Map<number, number>();
      for (const { personId, trackId, path } of updates.flatMap(({ paths }) => paths)) {
        expect(personOfTrack.get(trackId) ?? personId).toBe(personId);
        personOfTrack.set(trackId, personId);
        for (const { at, isSeen } of path) {
          expect(at.timeMs).toBeGreaterThan(lastMs.get(personId) ?? -1);
          lastMs.set(personId, at.timeMs);
          if (isSeen) told.set(trackId, (told.get(trackId) ?? 0) + 1);
        }
      }
      const expected = seenBy.map(({ id, frames: [from, to] }) => [id, to - from + 1]);
      expect([...told].toSorted(([a], [b]) => a - b)).toEqual(expected);
    }),
  );
});
