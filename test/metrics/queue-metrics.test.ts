import { describe, expect, test } from '@jest/globals';
import { CURRENT, type Metrics, ROLLING, TOTAL, WINDOWS } from '../../src/catalogue/metrics/all.ts';
import { METRIC_CATALOGUE, numberAt, readMetric } from '../../src/metrics/catalogue.ts';
import { isMeasured, numbersFor } from '../../src/metrics/measured-by-zones.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import { judged } from '../../src/metrics/sums.ts';
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

/** `test/metrics/waits` has the scenes in which a wait is known. */
const NO_WAIT = {
  ...{ estimatedWaitSeconds: null, estimatedWaitLowSeconds: null, estimatedWaitHighSeconds: null },
  estimatedWaitReason: null,
};

/** Frames every 200 ms with the same open visits. */
function frames(
  metrics: QueueMetrics,
  { fromMs, toMs, openVisits }: { fromMs: number; toMs: number; openVisits: Visit[] },
): void {
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 200)
    metrics.observe({ timeMs, changes: [], openVisits });
}

describe('before anything happened', () => {
  test('before the first frame counts are 0 and measurements null', () => {
    const { current, rolling5Min, total } = new QueueMetrics({ zones: ZONES }).at(0);
    expect(current).toEqual({
      inQueue: 0,
      inService: 0,
      totalPresent: 0,
      avgWaitSeconds: null,
      maxWaitSeconds: null,
      avgServiceSeconds: null,
      maxServiceSeconds: null,
      ...NO_WAIT,
      ...{ openTills: null, servingTills: null, freeTills: null },
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

  test('an empty shop with frames has an empty queue, not an unknown one', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 60_000, openVisits: [] });
    expect(metrics.at(60_000).rolling5Min).toMatchObject({
      avgInQueue: 0,
      maxInQueue: 0,
      serverUtilization: 0,
      throughputPerHour: null,
      coveragePercent: 20,
    });
  });

  test('a rate needs ten minutes with frames, or three completions', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    const serve = (id: number, atMs: number) => {
      const visit = closed(inService(waiting(id, atMs - 20_000), atMs - 10_000), 'completed', atMs);
      metrics.observe({ timeMs: atMs, changes: [visit], openVisits: [] });
    };
    frames(metrics, { fromMs: 0, toMs: 60_000, openVisits: [] });
    serve(1, 60_200);
    serve(2, 60_400);
    expect(metrics.at(60_401).rolling15Min.throughputPerHour).toBeNull();
    serve(3, 60_600);
    expect(metrics.at(60_601).rolling15Min.throughputPerHour).toBe(178.218);
    frames(metrics, { fromMs: 60_800, toMs: 960_000, openVisits: [] });
    const { rolling5Min, rolling15Min } = metrics.at(961_000);
    expect([rolling5Min.throughputPerHour, rolling15Min.throughputPerHour]).toEqual([null, 0]);
  });
});

