import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { recover } from '../../../src/runs/node/recover.ts';
import { type RunState, SHOWN } from '../../../src/runs/store/states.ts';
import { requestStop } from '../../../src/runs/store/stop-runs.store.ts';
import { type ApiUser, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { TestNode } from '../../support/test-node.ts';

// Whatever happens to a run and its node, every route shows the same state, and every filter finds the state that is shown.

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.drop());
// A start reserves the least loaded node, so each test has only its own nodes.
beforeEach(async () => {
  await api.context.db.computeNode.deleteMany();
});

type Shop = Awaited<ReturnType<typeof shopOf>>;
interface Row {
  readonly id: string;
  readonly taskId: string;
  readonly status: string;
  readonly computeNodeId: string | null;
  readonly startedAt: string | null;
}

const RUN_STATUSES = ['queued', 'processing', 'completed', 'failed', 'cancelled'];
const SCENE_STATUSES = ['idle', 'starting', 'running', 'stopping', 'stopped', 'error'];

/** A user with one scene, its routes, and nodes that the tests add and remove. */
async function story() {
  const user = await api.user();
  const shop = await shopOf(user);
  const { db } = api.context;
  const task = () =>
    db.analysisTask.findFirstOrThrow({ where: { sceneId: shop.sceneId }, orderBy: { createdAt: 'desc' } });
  return {
    user,
    shop,
    task,
    join: (name: string) => TestNode.join(db, name, { renewSeconds: 0 }),
    async start() {
      const answer = await user.post(`/devices/${shop.deviceId}/analysis/start`, { sceneId: shop.sceneId });
      expect(answer.body.data?.status).toBe('initializing');
    },
    /** Requests a stop that the node has not carried out yet. */
    async stopIsAsked() {
      const { id } = await task();
      const options = { reason: 'user_request', drain: false, deadlineSeconds: 60 } as const;
      await requestStop(db, { ids: [id], deviceId: shop.deviceId }, options);
    },
    async leaseLapses() {
      const { id } = await task();
      await db.runLease.updateMany({ where: { taskId: id }, data: { expiresAt: new Date(0) } });
    },
    recover: () => recover(api.context),
    says: async (state: RunState, node: TestNode | null) => {
      const { id, startedAt } = await task();
      await expectEverywhere(user, shop, {
        state,
        taskId: id,
        startedAt: startedAt?.toISOString() ?? null,
        nodeId: node?.member.id ?? null,
      });
    },
  };
}

/** The ids in a list, by the value of one filter. */
async function found(user: ApiUser, list: string, filter: string, values: readonly string[]) {
  const sign = list.includes('?') ? '&' : '?';
  const rows = await Promise.all(values.map((value) => user.get(`${list}${sign}${filter}=${value}`)));
  return Object.fromEntries(
    values.map((value, at) => [value, rows[at]!.body.data.map(({ id, taskId }: Row) => id ?? taskId)]),
  );
}
const only = (values: readonly string[], hit: string, ids: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, value === hit ? ids : []]));

