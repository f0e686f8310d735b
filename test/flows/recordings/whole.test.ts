import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiUser, QUEUE_ZONE, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { CLIP } from '../../support/rows/recordings.ts';
import { REAL_DETECTOR, startTestWorker, type TestWorker } from '../../support/worker.ts';

let api: TestApi;
let user: ApiUser;
let worker: TestWorker;

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  const { context } = api;
  const database = {
    db: context.db,
    url: context.config.databaseUrl!,
    imagesDir: api.imagesDir,
    drop: async () => undefined,
  };
  worker = await startTestWorker(database, REAL_DETECTOR);
});
afterAll(async () => {
  await worker?.stop();
  await api?.drop();
});

test('an uploaded recording is analysed by a node, measured at the time it was recorded, and charged', async () => {
  const query = 'recordedAt=2026-11-01T12:00:00Z&timezone=Europe/Berlin';
  const uploaded = await user
    .post(`/recordings?${query}`)
    .set('Content-Type', 'application/octet-stream')
    .send(CLIP as never);
  expect(uploaded.status).toBe(201);
  const { id, sceneId, deviceId } = uploaded.body.data;
  const zones = { queueZone: QUEUE_ZONE };
  expect((await user.post(`/recordings/${id}/analysis`, { zones })).status).toBe(202);
  const analysis = await eventually('the end of the analysis', async () => {
    const shown = (await user.get(`/recordings/${id}`)).body.data.analysis;
    return shown.completedAt !== null && shown;
  });
  expect(analysis).toMatchObject({
    ...{ status: 'completed', progressPercent: 100, positionSeconds: 1.8, error: null, etaSeconds: null },
    secondsPerSecond: expect.any(Number),
  });
  const range = 'from=2026-11-01T12:00:00Z&to=2026-11-01T12:01:00Z&bucket=1m';
  const series = await user.get(`/analytics/scenes/${sceneId}/series?${range}`);
  expect(series.body.data.coveragePercent[0]).toBeGreaterThan(2);
  expect(series.body.data.avgInQueue[0]).toBe(0);
  const shares = await user.get('/billing/summary/by-device');
  expect(shares.body.data).toMatchObject([{ deviceId, deviceType: 'recording', analysisSeconds: 2 }]);
  expect((await user.get('/events')).body.data).toEqual([]);
});
