// A program of its own, because the modules of the catalogue are read once: it asks the service for the added metrics everywhere
// and prints what it got.
import './added-metrics.ts';
import { WINDOWS } from '../../../src/catalogue/metrics/all.ts';
import { metricName } from '../../../src/catalogue/metrics/words.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Series } from '../../../src/platform/prometheus.ts';

const { apiDocument } = await import('../../../src/app.ts');
const { alertMessage } = await import('../../../src/alerts/message.ts');
const { watchInstallation } = await import('../../../src/analytics/overview/admin/watch-installation.ts');
const { presentSceneMetrics } = await import('../../../src/delivery/live/present.ts');
const { ENGLISH } = await import('../../../src/delivery/notifications/texts/english.ts');
const { GERMAN } = await import('../../../src/delivery/notifications/texts/german.ts');
const { hourlyNameOf } = await import('../../../src/insights/rules/describe-by-rules.ts');
const { QueueMetrics } = await import('../../../src/metrics/queue-metrics.ts');
const { currentBytes, windowBytes } = await import('../../../src/metrics/stored-numbers.ts');
const { discoveryOf } = await import('../../../src/mqtt/discovery.ts');
const { numbersOf } = await import('../../../src/mqtt/numbers.ts');
const { Topics } = await import('../../../src/mqtt/topics.ts');
const { SHOP_ZONES } = await import('../../../src/simulator/shop-zones.ts');
const { addVisits, addMinutes } = await import('../../analytics/history/history-rows.ts');
const { closed, inService, waiting } = await import('../../metrics/visits.ts');
const { SHOP, testApi } = await import('../../support/api.ts');

const api = await testApi({}, systemClock);
// The document of other tests knows nothing of these metrics, and they nothing of this one.
delete process.env.TEST_CLUSTER_DIR;
const { db } = api.context;
const user = await api.user();
const deviceId = (await user.post('/devices', SHOP)).body.data.id;
const body = { deviceId, name: 'Till', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } };
const sceneId: string = (await user.post('/scenes', body)).body.data.id;
const siteId = (await user.post('/sites', { name: 'Shop', timezone: 'UTC', deviceIds: [deviceId] })).body.data
  .id;

// Yesterday from nine on: waits of 30, 60 and 90 s, one who gave up, one lost; and two who wait now, for 20 and 80 s.
const DAY_MS = 86_400_000;
const nineMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS + 9 * 3_600_000;
const WAITS = [30, 60, 90];
const metrics = new QueueMetrics({ zones: SHOP_ZONES });
const endMs = nineMs + 300_000;
const ended = [
  ...WAITS.map((seconds, at) => {
    const startMs = endMs - (seconds + 70) * 1000;
    return closed(inService(waiting(at + 1, startMs), startMs + seconds * 1000), 'completed', endMs);
  }),
  closed(waiting(4, nineMs), 'abandoned', endMs),
  closed(waiting(5, nineMs), 'lost', endMs),
];
const open = [waiting(6, endMs - 20_000), waiting(7, endMs - 80_000)];
metrics.observe({ timeMs: endMs, changes: ended, openVisits: open });
const live = metrics.at(endMs);

await addVisits(
  db,
  sceneId,
  [
    ...WAITS.map((seconds) => ({ outcome: 'completed' as const, waitMs: seconds * 1000, serviceMs: 70_000 })),
    { outcome: 'abandoned' as const, waitMs: 100_000 },
    { outcome: 'lost' as const, waitMs: 50_000 },
  ].map((visit) => ({ ...visit, arrivedAtMs: nineMs, decidedAtMs: endMs })),
);
await addMinutes(db, sceneId, [{ atMs: nineMs }]);
const place = { sceneId, deviceId };
const times = { windowStart: new Date(nineMs), windowEnd: new Date(endMs) };
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
await db.metricSnapshot.create({
  data: { ...place, ...times, durationSeconds: 10, numbers: currentBytes(live.current) },
});
await db.rollingRecord.createMany({
  data: [
    ...WINDOWS.map(({ name, windowType }) => ({ windowType, metrics: live[name] })),
    { windowType: 'total', metrics: live.total },
  ].map(({ windowType, metrics }) => ({ ...place, ...times, windowType, numbers: windowBytes(metrics) })),
});
const scene = await db.scene.update({
  where: { id: sceneId },
  data: { analysisStatus: 'running', latestMetrics: stored(live) as object, metricsUpdatedAt: new Date() },
  include: { device: true },
});

const get = async (path: string) => (await user.get(path)).body.data;
const text = async (path: string, type = '*/*') => (await user.get(path).set('Accept', type)).text;
const date = new Date(nineMs).toISOString().slice(0, 10);
const range = `from=${date}T00:00:00Z&to=${date}T23:00:00Z`;
const readers = new Map<string, () => unknown>();
watchInstallation({ watchSeries: ({ name }, read) => void readers.set(name, read) }, api.context);
const gauges = (await readers.get('scenes_now')!()) as readonly Series[];

const rule = {
  name: 'Rule',
  sceneId,
  severity: 'warning',
  logicOperator: 'OR',
  cooldownMinutes: 5,
  durationSeconds: 0,
};
const condition = { metricPath: 'rolling5Min.quickCount', operator: 'GT', threshold: 1 } as const;
const now = {
  sceneId,
  userId: user.userId,
  name: 'Till',
  deviceName: 'Shop',
  zones: ['queueZone', 'checkoutZone'] as const,
};

process.stdout.write(
  JSON.stringify({
    paths: (await get('/alerts/metrics/queue_analysis')).map(({ path }: { path: string }) => path),
    rule: (await user.post('/alerts/rules', { ...rule, conditions: [condition] })).status,
    message: alertMessage({ ...condition, actualValue: 2 }, 'Till'),
    words: [ENGLISH, GERMAN].map((texts) => metricName(condition.metricPath, texts.metrics)),
    usual: hourlyNameOf('current.patientPeople'),
    scene: (await get(`/scenes/${sceneId}`)).latestMetrics,
    stream: presentSceneMetrics(scene, new Date()),
    snapshots: await get(`/analytics/snapshots?sceneId=${sceneId}`),
    rolling: await get(`/analytics/rolling?sceneId=${sceneId}`),
    overview: await get('/overview'),
    sites: await get('/overview/sites'),
    series: await get(`/analytics/scenes/${sceneId}/series?${range}&bucket=1d`),
    seriesCsv: await text(`/analytics/scenes/${sceneId}/series?${range}&bucket=1d`, 'text/csv'),
    heatmap: await get(`/analytics/scenes/${sceneId}/heatmap?${range}`),
    report: await get(`/reports/${siteId}?date=${date}`),
    reportCsv: await text(`/reports/${siteId}?date=${date}&format=csv`),
    reportHtml: await text(`/reports/${siteId}?date=${date}&format=html`),
    mqttState: numbersOf(scene.latestMetrics),
    mqttSensors: discoveryOf(now, new Topics('queues', 'homeassistant'), 'https://x').map(
      ({ topic }) => topic,
    ),
    gauges: Object.fromEntries(gauges.map(({ labels, value }) => [labels.metric, value])),
    document: apiDocument(''),
  }),
);
await api.drop();