async function expectEverywhere(
  user: ApiUser,
  { deviceId, sceneId }: Shop,
  run: { state: RunState; taskId: string; startedAt: string | null; nodeId: string | null },
): Promise<void> {
  const { taskId, startedAt, nodeId: computeNodeId } = run;
  const shown = SHOWN[run.state];
  const isWorkedOn = shown.task === 'PROCESSING';
  const dataOf = async (path: string) => (await user.get(path)).body.data;
  const history = `/devices/${deviceId}/analysis/history`;

  const [{ status, ...inStatus }] = (await dataOf(`/devices/${deviceId}/analysis/status`)).devices[0].scenes;
  expect([status, inStatus.sceneId, inStatus.startedAt]).toEqual([shown.run, sceneId, startedAt]);

  const scene = await dataOf(`/scenes/${sceneId}`);
  expect(scene).toMatchObject({
    analysisStatus: shown.scene,
    analysisStartedAt: startedAt,
    processingComputeNodeId: isWorkedOn ? computeNodeId : null,
  });
  expect(await dataOf('/scenes')).toMatchObject([{ id: sceneId, analysisStatus: shown.scene }]);
  expect(await found(user, '/scenes', 'analysisStatus', SCENE_STATUSES)).toEqual(
    only(SCENE_STATUSES, shown.scene, [sceneId]),
  );

  const small = shown.task.toLowerCase();
  const task = { id: taskId, status: small, computeNodeId, startedAt };
  const detail = await dataOf(`/analysis/tasks/${taskId}`);
  expect(detail).toMatchObject(task);
  expect(detail.stats?.fps ?? 0).toBe(inStatus.stats.fps);
  expect(await dataOf('/analysis/tasks')).toMatchObject([task]);
  expect(await found(user, '/analysis/tasks', 'status', RUN_STATUSES)).toEqual(
    only(RUN_STATUSES, small, [taskId]),
  );
  const counts = { queued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
  expect(await dataOf('/analysis/tasks/statistics')).toEqual({ ...counts, total: 1, [small]: 1 });
  expect(await dataOf(history)).toMatchObject([{ taskId, status: shown.task, computeNodeId, startedAt }]);
  const capitals = RUN_STATUSES.map((value) => value.toUpperCase());
  expect(await found(user, history, 'status', capitals)).toEqual(only(capitals, shown.task, [taskId]));
}

test('every route shows the same state at each moment while a node dies and another continues the run', async () => {
  const { user, shop, says, start, join, leaseLapses, recover, stopIsAsked, task } = await story();
  const a = await join('a');
  await start();
  await says('queued', null);
  await a.supervisor.renew();
  await a.supervisor.claim();
  await says('starting', a);
  a.frame(shop.deviceId);
  await a.supervisor.record();
  await says('running', a);

  // From here on the node is dead: first nobody knows, then its lease lapses, then another node recovers.
  await leaseLapses();
  await says('running', a);
  await recover();
  await says('queued', null);

  const b = await join('b');
  await b.supervisor.record();
  await b.supervisor.renew();
  await b.supervisor.claim();
  await says('starting', b);
  a.frame(shop.deviceId);
  await a.supervisor.record();
  await says('starting', b);
  b.frame(shop.deviceId);
  await b.supervisor.record();
  await says('running', b);

  await stopIsAsked();
  await says('stopping', b);
  const { runId } = b.run(shop.deviceId);
  await b.supervisor.renew();
  b.events.onRunEnded({ type: 'runEnded', runId, endOfStream: false, last: null });
  await b.supervisor.record();
  await says('completed', b);

  const { id } = await task();
  expect((await user.delete(`/analysis/tasks/${id}`)).status).toBe(204);
  expect((await user.get(`/scenes/${shop.sceneId}`)).body.data).toMatchObject({
    analysisStatus: 'idle',
    analysisStartedAt: null,
  });
  const { devices } = (await user.get(`/devices/${shop.deviceId}/analysis/status`)).body.data;
  expect(devices[0].scenes).toEqual([]);
});

test('every route shows the same state when a node dies while it stops a run before its first frame', async () => {
  const { says, start, join, leaseLapses, recover, stopIsAsked } = await story();
  const node = await join('dies-stopping');
  await start();
  await node.supervisor.renew();
  await node.supervisor.claim();
  await stopIsAsked();
  await says('stoppingEarly', node);
  await leaseLapses();
  await says('stoppingEarly', node);
  await recover();
  await says('completed', node);
});

test('every route shows the same state of a run that is cancelled in the queue, and of one that fails', async () => {
  const cancelled = await story();
  const node = await cancelled.join('fails');
  await cancelled.start();
  const { id } = await cancelled.task();
  await cancelled.user.patch(`/analysis/tasks/${id}`, { status: 'cancelled' });
  await cancelled.says('cancelled', null);

  const failing = await story();
  await failing.start();
  await node.supervisor.renew();
  await node.supervisor.claim();
  node.events.onCrashLimit([failing.shop.deviceId], 'SIGSEGV');
  await node.supervisor.record();
  await failing.says('failed', node);
});

test('every route shows the run before the newest one when the newest is deleted', async () => {
  const { user, shop, start, join, task, says } = await story();
  const node = await join('twice');
  await start();
  await user.post(`/devices/${shop.deviceId}/analysis/stop`);
  await start();
  await node.supervisor.renew();
  await node.supervisor.claim();
  node.events.onCrashLimit([shop.deviceId], 'SIGSEGV');
  await node.supervisor.record();
  const newest = await task();
  expect((await user.delete(`/analysis/tasks/${newest.id}`)).status).toBe(204);
  const first = await api.context.db.analysisTask.findFirstOrThrow({
    where: { sceneId: shop.sceneId, deletedAt: null },
  });
  await api.context.db.analysisTask.delete({ where: { id: newest.id } });
  expect((await task()).id).toBe(first.id);
  await says('cancelled', null);
});

test('a node without a heartbeat for 30 s streams nothing, and a queued run shows the load of the online nodes', async () => {
  const { user, shop, start, join, leaseLapses, recover } = await story();
  const { db } = api.context;
  const silent = await join('silent');
  await start();
  await silent.supervisor.renew();
  await silent.supervisor.claim();
  await silent.supervisor.renew();
  const load = async () => {
    const { devices: _, ...rest } = (await user.get(`/devices/${shop.deviceId}/analysis/status`)).body.data;
    return rest;
  };
  expect(await load()).toEqual({
    computeNodeHealth: 'healthy',
    computeNodeHealthReason: null,
    activeDeviceCount: 1,
    maxConcurrentDevices: 8,
  });
  await db.computeNode.updateMany({ data: { lastHeartbeatAt: new Date(Date.now() - 31_000) } });
  expect(await load()).toMatchObject({ computeNodeHealth: 'offline', activeDeviceCount: 0 });
  await leaseLapses();
  await recover();
  await join('alive');
  expect(await load()).toEqual({
    computeNodeHealth: 'healthy',
    computeNodeHealthReason: null,
    activeDeviceCount: 0,
    maxConcurrentDevices: 8,
  });
});

test('status and task say whether a queued run waits for capacity or for a node', async () => {
  const [first, second] = [await story(), await story()];
  const { db } = api.context;
  const node = await first.join('full');
  const waitingFor = async ({ user, shop, task }: typeof first) => {
    const { id } = await task();
    const { devices } = (await user.get(`/devices/${shop.deviceId}/analysis/status`)).body.data;
    const list = (await user.get('/analysis/tasks')).body.data;
    const detail = (await user.get(`/analysis/tasks/${id}`)).body.data;
    const answers = [devices[0].scenes[0], list.find((row: Row) => row.id === id), detail];
    const said = [...new Set(answers.map((answer: { waitingFor?: string }) => answer.waitingFor))];
    expect(said).toHaveLength(1);
    return said[0];
  };
  await first.start();
  expect(await waitingFor(first)).toBeUndefined();
  await node.supervisor.renew();
  await node.supervisor.claim();
  // After the last heartbeat, because a heartbeat writes the capacity.
  await db.computeNode.updateMany({ data: { maxConcurrentDevices: 1 } });
  await second.start();
  expect([await waitingFor(first), await waitingFor(second)]).toEqual([undefined, 'capacity']);
  const beside = await first.user.post('/scenes', {
    deviceId: first.shop.deviceId,
    name: 'Second scene of the same camera',
    analysisType: 'queue_analysis',
  });
  const sceneId = beside.body.data.id;
  await first.user.post(`/devices/${first.shop.deviceId}/analysis/start`, { sceneId });
  expect(await waitingFor(first)).toBeUndefined();
  await db.computeNode.updateMany({ data: { lastHeartbeatAt: new Date(Date.now() - 31_000) } });
  expect(await waitingFor(second)).toBe('node');
  await second.user.patch(`/analysis/tasks/${(await second.task()).id}`, { status: 'cancelled' });
  expect(await waitingFor(second)).toBeUndefined();
});
