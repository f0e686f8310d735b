import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/platform/clock.ts';
import { type ApiUser, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { told } from '../../support/told.ts';
import { startTestWorker, type TestWorker } from '../../support/worker.ts';

// An API, a worker with one real lane that takes two cameras, and four cameras.

let api: TestApi;
let user: ApiUser;
let worker: TestWorker;
beforeAll(async () => {
  api = await testApi({}, systemClock);
  user = await api.user();
  const { context, imagesDir } = api;
  const database = {
    db: context.db,
    url: context.config.databaseUrl!,
    imagesDir,
    drop: async () => undefined,
  };
  worker = await startTestWorker(database, { maxConcurrentDevices: 2 });
});
afterAll(async () => {
  await worker?.stop();
  await api?.drop();
});

const taskOf = async (id: string) => (await user.get(`/analysis/tasks/${id}`)).body.data;
const eventsOf = async (analysisId: string) => {
  const events = await told(api.context.db, { userId: user.userId });
  return events
    .filter(({ data }) => data.analysisId === analysisId)
    .map(({ type, data }) => (data.state ? `${type} ${data.state}` : type));
};

test('more runs than a node takes are accepted, say that they wait, and start when there is room', async () => {
  const started: { deviceId: string; sceneId: string; analysisId: string }[] = [];
  for (let camera = 0; camera < 4; camera++) {
    const { deviceId, sceneId } = await shopOf(user);
    const { status, body } = await user.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    expect([status, body.data.status]).toEqual([202, 'initializing']);
    const { analysisId } = body.data;
    if (camera < 2)
      await eventually(
        'the node has taken it',
        async () => (await taskOf(analysisId)).status === 'processing',
      );
    started.push({ deviceId, sceneId, analysisId });
  }
  const [first, second, third, fourth] = started.map(({ analysisId }) => analysisId);

  for (const { analysisId, deviceId } of started.slice(2)) {
    expect(await taskOf(analysisId)).toMatchObject({ status: 'queued', waitingFor: 'capacity' });
    const status = (await user.get(`/devices/${deviceId}/analysis/status`)).body.data;
    expect(status).toMatchObject({ activeDeviceCount: 2, maxConcurrentDevices: 2 });
    expect(status.devices).toMatchObject([
      { deviceId, scenes: [{ status: 'initializing', waitingFor: 'capacity' }] },
    ]);
  }
  await eventually('the wait of both is told', async () =>
    (await Promise.all([third!, fourth!].map(eventsOf))).every((types) =>
      types.includes('analysis_waiting began'),
    ),
  );
  expect([await eventsOf(first!), await eventsOf(second!)].flat()).not.toContain('analysis_waiting began');

  const { deviceId, sceneId } = started[0]!;
  await user.post(`/devices/${deviceId}/analysis/stop`, { sceneId });
  await eventually('the oldest of them runs', async () =>
    (await eventsOf(third!)).includes('analysis_started'),
  );
  const ofThird = await eventually('the end of its wait is told', async () => {
    const types = await eventsOf(third!);
    return types.includes('analysis_waiting ended') && types;
  });
  expect([...ofThird].sort()).toEqual([
    'analysis_started',
    'analysis_waiting began',
    'analysis_waiting ended',
  ]);
  expect(await taskOf(third!)).not.toHaveProperty('waitingFor');
  expect(await taskOf(fourth!)).toMatchObject({ status: 'queued', waitingFor: 'capacity' });
  expect(await eventsOf(fourth!)).toEqual(['analysis_waiting began']);
});
