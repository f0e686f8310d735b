import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeOldestDay } from '../../../src/metrics/folded/fold.store.ts';
import type { OccupancyMinute } from '../../../src/metrics/occupancy.ts';
import { QueueMetrics } from '../../../src/metrics/queue-metrics.ts';
import { loadRecords, writeRecords } from '../../../src/metrics/recorder.store.ts';
import { RunTills } from '../../../src/metrics/tills/run-tills.ts';
import { loadTills, type SceneTills, writeTills } from '../../../src/metrics/tills/till.store.ts';
import { tillNumbers } from '../../../src/metrics/tills/till-numbers.ts';
import { isCounted, rebuildTotals } from '../../../src/privacy/erasure/erase.store.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { type ApiUser, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { IDS, madeUpDay, START } from './made-up-day.ts';

const TILLS = IDS.map((id, at) => ({
  ...{
    id,
    name: `Till ${id}`,
    type: 'polygon' as const,
    points: rectangle(at * 0.3, 0.5, at * 0.3 + 0.2, 1),
  },
}));
const ZONES = { queueZone: { type: 'polygon' as const, points: rectangle(0, 0, 1, 0.4) }, tills: TILLS };
const DAY_SECONDS = 86_400;
const { visits, seconds } = madeUpDay(2, 10_000);
const numbersOf = (part: readonly TillSecond[], length: number) =>
  tillNumbers(IDS, { visits: [], seconds: part, length });

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
let siteId: string;
let place: { sceneId: string; taskId: string; deviceId: string; computeNodeId: string };
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(START + 3 * DAY_SECONDS * 1000);
  api = await testApi({}, clock);
  owner = await api.user();
  const { db } = api.context;
  const deviceId: string = (await owner.post('/devices', SHOP)).body.data.id;
  const body = { deviceId, name: 'Row', analysisType: 'queue_analysis', config: { zones: ZONES } };
  sceneId = (await owner.post('/scenes', body)).body.data.id;
  const site = { name: 'Shop', timezone: 'UTC', deviceIds: [deviceId] };
  siteId = (await owner.post('/sites', site)).body.data.id;
  const { id: taskId } = await db.analysisTask.create({
    data: { sceneId, deviceId, userId: owner.userId },
  });
  place = { sceneId, taskId, deviceId, computeNodeId: taskId };
});
afterAll(() => api?.drop());

/** A run of a node: what it has not stored is lost with it. */
async function startRun(nowMs: number) {
  const { db } = api.context;
  const { stored } = await loadRecords(db, { ...place, nowMs });
  const tills = new RunTills(TILLS, await loadTills(db, sceneId, nowMs));
  const metrics = QueueMetrics.rebuild(ZONES, stored);
  const minutes = new Map<number, OccupancyMinute>();
  let frameMs = nowMs;
  return {
    metrics,
    see(second: TillSecond) {
      const update = { now: [], settled: [second] };
      tills.add(update.settled);
      // Frames never come again, but seconds that become final may.
      frameMs = Math.max(frameMs, second.timeMs + 1000);
      metrics.observe({ timeMs: frameMs, changes: [], openVisits: [], tills: update });
    },
    /** Tills are stored once a minute, people more often. */
    async store({ isTillsDue = true, decided = [] }: { isTillsDue?: boolean; decided?: typeof visits } = {}) {
      const rows: SceneTills = { sceneId, tills: isTillsDue ? tills.take(null) : [] };
      if (isTillsDue) metrics.countTills(tills.takeUncounted());
      for (const minute of metrics.minuteRows()) minutes.set(minute.minuteMs, minute);
      const open = metrics.openMinute;
      const records = {
        ...{
          ...place,
          visits: decided,
          totals: isTillsDue ? metrics.totals : null,
          snapshots: [],
          rolling: [],
          said: [],
        },
        minutes: [...minutes.values(), ...(open ? [open] : [])],
      };
      await db.$transaction(async (tx) => {
        await writeRecords(tx, [records]);
        await writeTills(tx, [rows]);
      });
      minutes.clear();
      tills.stored();
    },
  };
}

const WINDOW = ['avgOpenTills', 'tillUtilization', 'waitedWithFreeTillSeconds'] as const;
const windowOf = (numbers: Record<string, unknown>) =>
  Object.fromEntries(WINDOW.map((name) => [name, numbers[name]]));

