import { describe, expect, test } from '@jest/globals';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import { Recorder, type RollingRow, type SnapshotRow } from '../../src/metrics/recorder.ts';
import type { QueueZones, Visit } from '../../src/vision/types.ts';
import { closed, inService, waiting } from './visits.ts';

const SQUARE = {
  type: 'polygon' as const,
  points: [
    [0, 0],
    [1, 0],
    [1, 1],
  ] as [number, number][],
};
const ZONES: QueueZones = { queueZone: SQUARE, checkoutZone: SQUARE };

interface Rows {
  ticks: number[];
  snapshots: SnapshotRow[];
  rolling: RollingRow[];
}

function record(
  times: readonly number[],
  { sinceMs = 0, changes = (_: number): Visit[] => [] } = {},
): Rows & { stop(): Rows } {
  const recorder = new Recorder(new QueueMetrics({ zones: ZONES }), sinceMs);
  const rows: Rows = { ticks: [], snapshots: [], rolling: [] };
  for (const timeMs of times) {
    const { tick, snapshot, rolling } = recorder.observe({
      timeMs,
      changes: changes(timeMs),
      openVisits: [],
    });
    if (tick) rows.ticks.push(timeMs);
    if (snapshot) rows.snapshots.push(snapshot);
    rows.rolling.push(...rolling);
  }
  return {
    ...rows,
    stop() {
      const { snapshot, rolling } = recorder.stop({ timeMs: times.at(-1)!, changes: [], openVisits: [] });
      return { ticks: [], snapshots: snapshot ? [snapshot] : [], rolling: [...rolling] };
    },
  };
}

const every = (stepMs: number, fromMs: number, toMs: number): number[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, i) => fromMs + i * stepMs);

const spans = (rows: readonly (SnapshotRow | RollingRow)[]) =>
  rows.map(({ windowStartMs, windowEndMs }) => [windowStartMs / 1000, windowEndMs / 1000]);

describe('rows are due', () => {
  test('rows are due at whole 10 s, without gap or overlap, and at the stop', () => {
    const recorded = record(every(200, 4_000, 33_000));
    expect(spans(recorded.snapshots)).toEqual([
      [4, 10],
      [10, 20],
      [20, 30],
    ]);
    expect(recorded.snapshots.map(({ durationSeconds }) => durationSeconds)).toEqual([6, 10, 10]);
    expect(spans(recorded.stop().snapshots)).toEqual([[30, 33.001]]);
  });

  test('rows are due at whole minutes for each window', () => {
    const { rolling } = record(every(1000, 30_000, 121_000), { sinceMs: 10_000 });
    expect(rolling.map(({ windowType }) => windowType)).toEqual([
      '5min',
      '15min',
      '30min',
      '60min',
      'total',
      '5min',
      '15min',
      '30min',
      '60min',
      'total',
    ]);
    expect(spans(rolling.filter(({ windowType }) => windowType === 'total'))).toEqual([
      [10, 60],
      [10, 120],
    ]);
    expect(spans(rolling.filter(({ windowType }) => windowType === '5min'))).toEqual([
      [-240, 60],
      [-180, 120],
    ]);
  });

  test('rows are due at the same times with any frame rate', () => {
    const recorded = record([
      100, 1_500, 3_100, 4_900, 6_600, 8_300, 9_900, 11_700, 13_400, 15_300, 17_200, 19_100, 20_900,
    ]);
    expect(spans(recorded.snapshots)).toEqual([
      [0.1, 10],
      [10, 20],
    ]);
  });

  test('in a gap without frames one row is due, for the time before the gap', () => {
    const recorded = record([...every(200, 0, 13_000), ...every(200, 95_000, 101_000)]);
    expect(spans(recorded.snapshots)).toEqual([
      [0, 10],
      [10, 20],
      [95, 100],
    ]);
    expect(spans(recorded.rolling).filter((_, i) => i % 5 === 0)).toEqual([[-240, 60]]);
  });

  test('the last snapshot and the last live metrics have the people of the last frame, whom the stop counts as lost', () => {
    const recorder = new Recorder(new QueueMetrics({ zones: ZONES }), 0);
    const people = [waiting(1, 0), waiting(2, 4_000), inService(waiting(3, 0), 6_000)];
    recorder.observe({ timeMs: 9_000, changes: people, openVisits: people });
    const changes = people.map((visit) => closed(visit, 'lost', 9_000));
    const { tick, snapshot, rolling } = recorder.stop({ timeMs: 9_000, changes, openVisits: [] });
    const state = { inQueue: 2, inService: 1, totalPresent: 3, avgWaitSeconds: 7, maxWaitSeconds: 9 };
    expect(snapshot?.currentMetrics).toMatchObject({ ...state, maxServiceSeconds: 3 });
    expect(tick?.current).toEqual(snapshot?.currentMetrics);
    expect(rolling.map(({ metrics }) => metrics.lostCount)).toEqual([3, 3, 3, 3, 3]);
  });

  test('live metrics are due once a second', () => {
    expect(record(every(400, 0, 4_000)).ticks).toEqual([0, 1200, 2000, 3200, 4000]);
  });
});

describe('a visit decided in the frame at a window’s end', () => {
  test('a visit decided in the frame at a window’s end belongs to the next window', () => {
    const visit = closed(inService(waiting(1, 0), 20_000), 'completed', 60_000);
    const changes = (timeMs: number) => (timeMs === 60_000 ? [visit] : []);
    const { rolling } = record(every(200, 0, 125_000), { changes });
    expect(
      rolling
        .filter(({ windowType }) => windowType === 'total')
        .map(({ metrics }) => metrics.completed.count),
    ).toEqual([0, 1]);
  });

  test('a visit decided in the last frame of a run belongs to the last window', () => {
    const visit = closed(inService(waiting(1, 0), 20_000), 'completed', 30_000);
    const changes = (timeMs: number) => (timeMs === 30_000 ? [visit] : []);
    const { rolling } = record(every(200, 0, 30_000), { changes }).stop();
    expect(rolling.map(({ metrics }) => metrics.completed.count)).toEqual([1, 1, 1, 1, 1]);
  });
});
