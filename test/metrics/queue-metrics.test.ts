import { describe, expect, test } from '@jest/globals';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
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

/** Frames every 200 ms with the same open visits. */
function frames(
  metrics: QueueMetrics,
  { fromMs, toMs, openVisits }: { fromMs: number; toMs: number; openVisits: Visit[] },
): void {
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 200)
    metrics.observe({ timeMs, changes: [], openVisits });
}

describe('before anything happened', () => {
  test('counts are 0 and measurements null', () => {
    const { current, rolling5Min, total } = new QueueMetrics({ zones: ZONES }).at(0);
    expect(current).toEqual({
      inQueue: 0,
      inService: 0,
      totalPresent: 0,
      avgWaitSeconds: null,
      maxWaitSeconds: null,
      avgServiceSeconds: null,
      maxServiceSeconds: null,
      estimatedWaitSeconds: null,
    });
    expect(rolling5Min).toMatchObject({
      completed: { count: 0, avgWaitSeconds: null, p90WaitSeconds: null, avgServiceSeconds: null },
      abandoned: { count: 0, avgWaitSeconds: null, maxWaitSeconds: null },
      arrivals: 0,
      lostCount: 0,
      abandonmentRate: null,
      throughputPerHour: null,
      avgInQueue: null,
      maxInQueue: null,
      avgInService: null,
      serverUtilization: null,
      coveragePercent: 0,
    });
    expect(total).toMatchObject({
      completed: { count: 0, p50WaitSeconds: null },
      arrivals: 0,
      abandonmentRate: null,
    });
  });

  test('an empty shop that is watched has an empty queue, not an unknown one', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 60_000, openVisits: [] });
    expect(metrics.at(60_000).rolling5Min).toMatchObject({
      avgInQueue: 0,
      maxInQueue: 0,
      serverUtilization: 0,
      throughputPerHour: 0,
      coveragePercent: 20,
    });
  });

  test('what the zones cannot measure stays null', () => {
    const queueOnly = new QueueMetrics({ zones: { queueZone: SQUARE } });
    frames(queueOnly, { fromMs: 0, toMs: 10_000, openVisits: [] });
    expect(queueOnly.at(10_000).rolling5Min).toMatchObject({
      avgInQueue: 0,
      avgInService: null,
      serverUtilization: null,
    });
    const checkoutOnly = new QueueMetrics({ zones: { checkoutZone: SQUARE } });
    frames(checkoutOnly, { fromMs: 0, toMs: 10_000, openVisits: [] });
    expect(checkoutOnly.at(10_000).rolling5Min).toMatchObject({
      avgInQueue: null,
      maxInQueue: null,
      avgInService: 0,
    });
  });
});

describe('now', () => {
  test('those confirmed in a zone, with their times so far', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    const betweenZones: Visit = { ...waiting(4, 1_000), queueLeftAtMs: 9_000 };
    metrics.observe({
      timeMs: 10_000,
      changes: [],
      openVisits: [waiting(1, 0), waiting(2, 4_000), inService(waiting(3, 0), 7_000), betweenZones],
    });
    expect(metrics.at(10_000).current).toEqual({
      inQueue: 2,
      inService: 1,
      totalPresent: 3,
      avgWaitSeconds: 8,
      maxWaitSeconds: 10,
      avgServiceSeconds: 3,
      maxServiceSeconds: 3,
      estimatedWaitSeconds: null,
    });
  });

  test('the estimated wait needs three completions in 15 minutes', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    const queue = [waiting(8, 0), waiting(9, 0)];
    frames(metrics, { fromMs: 0, toMs: 59_800, openVisits: queue });
    const done = (id: number) => closed(inService(waiting(id, 0), 20_000), 'completed', 60_000);
    metrics.observe({ timeMs: 60_000, changes: [done(1), done(2)], openVisits: queue });
    expect(metrics.at(60_000).current.estimatedWaitSeconds).toBeNull();
    metrics.observe({ timeMs: 60_000, changes: [done(3)], openVisits: queue });
    // Three in 60 s: each of the two waiting takes 20 s.
    expect(metrics.at(60_000).current.estimatedWaitSeconds).toBe(40);
  });
});