test('windows, totals, series, reports and tills say what visits and states say, also after a crash and when minutes are folded', async () => {
  const { db } = api.context;
  let run = await startRun(START);
  // Visits that are decided in the next day count there.
  const decided = visits.filter((visit) => visit.outcomeDecidedAtMs! < START + DAY_SECONDS * 1000);
  await run.store({ decided });
  const crashes = new Set([20_000, 20_010, 50_000]);
  let lastStored = 0;
  for (let at = 0; at < seconds.length; at++) {
    run.see(seconds[at]!);
    if (at % 600 === 0) {
      await run.store();
      lastStored = at;
    }
    if (!crashes.delete(at)) continue;
    await run.store({ isTillsDue: false });
    // The next node continues from a checkpoint that is older than what was stored.
    run = await startRun(seconds[at]!.timeMs + 1000);
    at = lastStored - 25;
  }
  await run.store();
  // An outage of hours may follow: the last states become final after it, in a quarter that must not be lost.
  expect(await loadTills(db, sceneId, seconds.at(-1)!.timeMs)).toHaveLength(2 * IDS.length);
  const [{ bytes }] = await db.$queryRaw<[{ bytes: number }]>`
    SELECT avg(pg_column_size(t.*))::float8 / 15 AS bytes FROM "TillQuarter" t WHERE "sceneId" = ${sceneId}::uuid`;
  expect(bytes).toBeLessThanOrEqual(60);
  const all = tillNumbers(IDS, { visits: decided, seconds, length: DAY_SECONDS });
  const lastHour = seconds.filter(({ timeMs }) => timeMs >= START + (DAY_SECONDS - 3_600) * 1000);
  const { rolling60Min, total } = run.metrics.at(START + DAY_SECONDS * 1000);
  expect(windowOf({ ...rolling60Min })).toEqual(windowOf({ ...numbersOf(lastHour, 3_600) }));
  expect(windowOf({ ...total })).toEqual(windowOf({ ...all }));

  const day = new Date(START).toISOString().slice(0, 10);
  const range = `from=${day}T00:00:00Z&to=${new Date(START + DAY_SECONDS * 1000).toISOString()}`;
  const get = async (path: string) => {
    const answer = await owner.get(path);
    expect(answer.body.message ?? '').toBe('');
    return answer.body.data;
  };
  const check = async () => {
    const tills = await get(`/analytics/scenes/${sceneId}/tills?${range}&bucket=1d`);
    expect(windowOf(tills)).toEqual(windowOf({ ...all }));
    expect(tills.tills).toMatchObject(all.tills.map((till) => ({ ...till })));
    for (const bucket of ['1h', '1d']) {
      const series = await get(`/analytics/scenes/${sceneId}/series?${range}&bucket=${bucket}`);
      const parts = Array.from({ length: series.avgOpenTills.length }, (_, at) => {
        const length = DAY_SECONDS / series.avgOpenTills.length;
        const fromMs = START + at * length * 1000;
        return numbersOf(
          seconds.filter(({ timeMs }) => timeMs >= fromMs && timeMs < fromMs + length * 1000),
          length,
        );
      });
      for (const name of WINDOW) expect(series[name]).toEqual(parts.map((part) => part[name]));
    }
    const report = await get(`/reports/${siteId}?date=${day}`);
    expect(report.scenes[0].current).toMatchObject(windowOf({ ...all }));
    const served = tills.tills.map(({ tillId, services, avgServiceSeconds, utilization }: typeof tills) => ({
      ...{ sceneName: 'Row', tillId, services, avgServiceSeconds, utilization },
    }));
    expect(served[0].utilization).toBeGreaterThan(0);
    expect(report.tills).toMatchObject(served);
    const html = (await owner.get(`/reports/${siteId}?date=${day}&format=html`)).text;
    expect(html).toContain(
      `<bdi>Till b</bdi></td><td align="right">${new Intl.NumberFormat('en').format(served[1].services)}</td>`,
    );
  };
  await check();
  while (await removeOldestDay(db, sceneId, clock.time));
  expect(await db.occupancyMinute.count({ where: { sceneId } })).toBe(0);
  await check();

  // What is erased is in no total; the rest stays.
  const erased = { sceneId, from: new Date(START), to: new Date(START + 6 * 3_600_000) };
  expect(await isCounted(db, erased)).toBe(true);
  await rebuildTotals(db, erased);
  const { stored } = await loadRecords(db, { ...place, nowMs: clock.time.getTime() });
  const rest = seconds.filter(({ timeMs }) => timeMs >= erased.to.getTime());
  const kept = QueueMetrics.rebuild(ZONES, stored).at(clock.time.getTime()).total;
  expect(windowOf({ ...kept })).toEqual(windowOf({ ...numbersOf(rest, DAY_SECONDS * 0.75) }));
});
