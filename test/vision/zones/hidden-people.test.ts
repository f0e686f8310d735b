import { describe, expect, test } from '@jest/globals';
import type { Visit } from '../../../src/vision/types.ts';
import { ZoneWatcher } from '../../../src/vision/zones/zone-watcher.ts';
import { boxAt, PARAMETERS, play, type Scene, type Standing, story, ZONES } from './walk.ts';

const BACK: Standing = [1, 0.25, 0.7];

describe('somebody who is covered', () => {
  test('by a person in front is not given up, however long', () => {
    const front: Standing = [2, 0.26, 0.75];
    const visits = play(
      [
        [0, [BACK]],
        [4, [BACK, front]],
        [5, [front]],
      ],
      60,
    );
    expect(visits.map(story)).toEqual(['q 0…- s -…- queued', 'q 4…- s -…- queued']);
  });

  test('by nobody is', () => {
    const far: Standing = [2, 0.12, 0.75];
    expect(
      story(
        play(
          [
            [0, [BACK]],
            [4, [BACK, far]],
            [5, [far]],
          ],
          20,
        )[0]!,
      ),
    ).toBe('q 0…4.8 s -…- lost @9.8');
  });

  test('by a person behind is', () => {
    const behind: Standing = [2, 0.25, 0.62];
    expect(
      story(
        play(
          [
            [0, [BACK]],
            [4, [BACK, behind]],
            [5, [behind]],
          ],
          20,
        )[0]!,
      ),
    ).toBe('q 0…4.8 s -…- lost @9.8');
  });

  test('is given up once the place is seen empty', () => {
    const front: Standing = [2, 0.26, 0.75];
    const visits = play(
      [
        [0, [BACK]],
        [4, [BACK, front]],
        [5, [front]],
        [30, []],
      ],
      60,
    );
    expect(story(visits[0]!)).toMatch(/lost @34.8$/);
  });

  test('steps on with whom they stand behind', () => {
    const steps: Scene[] = Array.from({ length: 10 }, (_, i) => [6 + i * 0.4, [[2, 0.26 + i * 0.01, 0.75]]]);
    const gone: Scene = [20, []];
    const again: Scene = [23, [[3, 0.34, 0.7]]];
    const visits = play(
      [[0, [BACK]], [4, [BACK, [2, 0.26, 0.75]]], [5, [[2, 0.26, 0.75]]], ...steps, gone, again],
      30,
    );
    expect(story(visits[0]!)).toBe('q 0…- s -…- queued');
  });

  test('stays where they are when the one before them is seen again elsewhere than supposed', () => {
    const visits = play(
      [
        [
          0,
          [
            [1, 0.25, 0.74],
            [2, 0.25, 0.72],
          ],
        ],
        [5, [[1, 0.25, 0.74]]],
        [6, [[2, 0.25, 0.75]]],
      ],
      30,
    );
    expect(visits.map(story)).toEqual(['q 0…- s -…- queued', 'q 0…- s -…- queued']);
  });

  test.each([
    ['nearer to the camera hides', 0.8, []],
    ['farther away does not', 0.66, ['lost']],
  ])('by something not followed: %s', (_, bottom, outcomes) => {
    const watcher = new ZoneWatcher({ zones: ZONES, parameters: PARAMETERS });
    play([[0, [BACK]]], 5, watcher);
    const changes: Visit[] = [];
    for (let timeMs = 5200; timeMs <= 20_000; timeMs += 200)
      changes.push(...watcher.update([], timeMs, [boxAt(0.26, bottom)]));
    expect(changes.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  test('goes on as a new track that appears near', () => {
    const front: Standing = [2, 0.26, 0.75];
    const again: Standing = [3, 0.32, 0.72];
    const watcher = new ZoneWatcher({ zones: ZONES, parameters: PARAMETERS });
    const visits = play(
      [
        [0, [BACK]],
        [4, [BACK, front]],
        [5, [front]],
        [30, [front, again]],
      ],
      40,
      watcher,
    );
    expect(visits.map(story)).toEqual(['q 0…- s -…- queued', 'q 4…- s -…- queued']);
    expect(watcher.open.map(({ trackId }) => trackId)).toEqual([3, 2]);
  });
});

describe('somebody half hidden who comes into sight', () => {
  const LEAVES: Scene[] = [
    [0, [BACK]],
    [6, []],
  ];

  test('goes on as soon as the whole box is seen, not at its first sight only', () => {
    const visits = play([...LEAVES, [8, [[3, 0.33, 0.55]]], [9, [[3, 0.33, 0.68]]]], 12);
    expect(visits.map(story)).toEqual(['q 0…- s -…- queued']);
  });

  test('is somebody else if both were seen at once, or who came from outside', () => {
    const together = play(
      [
        [0, [BACK]],
        [4, [BACK, [3, 0.33, 0.7]]],
        [5, [[3, 0.33, 0.7]]],
      ],
      9,
    );
    expect(together.map(story)).toEqual(['q 0…- s -…- queued', 'q 4…- s -…- queued']);
    const arriving = play(
      [...LEAVES, [7, [[3, 0.05, 0.7]]], [7.8, [[3, 0.085, 0.7]]], [8, [[3, 0.12, 0.7]]]],
      14,
    );
    expect(arriving.map(story)).toEqual(['q 0…5.8 s -…- lost @10.8', 'q 8…- s -…- queued']);
  });
});

describe('two people who could not be told apart', () => {
  const first: Standing = [1, 0.25, 0.7];
  const second: Standing = [2, 0.25, 0.72];
  const apart: Standing = [2, 0.12, 0.72];
  const served = (id: number): Standing => [id, 0.5, 0.7];

  test('are served in the order in which they came', () => {
    const visits = play(
      [
        [0, [first]],
        [4, [first, second]],
        [20, [first, served(2)]],
      ],
      30,
    );
    expect(visits.map((visit) => [visit.trackId, story(visit)])).toEqual([
      [2, 'q 0…19.8 s 20…- in_service'],
      [1, 'q 4…- s -…- queued'],
    ]);
  });

  test('are told apart if they never overlapped', () => {
    const visits = play(
      [
        [0, [first]],
        [4, [first, apart]],
        [20, [first, served(2)]],
      ],
      30,
    );
    expect(visits.map((visit) => [visit.trackId, story(visit)])).toEqual([
      [1, 'q 0…- s -…- queued'],
      [2, 'q 4…19.8 s 20…- in_service'],
    ]);
  });
});

describe('a box that appears within another one in the line', () => {
  const twin: Standing = [9, 0.27, 0.72];
  const within: Standing = [9, 0.285, 0.755];
  const beside: Standing = [9, 0.35, 0.72];
  const entered = (scenes: readonly Scene[], untilSeconds: number) =>
    play(scenes, untilSeconds).find(({ trackId }) => trackId === 9)?.queueEnteredAtMs;

  test.each([
    { who: 'within: not after the usual time', box: within, from: 15, until: 23, enteredAtMs: undefined },
    {
      who: 'within: after three times as long, back-dated',
      box: within,
      from: 15,
      until: 24.2,
      enteredAtMs: 15_000,
    },
    { who: 'in one place: not after that time', box: twin, from: 15, until: 35.8, enteredAtMs: undefined },
    { who: 'in one place: after seven times', box: twin, from: 15, until: 36.2, enteredAtMs: 15_000 },
    { who: 'beside: after the usual time', box: beside, from: 15, until: 18.2, enteredAtMs: 15_000 },
    { who: 'within, but as the watch begins', box: twin, from: 5, until: 8.2, enteredAtMs: 5_000 },
  ])('$who', ({ box, from, until, enteredAtMs }) => {
    const scenes: Scene[] = [
      [0, [BACK]],
      [from, [BACK, box]],
    ];
    expect(entered(scenes, until)).toBe(enteredAtMs);
  });

  test('somebody who walks in from outside is not doubted, however narrow it is', () => {
    const steps = [0.96, 0.9, 0.84, 0.78].map(
      (bottom, i): Scene => [14.2 + 0.2 * i, [BACK, [9, 0.27, bottom]]],
    );
    const scenes: Scene[] = [[0, [BACK]], ...steps, [15, [BACK, twin]]];
    expect(entered(scenes, 18.2)).toBe(14_400);
  });
});