describe('what the zones cannot measure is null', () => {
  const NOBODY_WAITS = { avgWaitSeconds: null, maxWaitSeconds: null };
  const metricsOf = (zones: QueueZones, openVisits: Visit[], changes: Visit[]) => {
    const metrics = new QueueMetrics({ zones });
    frames(metrics, { fromMs: 0, toMs: 10_000, openVisits });
    metrics.observe({ timeMs: 10_200, changes, openVisits });
    return metrics.at(10_200);
  };
  const direct = (id: number, startedAtMs: number): Visit => ({
    ...inService(waiting(id, startedAtMs), startedAtMs),
    queueEnteredAtMs: null,
    queueLeftAtMs: null,
  });
  const served = [1, 2, 3].map((id) => closed(direct(id, 2_000), 'completed', 10_200));

  test('with only a checkout zone the metrics of queue, waits and giving up are null', () => {
    const { current, rolling5Min, total } = metricsOf({ checkoutZone: SQUARE }, [direct(7, 4_200)], served);
    expect(current).toEqual({
      inQueue: null,
      inService: 1,
      totalPresent: 1,
      ...NOBODY_WAITS,
      avgServiceSeconds: 6,
      maxServiceSeconds: 6,
      ...NO_WAIT,
      ...{ openTills: null, servingTills: null, freeTills: null },
    });
    for (const ended of [rolling5Min, total]) {
      expect(ended.completed).toEqual({
        count: 3,
        waitCount: null,
        ...NOBODY_WAITS,
        p50WaitSeconds: null,
        p90WaitSeconds: null,
        serviceCount: 3,
        avgServiceSeconds: 7.2,
        maxServiceSeconds: 7.2,
        p90ServiceSeconds: 7.2,
      });
      expect(ended.abandoned).toEqual({ count: null, waitCount: null, ...NOBODY_WAITS, earlyCount: null });
      expect(ended).toMatchObject({ abandonmentRate: null, lostCount: 0 });
    }
    expect(rolling5Min).toMatchObject({ avgInQueue: null, maxInQueue: null, avgInService: 1 });
    expect(rolling5Min).toMatchObject({ serverUtilization: 1, throughputPerHour: expect.any(Number) });
  });

  test('with only a queue zone the metrics of service and giving up are null', () => {
    const left = [4, 5, 6].map((id) => closed(waiting(id, 2_000), 'completed', 10_200));
    const { current, rolling5Min, total } = metricsOf({ queueZone: SQUARE }, [waiting(8, 4_200)], left);
    expect(current).toMatchObject({
      inQueue: 1,
      inService: null,
      totalPresent: 1,
      avgWaitSeconds: 6,
      maxWaitSeconds: 6,
      avgServiceSeconds: null,
      maxServiceSeconds: null,
      ...NO_WAIT,
      ...{ openTills: null, servingTills: null, freeTills: null },
    });
    for (const ended of [rolling5Min, total]) {
      expect(ended.completed).toMatchObject({
        count: 3,
        waitCount: 3,
        avgWaitSeconds: 7.2,
        serviceCount: null,
        avgServiceSeconds: null,
        p90ServiceSeconds: null,
      });
      expect(ended.abandoned).toEqual({ count: null, waitCount: null, ...NOBODY_WAITS, earlyCount: null });
      expect(ended.abandonmentRate).toBeNull();
    }
    expect(rolling5Min).toMatchObject({ avgInQueue: 1, avgInService: null, serverUtilization: null });
  });

  test('with both zones only measurements of nothing are null', () => {
    const { current, rolling5Min } = metricsOf(ZONES, [], []);
    expect(current).toMatchObject({ inQueue: 0, inService: 0, totalPresent: 0 });
    expect(rolling5Min).toMatchObject({
      completed: { count: 0, waitCount: 0, serviceCount: 0 },
      abandoned: { count: 0, waitCount: 0 },
      avgInQueue: 0,
      avgInService: 0,
      serverUtilization: 0,
    });
  });

  test('a metric is null exactly where the catalogue names a missing zone', () => {
    const busy = new QueueMetrics({ zones: ZONES });
    const open = [waiting(8, 0), inService(waiting(9, 0), 2_000)];
    frames(busy, { fromMs: 0, toMs: 10_000, openVisits: open });
    const [a, b, c, d] = [1, 2, 3, 4].map((id) => waiting(id, 0)) as [Visit, Visit, Visit, Visit];
    const ended = [a, b, c].map((visit) => closed(inService(visit, 4_000), 'completed', 10_200));
    const decided = [...ended, closed(d, 'abandoned', 10_200)].map((visit) => judged(visit, 30));
    busy.observe({ timeMs: 10_200, changes: decided, openVisits: open });
    const all = busy.at(10_200);
    for (const zones of [{ queueZone: SQUARE }, { checkoutZone: SQUARE }, ZONES]) {
      const rolling = numbersFor(ROLLING, zones);
      const shown = {
        current: numbersFor(CURRENT, zones)(({ name }) => numberAt(all.current, name)),
        ...Object.fromEntries(
          WINDOWS.map((window) => [window.name, rolling(({ name }) => numberAt(all[window.name], name))]),
        ),
        total: numbersFor(TOTAL, zones)(({ name }) => numberAt(all.total, name)),
      } as unknown as Metrics;
      for (const entry of METRIC_CATALOGUE) {
        // What ended under both zones was measured, whatever the zones are now.
        const isOfEnded = /completed|abandon|serviceLevel/.test(entry.path);
        const expected = isMeasured(entry, zones) || isOfEnded ? readMetric(all, entry.path) : null;
        expect([entry.path, readMetric(shown, entry.path)]).toEqual([entry.path, expected]);
      }
    }
  });

  test('visits that ended under earlier zones still count in windows and totals', () => {
    const before = new QueueMetrics({ zones: ZONES });
    const gaveUp = closed(waiting(1, 0), 'abandoned', 9_000);
    const wasServed = closed(inService(waiting(2, 0), 5_000), 'completed', 9_000);
    before.observe({ timeMs: 9_000, changes: [gaveUp, wasServed], openVisits: [] });
    const stored = { visits: [gaveUp, wasServed], minutes: [], totals: before.totals, nowMs: 10_000 };
    const { current, rolling5Min, total } = QueueMetrics.rebuild({ checkoutZone: SQUARE }, stored).at(10_000);
    expect(current.inQueue).toBeNull();
    for (const ended of [rolling5Min, total]) {
      expect(ended.completed).toMatchObject({ count: 1, waitCount: 1, avgWaitSeconds: 5 });
      expect(ended.abandoned).toMatchObject({ count: 1, waitCount: 1, avgWaitSeconds: 8 });
      expect(ended.abandonmentRate).toBe(0.5);
    }
  });
});

