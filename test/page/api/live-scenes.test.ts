import { expect, test } from '@jest/globals';
import { backoffMs } from '../../../src/page/api/backoff.ts';
import { type MetricsEvent, scenesOf, withMetrics } from '../../../src/page/api/live-scenes.ts';

type Devices = Parameters<typeof scenesOf>[0];
const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, second)).toISOString();
const current = (inQueue: number) => ({ inQueue }) as NonNullable<MetricsEvent['metrics']['current']>;
const device = (scenes: { id: string; inQueue: number | null; second: number | null }[]): Devices =>
  [
    {
      ...{ id: 'd', name: 'Camera', fault: null, siteIds: ['s'] },
      scenes: scenes.map(({ id, inQueue, second }) => ({
        ...{ id, name: id, current: inQueue === null ? null : current(inQueue) },
        metricsUpdatedAt: second === null ? null : at(second),
      })),
    },
  ] as unknown as Devices;
const event = (sceneId: string, inQueue: number, second: number): MetricsEvent => ({
  ...{ sceneId, metrics: { current: current(inQueue) }, updatedAt: at(second), fault: null },
});

test('numbers of the stream replace those of the overview; other scenes stay the same objects', () => {
  const first = scenesOf(
    device([
      { id: 'a', inQueue: 1, second: 1 },
      { id: 'b', inQueue: 2, second: 1 },
    ]),
    new Map(),
  );
  const next = withMetrics(first, [event('a', 5, 2), event('unknown', 9, 2)]);
  expect([next.get('a')?.current, next.get('b')]).toEqual([current(5), first.get('b')]);
  expect(next.get('b')).toBe(first.get('b'));
  expect([...next.keys()]).toEqual(['a', 'b']);
});

test('an older event, and an overview that was slower than the stream, change no numbers', () => {
  const first = scenesOf(device([{ id: 'a', inQueue: 1, second: 1 }]), new Map());
  const newer = withMetrics(first, [event('a', 5, 4), event('a', 3, 3)]);
  expect(newer.get('a')?.current).toEqual(current(5));
  const late = scenesOf(device([{ id: 'a', inQueue: 1, second: 2 }]), newer);
  expect([late.get('a')?.current, late.get('a')?.updatedAt]).toEqual([current(5), at(4)]);
  const reread = scenesOf(device([{ id: 'a', inQueue: 7, second: 6 }]), newer);
  expect(reread.get('a')?.current).toEqual(current(7));
});

test('tills come with the numbers, and stay as they are where an event has none', () => {
  const till = (state: 'free' | 'closed') => ({ ...{ id: 't', name: 'Till 1', state, since: at(0) } });
  const [read] = device([{ id: 'a', inQueue: 1, second: 1 }]);
  const overview = [
    { ...read!, scenes: read!.scenes.map((scene) => ({ ...scene, tills: [till('free')] })) },
  ] as Devices;
  const first = scenesOf(overview, new Map());
  const closed = { ...event('a', 5, 2), metrics: { current: current(5), tills: [till('closed')] } };
  const next = withMetrics(first, [closed, event('a', 6, 3)]);
  expect([first, next, scenesOf(overview, next)].map((scenes) => scenes.get('a')?.tills)).toEqual([
    [till('free')],
    [till('closed')],
    [till('closed')],
  ]);
});

test('a scene without numbers has none, and a scene that is gone is gone', () => {
  const first = scenesOf(device([{ id: 'a', inQueue: null, second: null }]), new Map());
  expect([first.get('a')?.current, first.get('a')?.updatedAt]).toEqual([null, null]);
  expect(withMetrics(first, [event('a', 2, 1)]).get('a')?.current).toEqual(current(2));
  expect(scenesOf(device([]), first).size).toBe(0);
});

test('tries become rarer, never less than a second apart; within three minutes never more than 4.5 s', () => {
  const middle = [0, 1, 2, 3, 44, 45, 1000].map((tries) => backoffMs(tries, 0.5));
  expect(middle).toEqual([1000, 1500, 3000, 3375, 3375, 22_500, 22_500]);
  expect([backoffMs(0, 1), backoffMs(50, 0), backoffMs(50, 1)]).toEqual([1000, 30_000, 15_000]);
});
