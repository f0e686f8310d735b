import { describe, expect, test } from '@jest/globals';
import type { Visit } from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { TrackWatcher } from '../track-watcher.ts';
import {
  CHECKOUT_ONLY,
  PARAMETERS,
  path,
  play,
  QUEUE_ONLY,
  type Standing,
  story,
  trackAt,
  type Walk,
  walk,
  ZONES,
} from './walk.ts';

// Five frames a second: q15 is 15 frames in the queue, seen at 0, 0.2, … 2.8 s, so 16 frames make the 3 s of an entry.
describe('a visit', () => {
  test.each<[string, string[], string[], Walk?]>([
    ['does not begin before the entry threshold', ['q15 o20'], []],
    [
      'begins at the entry threshold, back-dated to the first frame inside',
      ['o5 q16'],
      ['q 1…- s -…- queued'],
    ],
    ['does not begin with short times inside', ['o5 q3 o9 q4 o9'], []],
    ['begins although the first seconds have a short time outside', ['q8 o3 q5'], ['q 0…- s -…- queued']],
    ['does not end with a short time outside', ['q20 o5 q20'], ['q 0…- s -…- queued']],
    ['stays open after the queue, for the time of a hand-over', ['q20 o20'], ['q 0…3.8 s -…- queued']],
    ['is abandoned after the time of a hand-over', ['q20 o40'], ['q 0…3.8 s -…- abandoned @10']],
    [
      'goes from the queue to the checkout and is completed',
      ['q20 c20 o10'],
      ['q 0…3.8 s 4…7.8 completed @9'],
    ],
    [
      'goes from the queue to the checkout with time outside in between',
      ['q20 o20 c20 o10'],
      ['q 0…3.8 s 8…11.8 completed @13'],
    ],
    [
      'is abandoned if the checkout comes after the time of a hand-over',
      ['q20 o35 c20 o10'],
      ['q 0…3.8 s -…- abandoned @10', 'q -…- s 11…14.8 completed @16'],
    ],
    [
      'is abandoned if the time in the checkout is below the entry threshold',
      ['q20 o5 c5 o40'],
      ['q 0…3.8 s -…- abandoned @10'],
    ],
    ['begins in the checkout without a queue', ['c20 o10'], ['q -…- s 0…3.8 completed @5']],
    [
      'is abandoned on return to the queue, which begins a new one',
      ['q20 o10 q20'],
      ['q 0…3.8 s -…- abandoned @9', 'q 6…- s -…- queued'],
    ],
    [
      'is a new one in the queue after service',
      ['q20 c20 q20'],
      ['q 0…3.8 s 4…7.8 completed @9', 'q 8…- s -…- queued'],
    ],
    ['is lost if the person was last seen in the queue', ['q20 .30'], ['q 0…3.8 s -…- lost @8.8']],
    ['is not lost before the maximum age', ['q20 .24 q1'], ['q 0…- s -…- queued']],
    ['is abandoned if the person was last seen outside', ['q20 o2 .30'], ['q 0…3.8 s -…- abandoned @9.2']],
    [
      'is completed if the person was last seen outside the checkout',
      ['c20 o2 .30'],
      ['q -…- s 0…3.8 completed @9.2'],
    ],
    ['is lost if the person was last seen in service', ['q20 c20 .30'], ['q 0…3.8 s 4…7.8 lost @12.8']],
    [
      'is completed on leaving the queue if there is no checkout zone',
      ['q20 o10'],
      ['q 0…3.8 s -…- completed @5'],
      { zones: QUEUE_ONLY },
    ],
    [
      'has only a service if there is no queue zone',
      ['q20 c20 o10'],
      ['q -…- s 4…7.8 completed @9'],
      { zones: CHECKOUT_ONLY },
    ],
    ['stays open for ten minutes while the person stands still', ['q3000'], ['q 0…- s -…- queued']],
    ['is lost when the run stops', ['q20'], ['q 0…3.8 s -…- lost @3.8'], { stop: true }],
  ])('%s', (_, people, stories, options = {}) => {
    expect(walk(people.map(path), options).map(story)).toEqual(stories);
  });

  test('belongs to one of two people', () => {
    const visits = walk([path('q20 c20 o10'), path('o10 q20 o40')]);
    expect(visits.map(story)).toEqual(['q 0…3.8 s 4…7.8 completed @9', 'q 2…5.8 s -…- abandoned @12']);
    expect(visits.map(({ trackId }) => trackId)).toEqual([1, 2]);
  });
});

describe('a new track where a person vanished', () => {
  test.each<[string, string[], string[]]>([
    ['continues the visit of that person', ['q20', '.25 q20 c20 o10'], ['q 0…8.8 s 9…12.8 completed @14']],
    ['continues an unconfirmed stay', ['q8', '.10 q8'], ['q 0…- s -…- queued']],
    [
      'is another person after the maximum age',
      ['q20', '.50 q20'],
      ['q 0…3.8 s -…- lost @8.8', 'q 10…- s -…- queued'],
    ],
    [
      'is another person while the first one is still seen',
      ['q40', '.20 q20'],
      ['q 0…- s -…- queued', 'q 4…- s -…- queued'],
    ],
    [
      'is another person at the other end of the queue',
      ['l20', '.25 r20'],
      ['q 0…3.8 s -…- lost @8.8', 'q 5…- s -…- queued'],
    ],
    [
      'in the checkout is another person while the first one is seen in the queue',
      ['q45', '.25 c20'],
      ['q 0…- s -…- queued', 'q -…- s 5…- in_service'],
    ],
    [
      'in the checkout is another person after the time of a hand-over',
      ['q20', '.52 c20'],
      ['q 0…3.8 s -…- lost @8.8', 'q -…- s 10.4…- in_service'],
    ],
  ])('%s', (_, people, stories) => {
    expect(walk(people.map(path)).map(story)).toEqual(stories);
  });
});