describe('one definition of a percentile', () => {
  test('two waits of 54.2 and 170.8 s have the median 112.5 s in windows and in total', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    const changes = [54_200, 170_800].map((waitMs, id) =>
      closed(inService(waiting(id, 0), waitMs), 'completed', 200_000),
    );
    metrics.observe({ timeMs: 200_000, changes, openVisits: [] });
    const { rolling60Min, total } = metrics.at(200_000);
    for (const { completed } of [rolling60Min, total]) {
      expect(completed).toMatchObject({ p50WaitSeconds: 112.5, p90WaitSeconds: 159.14 });
    }
  });
});

describe('now', () => {
  test('current metrics count the people confirmed in a zone, with their times so far', () => {
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
      ...NO_WAIT,
      ...{ openTills: null, servingTills: null, freeTills: null },
    });
  });
});

describe('windows', () => {
  test('a window has averages, percentiles and rates of the visits decided in it', () => {
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

  test('the queue length is averaged over time, not over frames', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 30_000, openVisits: [waiting(1, 0)] });
    for (let timeMs = 31_000; timeMs <= 60_000; timeMs += 1_000) {
      metrics.observe({
        timeMs,
        changes: [],
        openVisits: [waiting(1, 0), waiting(2, 0), waiting(3, 0), inService(waiting(4, 0), 0)],
      });
    }
    // One person for 31 s, three for 29 s.
    expect(metrics.at(60_000).rolling5Min).toMatchObject({
      avgInQueue: 1.967,
      maxInQueue: 3,
      avgInService: 0.483,
      serverUtilization: 0.483,
    });
  });

  test('a gap without frames is not covered and does not count as an empty queue', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    frames(metrics, { fromMs: 0, toMs: 60_000, openVisits: [waiting(1, 0)] });
    frames(metrics, { fromMs: 240_000, toMs: 300_000, openVisits: [waiting(1, 0)] });
    expect(metrics.at(300_000).rolling5Min).toMatchObject({ avgInQueue: 1, coveragePercent: 40 });
  });

  test('windows drop old visits; the total keeps them', () => {
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
  test('arrivals are entries into the queue, counted once each', () => {
    const metrics = new QueueMetrics({ zones: ZONES });
    const visit = waiting(1, 0);
    const direct: Visit = { ...inService(waiting(2, 0), 0), queueEnteredAtMs: null, queueLeftAtMs: null };
    metrics.observe({ timeMs: 3_000, changes: [visit, direct], openVisits: [visit, direct] });
    metrics.observe({ timeMs: 3_000, changes: [closed(visit, 'lost', 3_000)], openVisits: [direct] });
    expect(metrics.at(3_000).total).toMatchObject({ arrivals: 1, lostCount: 1 });
  });

  test('without a queue zone arrivals are entries into the checkout', () => {
    const metrics = new QueueMetrics({ zones: { checkoutZone: SQUARE } });
    const direct: Visit = { ...inService(waiting(2, 0), 0), queueEnteredAtMs: null, queueLeftAtMs: null };
    metrics.observe({ timeMs: 3_000, changes: [direct], openVisits: [direct] });
    expect(metrics.at(3_000).rolling5Min.arrivals).toBe(1);
  });
});

test('a doubtful visit is open, but nobody is present', () => {
  const metrics = new QueueMetrics({ zones: ZONES });
  const openVisits = [waiting(1, 0), waiting(2, 0)];
  metrics.observe({ timeMs: 3_000, changes: openVisits, openVisits, doubtful: [2] });
  expect(metrics.at(3_000).current).toMatchObject({ inQueue: 1, totalPresent: 1 });
  metrics.observe({ timeMs: 3_200, changes: [], openVisits });
  expect(metrics.at(3_200).current).toMatchObject({ inQueue: 2 });
});
