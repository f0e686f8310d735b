import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTogether } from '../../../src/analytics/overview/together.store.ts';
import { freshMetrics } from '../../../src/delivery/live/live.store.ts';
import { presentSceneMetrics } from '../../../src/delivery/live/present.ts';
import { QueueMetrics } from '../../../src/metrics/queue-metrics.ts';
import { writeLatestMetrics } from '../../../src/metrics/recorder.store.ts';
import { discoveryOf } from '../../../src/mqtt/discovery.ts';
import { findScenesNow } from '../../../src/mqtt/scenes.store.ts';
import { Topics } from '../../../src/mqtt/topics.ts';
import type { TillNow } from '../../../src/vision/tills/till-watch.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { type ApiUser, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';

const till = (id: string, left: number) => ({
  ...{ id, name: `Till ${id}`, type: 'polygon' as const, points: rectangle(left, 0.5, left + 0.2, 1) },
});
const TILLS = [till('a', 0), till('b', 0.2), till('c', 0.4)];
const NO_ID = '00000000-0000-0000-0000-000000000000';
const ZONES = { tills: TILLS };

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
const clock = new TestClock();
const ago = (seconds: number) => new Date(clock.time.getTime() - seconds * 1000);

beforeAll(async () => {
  // Ahead of the database: however slow the machine is, its numbers are those of now.
  clock.time = new Date(Date.now() + 3_600_000);
  api = await testApi({}, clock);
  owner = await api.user();
  const device = await owner.post('/devices', SHOP);
  const body = { deviceId: device.body.data.id, name: 'Row', analysisType: 'queue_analysis' };
  sceneId = (await owner.post('/scenes', { ...body, config: { zones: ZONES } })).body.data.id;
});
afterAll(() => api?.drop());

const now = (tillId: string, state: 'serving' | 'free', seconds: number): TillNow => ({
  ...{ tillId, state, sinceMs: ago(seconds).getTime(), confidence: state === 'free' ? 'low' : 'high' },
});

/** What the scene, the overview and the event stream say of the tills, and of the numbers of this moment. */
async function shown() {
  const { latestMetrics } = (await owner.get(`/scenes/${sceneId}`)).body.data;
  const overview = (await owner.get('/overview')).body.data[0].scenes[0];
  const [scene] = await freshMetrics(api.context.db, owner.userId, clock.now());
  const event = scene && (presentSceneMetrics(scene, clock.now()).data as { metrics: typeof latestMetrics });
  return [latestMetrics, overview, event?.metrics].map((place) => ({
    tills: place?.tills,
    current: place?.current,
  }));
}

test('before the first frame nobody knows a till', async () => {
  const unknown = TILLS.map(({ id, name }) => ({ id, name, state: 'unknown', since: null }));
  expect((await shown()).map(({ tills }) => tills)).toEqual([undefined, unknown, undefined]);
});