/** Feeds single boxes of track 1. */
function follow(
  frames: readonly { x: number; bottom?: number; timeMs: number }[],
  watcher: TrackWatcher,
): Visit[] {
  return frames.flatMap(({ x, bottom, timeMs }) => watcher.update([trackAt(1, x, timeMs, bottom)], timeMs));
}
const empty = (watcher: TrackWatcher, fromMs: number, frames: number): Visit[] =>
  Array.from({ length: frames }, (_, i) => watcher.update([], fromMs + i * 200)).flat();
const standing = (x: number, fromMs: number, frames: number) =>
  Array.from({ length: frames }, (_, i) => ({ x, timeMs: fromMs + i * 200 }));

describe('a person in the queue whose box ends outside it', () => {
  /** The legs are hidden from second 4 to 12: the box ends above the zone. */
  const legsHidden = (front: Standing[]): string[] =>
    play(
      [
        [0, [[1, 0.25, 0.25], ...front]],
        [4, [[1, 0.25, 0.19], ...front]],
        [12, [[1, 0.25, 0.25], ...front]],
      ],
      20,
    )
      .filter(({ trackId }) => trackId === 1)
      .map(story);

  test('has not left it while a nearer person covers the feet', () => {
    expect(legsHidden([[2, 0.26, 0.4]])).toEqual(['q 0…- s -…- queued']);
  });

  test('has left it if nobody covers the feet', () => {
    expect(legsHidden([])[0]).toMatch(/^q 0…3.8 s/);
  });
});

describe('a person whom a nearer one covers, and who is not there when that one has gone', () => {
  /** Covered from second 4 to 14. @param x where they stood, @param after who is seen from then on */
  const covered = (x: number, after: Standing[]): string[] =>
    play(
      [
        [0, [[1, x, 0.7]]],
        [4, [[2, x + 0.01, 0.85]]],
        [14, [[2, 0.9, 0.85], ...after]],
      ],
      21,
    )
      .filter(({ trackId }) => trackId !== 2)
      .map(story);

  test.each([
    ['was last in the line when they were covered', 0.25, [], 'q 0…3.8 s -…- lost @18.8'],
    ['has left the till when they were covered', 0.5, [], 'q -…- s 0…3.8 completed @18.8'],
    ['but who is there again never left', 0.25, [[3, 0.25, 0.7]], 'q 0…- s -…- queued'],
  ] as [string, number, Standing[], string][])('%s', (_, x, after, expected) => {
    expect(covered(x, after)).toEqual([expected]);
  });
});

describe('at the edge of the frame', () => {
  const queueZone = { type: 'polygon' as const, points: rectangle(0, 0.2, 0.4, 1) };
  const zones = { ...ZONES, queueZone };

  test('a person who walks out of the frame inside a zone has left', () => {
    const watcher = new TrackWatcher({ zones, parameters: PARAMETERS });
    follow(standing(0.25, 0, 20), watcher);
    follow(
      Array.from({ length: 8 }, (_, i) => ({ x: 0.25 - i * 0.032, timeMs: 4000 + i * 200 })),
      watcher,
    );
    expect(empty(watcher, 5600, 30).map(story)).toEqual(['q 0…5.4 s -…- abandoned @10.4']);
  });

  test('the visit of a person who stands there and vanishes is lost', () => {
    const watcher = new TrackWatcher({ zones, parameters: PARAMETERS });
    follow(standing(0.03, 0, 20), watcher);
    expect(empty(watcher, 4000, 30).map(story)).toEqual(['q 0…3.8 s -…- lost @8.8']);
  });
});

describe('a gap between frames', () => {
  test('makes nobody older', () => {
    const watcher = new TrackWatcher({ zones: ZONES, parameters: PARAMETERS });
    follow(standing(0.25, 0, 20), watcher);
    expect(watcher.update([], 40_000)).toEqual([]);
    expect(watcher.update([trackAt(7, 0.26, 40_200)], 40_200)).toEqual([]);
    expect(watcher.open).toMatchObject([{ state: 'queued', queueEnteredAtMs: 0 }]);
    expect(watcher.zoneOf(7)).toBe('queue');
  });
});

describe('a checkpoint', () => {
  test('moves visits and unconfirmed stays to a watcher with new track ids', () => {
    const options = { zones: ZONES, parameters: PARAMETERS };
    const first = new TrackWatcher(options);
    for (let i = 0; i < 20; i++) {
      const late = i >= 10 ? [trackAt(2, 0.35, i * 200)] : [];
      first.update([trackAt(1, 0.2, i * 200), ...late], i * 200);
    }
    const second = new TrackWatcher(options, first.checkpoint());
    expect(second.open).toEqual(first.open);
    const changes = Array.from({ length: 12 }, (_, i) => {
      const timeMs = 20_000 + i * 200;
      return second.update([trackAt(11, 0.35, timeMs), trackAt(12, 0.2, timeMs)], timeMs);
    }).flat();
    expect(changes.map(story)).toEqual(['q 2…- s -…- queued']);
    expect(second.open.map(({ id, trackId }) => [id, trackId])).toEqual([
      [1, 12],
      [2, 11],
    ]);
    expect(second.zoneOf(12)).toBe('queue');
  });
});
