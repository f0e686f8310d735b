import { describe, expect, test } from '@jest/globals';
import type { Look } from '../../../src/vision/types.ts';
import { ZoneWatcher } from '../../../src/vision/zones/zone-watcher.ts';
import { PARAMETERS, play, type Scene, type Standing, story, ZONES } from './walk.ts';

const RED: Look = [180, 40, 40, 30, 30, 60];
const GREEN: Look = [40, 150, 60, 200, 190, 170];
const BLUE: Look = [40, 40, 180, 120, 60, 20];

/** Two places of the line, half a body height apart. */
const first = (id: number, look?: Look): Standing => [id, 0.25, 0.85, look];
const second = (id: number, look?: Look): Standing => [id, 0.25, 0.7, look];
const served = (id: number, look?: Look): Standing => [id, 0.5, 0.7, look];
const passing = (id: number, look?: Look): Standing => [id, 0.8, 0.8, look];

/** Each visit with the track that carries it in the end. */
function stories(scenes: readonly Scene[], untilSeconds: number, stepMs = 200): string[] {
  const watcher = new ZoneWatcher({ zones: ZONES, parameters: PARAMETERS });
  const visits = play(scenes, untilSeconds, watcher, stepMs);
  return visits.map((visit) => {
    const { trackId } = watcher.open.find(({ id }) => id === visit.id) ?? visit;
    return `${trackId}: ${story(visit)}`;
  });
}

describe('somebody who appears in the middle of the line', () => {
  test.each([
    [
      'the one who stood nearest',
      undefined,
      undefined,
      undefined,
      ['1: q 0…- s -…- queued', '9: q 2…- s -…- queued'],
    ],
    ['the one who looks alike', RED, GREEN, RED, ['9: q 0…- s -…- queued', '2: q 2…- s -…- queued']],
  ])('is, of two out of sight, %s', (_who, one, other, shown, expected) => {
    const scenes: Scene[] = [
      [0, [first(1, one)]],
      [2, [first(1, one), second(2, other)]],
      [12, []],
      [13, [[9, 0.32, 0.76, shown]]],
    ];
    expect(stories(scenes, 15)).toEqual(expected);
  });

  test.each([
    ['looks like them', RED, ['9: q 0…- s -…- queued']],
    ['looks otherwise', GREEN, ['1: q 0…11.8 s -…- abandoned @18', '9: q 15…- s -…- queued']],
    ['shows no look', undefined, ['1: q 0…11.8 s -…- abandoned @18', '9: q 15…- s -…- queued']],
  ])(
    'where a passer-by took somebody’s track out of the queue: goes on as them if it %s',
    (_, look, expected) => {
      const scenes: Scene[] = [
        [0, [first(1, RED)]],
        [12, [passing(1, BLUE)]],
        [15, [passing(1, BLUE), first(9, look)]],
      ];
      expect(stories(scenes, 20)).toEqual(expected);
    },
  );

  test('does not take over from one who is seen to walk out in the same clothes', () => {
    const scenes: Scene[] = [
      [0, [first(1, RED)]],
      [12, [passing(1, RED)]],
      [15, [passing(1, RED), first(9, RED)]],
    ];
    expect(stories(scenes, 20)).toEqual(['1: q 0…11.8 s -…- abandoned @18', '9: q 15…- s -…- queued']);
  });

  test('is known by what the one in line wore, not by what a stranger does who was taken for them', () => {
    const scenes: Scene[] = [
      [0, [first(1, RED)]],
      [12, []],
      // Overlaps the place where 1 stood, then walks on; 1 is seen again as 9.
      [13, [first(5, BLUE)]],
      [14, [passing(5, BLUE)]],
      [14.4, [passing(5, BLUE), first(9, RED)]],
    ];
    expect(stories(scenes, 25)).toEqual(['9: q 0…- s -…- queued']);
  });
});

describe('somebody seen elsewhere before, who has no visit', () => {
  const line: Scene[] = [
    [0, [first(1, RED)]],
    [12, [first(1, RED), passing(5, RED)]],
  ];

  test.each([
    ['goes on as who looks the same and is out of sight there', RED, ['5: q 0…- s -…- queued']],
    [
      'is somebody new if it looks otherwise',
      GREEN,
      ['1: q 0…12.8 s -…- lost @17.8', '5: q 14…- s -…- queued'],
    ],
  ])('and is found again in the line: %s', (_, shown, expected) => {
    const scenes: Scene[] = [...line, [13, []], [14, [second(5, shown)]]];
    expect(stories(scenes, 20)).toEqual(expected);
  });

  test('goes on as who is out of sight there, if its box jumps into the line: the track went over to them', () => {
    const scenes: Scene[] = [
      [0, [first(1)]],
      [12, [first(1), passing(5)]],
      [13, [passing(5)]],
      [14, [[5, 0.25, 0.78]]],
    ];
    expect(stories(scenes, 20)).toEqual(['5: q 0…- s -…- queued']);
  });

  test.each([200, 500])('is somebody new if it walks in, at a frame every %d ms', (stepMs) => {
    // From below the queue up to the place behind which somebody is out of sight, at 1.1 body heights a second.
    const steps = Array.from({ length: 1000 / stepMs }, (_, i): Scene => {
      const seconds = ((i + 1) * stepMs) / 1000;
      return [14 + seconds, [[5, 0.28, 1.05 - 0.33 * seconds]]];
    });
    const scenes: Scene[] = [
      [0, [second(1)]],
      [12, [second(1), [5, 0.28, 1.05]]],
      [13, [[5, 0.28, 1.05]]],
      ...steps,
    ];
    const told = stories(scenes, 20, stepMs);
    expect(told).toHaveLength(2);
    expect(told[1]).toMatch(/^5: q 14/);
  });
});