test('each till with its state beside the numbers, and never an old state', async () => {
  const { db } = api.context;
  const metrics = new QueueMetrics({ zones: ZONES });
  const tills = [now('b', 'serving', 40), now('a', 'free', 90), now('gone', 'serving', 5)];
  const store = (seconds: number) => {
    const timeMs = ago(seconds).getTime();
    metrics.observe({ timeMs, changes: [], openVisits: [], tills: { now: tills.slice(0, 2), settled: [] } });
    const latest = { sceneId, metrics: metrics.at(timeMs), tills, timeMs };
    return db.$transaction((tx) => writeLatestMetrics(tx, [latest]));
  };
  await store(2);
  const run = (analysisStatus: 'running' | 'stopped') =>
    db.scene.update({ where: { id: sceneId }, data: { analysisStatus } });
  await run('running');
  const name = (id: string) => ({ id, name: `Till ${id}` });
  const unknown = (seconds: number) =>
    TILLS.map(({ id }) => ({ ...name(id), state: 'unknown', since: ago(seconds).toISOString() }));
  for (const place of await shown()) {
    expect(place.current).toMatchObject({ openTills: 2, servingTills: 1, freeTills: 1 });
    expect(place.tills).toEqual([
      { ...name('a'), state: 'free', since: ago(90).toISOString(), confidence: 'low' },
      {
        ...{ ...name('b'), state: 'serving', confidence: 'high' },
        ...{ since: ago(40).toISOString(), servedSince: ago(40).toISOString() },
      },
      // Nothing is stored of a till that was drawn after the last frame.
      { ...name('c'), state: 'unknown', since: ago(2).toISOString() },
    ]);
  }

  const together = { openTills: 2, servingTills: 1, freeTills: 1 };
  expect(await readTogether(db)).toMatchObject(together);
  const [published] = await findScenesNow(db, { after: NO_ID, userIds: [owner.userId], atMost: 1 });
  expect(published).toMatchObject({ zones: ['checkoutZone', 'tills'], metrics: { current: together } });
  const messages = discoveryOf(published!, new Topics('queues', 'homeassistant'), 'https://x');
  const open = messages.find(({ topic }) => topic.endsWith('open_tills/config'));
  expect(open?.config).toMatchObject({ name: 'Open tills', unit_of_measurement: 'tills' });

  // The camera is away in the middle of the service.
  await store(31);
  expect((await shown()).map((place) => place.tills)).toEqual(Array(3).fill(unknown(31)));
  await store(2);
  await run('stopped');
  expect((await shown()).map((place) => place.tills)).toEqual(Array(3).fill(unknown(2)));
});

test('rules may name the numbers of tills, and say where a scene has none', async () => {
  const entries: { path: string; zones: string[] }[] = (await owner.get('/alerts/metrics/queue_analysis'))
    .body.data;
  const ofTills = entries.filter(({ zones }) => zones.includes('tills')).map(({ path }) => path);
  const windows = ['rolling5Min', 'rolling15Min', 'rolling30Min', 'rolling60Min', 'total'];
  expect(ofTills).toEqual([
    ...['current.openTills', 'current.servingTills', 'current.freeTills'],
    ...windows.flatMap((window) =>
      ['avgOpenTills', 'tillUtilization', 'waitedWithFreeTillSeconds'].map((name) => `${window}.${name}`),
    ),
  ]);
  const device = await owner.post('/devices', { ...SHOP, name: 'Other' });
  const bare = { deviceId: device.body.data.id, name: 'Bare', analysisType: 'queue_analysis' };
  const without: string = (await owner.post('/scenes', bare)).body.data.id;
  const paths = ['current.openTills', 'rolling5Min.tillUtilization'];
  for (const [id, unmeasuredPaths] of [
    [sceneId, []],
    [without, paths],
  ] as const) {
    const rule = await owner.post('/alerts/rules', {
      ...{ name: 'Tills', sceneId: id, severity: 'warning', logicOperator: 'AND', cooldownMinutes: 5 },
      durationSeconds: 0,
      conditions: paths.map((metricPath) => ({ metricPath, operator: 'LT', threshold: 1 })),
    });
    expect(rule.body.message ?? '').toBe('');
    expect(rule.body.data.unmeasuredPaths).toEqual(unmeasuredPaths);
  }
});

test('a scene without tills has none, and no number of them', async () => {
  const metrics = new QueueMetrics({ zones: { checkoutZone: TILLS[0] } });
  metrics.observe({ timeMs: 1000, changes: [], openVisits: [] });
  expect(metrics.at(1000).current).toMatchObject({ openTills: null, servingTills: null, freeTills: null });
  const [row] = await freshMetrics(api.context.db, owner.userId, clock.now());
  const bare = { ...row!, config: { zones: {} } };
  expect(presentSceneMetrics(bare, clock.now())).toMatchObject({ data: { metrics: { tills: [] } } });
});
