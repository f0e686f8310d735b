import { expect, test } from '@jest/globals';
import type { LiveScene } from '../../../src/page/api/live-scenes.ts';
import { linesOf } from '../../../src/page/display/lines.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
type Wait = readonly [low: number | null, median: number | null, high: number | null];

const scene = (name: string, [low, median, high]: Wait, changes: object = {}): LiveScene =>
  ({
    ...{ id: name, name, analysisStatus: 'running', run: null, fault: null, isFiring: false },
    ...{ effectiveTarget: null, updatedAt: new Date(NOW).toISOString() },
    device: { id: name, name: 'Camera', onlineStatus: 'online', siteIds: [], warnings: [] },
    current: {
      ...{ inQueue: 9, maxWaitSeconds: 60, estimatedWaitSeconds: median },
      ...{ estimatedWaitLowSeconds: low, estimatedWaitHighSeconds: high },
    },
    ...changes,
  }) as unknown as LiveScene;

const shown = (scenes: readonly LiveScene[], language: 'en' | 'de' = 'en') =>
  linesOf(scenes, language, NOW).map(({ name, range, isFastest }) => [name, range, isFastest]);

test('a display shows a range for each queue in a fixed order, and which one is fastest', () => {
  const lines = [scene('Till 10', [60, 90, 170]), scene('Till 2', [300, 400, 530])];
  expect(shown(lines)).toEqual([
    ['Till 2', '5-9 min', false],
    ['Till 10', '1-3 min', true],
  ]);
  expect(shown(lines, 'de')[0]).toEqual(['Till 2', '5-9 min', false]);
});

test('nothing is shown of a queue whose wait nobody knows, or that is not measured', () => {
  expect(
    shown([
      scene('learns', [null, null, null]),
      scene('stopped', [60, 90, 120], { analysisStatus: 'stopped' }),
      scene('broken', [60, 90, 120], { fault: { reason: 'unreachable', message: '', since: '' } }),
      scene('old', [60, 90, 120], { updatedAt: new Date(NOW - 61_000).toISOString() }),
      scene('one', [0, 20, 50]),
    ]),
  ).toEqual([['one', 'under 1 min', false]]);
});

test('no line is the fastest where another has the same words; of many the six fastest are shown', () => {
  const many = Array.from({ length: 8 }, (_, at) => scene(`Till ${at}`, [600 - at * 60, 700 - at * 60, 890]));
  expect(shown(many).map(([name]) => name)).toEqual([
    'Till 2',
    'Till 3',
    'Till 4',
    'Till 5',
    'Till 6',
    'Till 7',
  ]);
  expect(
    shown([scene('a', [60, 90, 170]), scene('b', [61, 91, 171])]).map(([, , fastest]) => fastest),
  ).toEqual([...[false, false]]);
});