test('somebody who was new in the line once, left it and walks in again has not appeared there', () => {
  const walking = Array.from(
    { length: 12 },
    (_, i): Scene => [60 + 0.2 * i, [...(i > 5 && i < 9 ? [] : [second(1)]), [5, 0.27, 1 - 0.035 * i]]],
  );
  const scenes: Scene[] = [
    [0, [second(1)]],
    [20, [second(1), [5, 0.3, 0.85]]],
    [20.4, [second(1), [5, 0.27, 1]]],
    ...walking,
    [62.4, [second(1), [5, 0.27, 0.58]]],
  ];
  expect(stories(scenes, 63)).toEqual(['1: q 0…- s -…- queued']);
});

test('who goes straight to the checkout is nobody in plain sight in the queue, whatever order they are told in', () => {
  const scenes: Scene[] = [
    [0, [passing(1), second(2)]],
    [5, [served(1), second(2)]],
  ];
  expect(stories(scenes, 12)).toEqual(['2: q 0…- s -…- queued', '1: q -…- s 5…- in_service']);
});

test('a track that was taken for somebody else is known by its own look once that visit has ended', () => {
  const scenes: Scene[] = [
    [0, [first(1, RED)]],
    [12, []],
    [13, [first(5, BLUE)]],
    [14, [passing(5, BLUE)]],
    [28, [passing(5, BLUE), second(8, RED)]],
    [30, [first(5, BLUE), second(8, RED)]],
    [40, []],
    [41, [served(9, BLUE)]],
  ];
  expect(stories(scenes, 44.6)).toContain('9: q 30…39.8 s 41…- in_service');
});

test('somebody new who drives in fast has not jumped: each step is like the one before', () => {
  const driving = [1.49, 1.31, 1.13, 0.95, 0.77].map(
    (bottom, i): Scene => [14 + 0.2 * i, [[5, 0.28, bottom]]],
  );
  const told = stories([[0, [second(1)]], [12, [second(1)]], [13, []], ...driving], 20);
  expect(told).toHaveLength(2);
  expect(told[1]).toMatch(/^5: q 14/);
});

test('a second box in one place goes on as its person when the first is out of sight', () => {
  const scenes: Scene[] = [
    [0, [second(1)]],
    [15, [second(1), [9, 0.26, 0.72]]],
    [17, [[9, 0.26, 0.72]]],
  ];
  expect(stories(scenes, 40)).toEqual(['9: q 0…- s -…- queued']);
});

describe('somebody new in the checkout, while two of the queue are out of sight', () => {
  test.each([
    ['is who came first', undefined, undefined, undefined, '9: q 0…11.8 s 13…- in_service'],
    ['is who looks alike', RED, GREEN, GREEN, '9: q 2…11.8 s 13…- in_service'],
    ['is who came first if nobody looks alike', RED, GREEN, BLUE, '9: q 0…11.8 s 13…- in_service'],
  ])('%s', (_, one, other, shown, expected) => {
    const scenes: Scene[] = [
      [0, [first(1, one)]],
      [2, [first(1, one), second(2, other)]],
      [12, []],
      [13, [served(9, shown)]],
    ];
    expect(stories(scenes, 16.6)).toContain(expected);
  });

  test('may be one whose track has left the queue with somebody else', () => {
    const scenes: Scene[] = [
      [0, [first(1, RED)]],
      [12, [passing(1, BLUE)]],
      [14, [passing(1, BLUE), served(9, RED)]],
    ];
    expect(stories(scenes, 20)).toEqual(['9: q 0…11.8 s 14…- in_service']);
  });
});

describe('somebody in the queue whose feet get hidden', () => {
  // The queue ends at 0.95; above 0.2 it has not begun.
  const waiting: Standing = [1, 0.25, 0.28];
  const short: Standing = [1, 0.25, 0.19];
  const nearer: Standing = [2, 0.26, 0.3];
  const beside: Standing = [2, 0.36, 0.3];

  test.each([
    ['does not leave it by that', nearer, 'q 0…- s -…- queued'],
    ['leaves it if it was nobody before them', beside, 'q 0…9.8 s -…- abandoned @16'],
  ])('%s', (_, other, expected) => {
    const scenes: Scene[] = [
      [0, [waiting, other]],
      [10, [short, other]],
    ];
    expect(stories(scenes, 20)).toContain(`1: ${expected}`);
  });
});