describe('windows', () => {
  test('averages, percentiles and rates of what was decided in them', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 100_000, openVisits: [] });
    const changes = [10, 20, 30, 40].map((wait, i) =>
      closed(inService(waiting(i, 0), wait * 1000), 'completed', 100_200),
    );
    changes.push(
      closed(waiting(7, 90_000), 'abandoned', 100_200),
      closed(waiting(8, 95_000), 'lost', 100_200),
    );
    metrics.observe({ timeMs: 100_200, changes, openVisits: [] });
    const { rolling5Min, total } = metrics.at(100_200);
    expect(rolling5Min).toMatchObject({
      completed: {
        count: 4,
        avgWaitSeconds: 25,
        maxWaitSeconds: 40,
        p50WaitSeconds: 25,
        p90WaitSeconds: 37,
        avgServiceSeconds: 74.2,
        maxServiceSeconds: 89.2,
      },
      abandoned: { count: 1, avgWaitSeconds: 9.2, maxWaitSeconds: 9.2 },
      abandonmentRate: 0.2,
      lostCount: 1,
      coveragePercent: 33.4,
      throughputPerHour: 143.713,
    });
    expect(total).toMatchObject({
      completed: { count: 4, avgWaitSeconds: 25, maxWaitSeconds: 40 },
      abandoned: { count: 1 },
      lostCount: 1,
    });
  });

  test('the queue’s length is averaged over time, not over frames', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 30_000, openVisits: [waiting(1, 0)] });
    for (let timeMs = 31_000; timeMs <= 60_000; timeMs += 1_000) {
      metrics.observe({
        timeMs,
        changes: [],
        openVisits: [waiting(1, 0), waiting(2, 0), waiting(3, 0), inService(waiting(4, 0), 0)],
      });
    }
    // One for 31 s, three for 29 s.
    expect(metrics.at(60_000).rolling5Min).toMatchObject({
      avgInQueue: 1.967,
      maxInQueue: 3,
      avgInService: 0.483,
      serverUtilization: 0.483,
    });
  });

  test('a gap is not covered and does not read as an empty queue', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 60_000, openVisits: [waiting(1, 0)] });
    frames(metrics, { fromMs: 240_000, toMs: 300_000, openVisits: [waiting(1, 0)] });
    expect(metrics.at(300_000).rolling5Min).toMatchObject({ avgInQueue: 1, coveragePercent: 40 });
  });

  test('forget what is older than they are; the total does not', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    metrics.observe({
      timeMs: 10_000,
      changes: [closed(inService(waiting(1, 0), 5_000), 'completed', 10_000)],
      openVisits: [],
    });
    const counts = (minute: number) => {
      const at = metrics.at(10_000 + minute * 60_000);
      return [at.rolling5Min, at.rolling15Min, at.rolling30Min, at.rolling60Min, at.total].map(
        ({ completed }) => completed.count,
      );
    };
    expect(counts(0)).toEqual([1, 1, 1, 1, 1]);
    expect(counts(5)).toEqual([1, 1, 1, 1, 1]);
    expect(counts(5.01)).toEqual([0, 1, 1, 1, 1]);
    expect(counts(16)).toEqual([0, 0, 1, 1, 1]);
    expect(counts(31)).toEqual([0, 0, 0, 1, 1]);
    expect(counts(61)).toEqual([0, 0, 0, 0, 1]);
  });
});

describe('arrivals', () => {
  test('are queue entries, counted once each', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    const visit = waiting(1, 0);
    const direct: Visit = { ...inService(waiting(2, 0), 0), queueEnteredAtMs: null, queueLeftAtMs: null };
    metrics.observe({ timeMs: 3_000, changes: [visit, direct], openVisits: [visit, direct] });
    metrics.observe({ timeMs: 3_000, changes: [closed(visit, 'lost', 3_000)], openVisits: [direct] });
    expect(metrics.at(3_000).total).toMatchObject({ arrivals: 1, lostCount: 1 });
  });

  test('are checkout entries where there is no queue zone', () => {
    const metrics = new QueueMetrics({ zones: { checkoutZone: SQUARE } });
    const direct: Visit = { ...inService(waiting(2, 0), 0), queueEnteredAtMs: null, queueLeftAtMs: null };
    metrics.observe({ timeMs: 3_000, changes: [direct], openVisits: [direct] });
    expect(metrics.at(3_000).rolling5Min.arrivals).toBe(1);
  });
});
