import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SYSTEM } from '../../../src/audit/record-audit.ts';
import { mergePatches } from '../../../src/cameras/scenes/configure-scene.ts';
import type { PatchScene } from '../../../src/cameras/scenes/schema.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import { storeRestart } from '../../../src/runs/api/restart/restart.store.ts';
import { finishRestarts, restartScene } from '../../../src/runs/api/restart/restart-scene.ts';
import { fenceRuns } from '../../../src/runs/store/stop-runs.store.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addNode, queueScene } from '../../support/rows/runs.ts';

const BY = { actor: SYSTEM, at: new Date() };

let api: TestApi;
let db: Db;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi();
  db = api.context.db;
});
afterAll(() => api.drop());
beforeEach(async () => {
  user = await api.user();
});

const patch = (id: string, body: object, query = '?restart=true') =>
  user.patch(`/scenes/${id}${query}`, body);
const runsOf = (sceneId: string) =>
  db.analysisTask.findMany({ where: { sceneId }, orderBy: { createdAt: 'asc' } });
const sceneOf = (id: string) => db.scene.findUniqueOrThrow({ where: { id } });
const restartOf = (sceneId: string) => db.sceneRestart.findUnique({ where: { sceneId } });
/** As after the time that a living program has to finish it. */
const makeDue = (sceneId: string) =>
  db.sceneRestart.update({ where: { sceneId }, data: { dueAt: new Date(0) } });

/** A scene with a queued run. */
async function queued(run: object = { priority: 2 }) {
  const { id } = (await user.post('/devices', SHOP)).body.data;
  const { scene, task } = await queueScene(db, { id, userId: user.userId }, run);
  return { deviceId: id as string, sceneId: scene.id, taskId: task.id };
}

describe('PATCH /scenes/{id}?restart=true', () => {
  test('a scene at rest is changed and not started', async () => {
    const { sceneId, deviceId } = await queued();
    await user.post(`/devices/${deviceId}/analysis/stop`, { sceneId });
    const { status, body } = await patch(sceneId, { name: 'New' });
    expect([status, body.data.name, body.data.analysisStatus]).toEqual([200, 'New', 'stopped']);
    expect(await runsOf(sceneId)).toHaveLength(1);
    expect(await restartOf(sceneId)).toBeNull();
  });

  test('a queued run is replaced by one with the change, of the same priority', async () => {
    const { sceneId, taskId } = await queued();
    const change = { name: 'New', config: { parameters: { entryThresholdSeconds: 9 } } };
    const { status, body } = await patch(sceneId, change);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'New', analysisStatus: 'starting' });
    expect(body.data.config.parameters).toMatchObject({ entryThresholdSeconds: 9, exitThresholdSeconds: 1 });
    const runs = await runsOf(sceneId);
    expect(runs.map(({ id, status, priority }) => [id === taskId, status, priority])).toEqual([
      [true, 'CANCELLED', 2],
      [false, 'QUEUED', 2],
    ]);
    expect(await restartOf(sceneId)).toBeNull();
  });

  test('a run that a node holds is stopped by its node', async () => {
    const { sceneId, taskId } = await queued();
    const computeNodeId = await addNode(db, 'node');
    const held = { computeNodeId, epoch: 1, startedAt: new Date() };
    await db.analysisTask.update({ where: { id: taskId }, data: { ...held, status: 'PROCESSING' } });
    await db.scene.update({ where: { id: sceneId }, data: { analysisStatus: 'running' } });
    const stoppedByNode = async () => {
      await eventually('a stop is requested', () =>
        db.analysisTask.findFirst({ where: { id: taskId, stopRequestedAt: { not: null } } }),
      );
      await fenceRuns(db, [taskId], 'user_request');
    };
    const [answer] = await Promise.all([patch(sceneId, { name: 'New' }), stoppedByNode()]);
    expect([answer.status, answer.body.data.name]).toEqual([200, 'New']);
    expect((await runsOf(sceneId)).map(({ status }) => status)).toEqual(['COMPLETED', 'QUEUED']);
  });

  test('a change that is refused leaves the run alone', async () => {
    const { sceneId, taskId } = await queued();
    for (const body of [
      { deviceId: '11111111-1111-1111-1111-111111111111' },
      { name: '' },
      { config: { zones: {} } },
    ])
      expect((await patch(sceneId, body)).status).toBe(400);
    expect(codeOf(await patch(sceneId, { name: 'New' }, '?restart=perhaps'))[0]).toBe(400);
    expect(codeOf(await patch(sceneId, { name: 'New' }, ''))).toEqual([400, 'SCENE_ANALYSIS_ACTIVE']);
    expect(codeOf(await patch(sceneId, { name: 'New' }, '?restart=false'))).toEqual([
      400,
      'SCENE_ANALYSIS_ACTIVE',
    ]);
    expect((await runsOf(sceneId)).map(({ id, status }) => [id, status])).toEqual([[taskId, 'QUEUED']]);
    expect([(await sceneOf(sceneId)).name, await restartOf(sceneId)]).toEqual(['Queue', null]);
  });

  test('needs the scope analysis:control too', async () => {
    const writer = await api.user(['scene:write', 'device:write']);
    const { id } = (await writer.post('/devices', SHOP)).body.data;
    const { scene } = await queueScene(db, { id, userId: writer.userId });
    const answer = await writer.patch(`/scenes/${scene.id}?restart=true`, { name: 'New' });
    expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test.each([
    ['the change pauses it', { status: 'paused' }, {}],
    ['its device was disabled meanwhile', { name: 'New' }, { isDisabled: true }],
  ])('is changed but not started if %s', async (_name, body, device) => {
    const { sceneId, deviceId } = await queued();
    await db.device.update({ where: { id: deviceId }, data: device });
    const { status, body: answer } = await patch(sceneId, body);
    expect([status, answer.data.analysisStatus]).toEqual([200, 'stopped']);
    expect(answer.data).toMatchObject(body);
    expect(await runsOf(sceneId)).toHaveLength(1);
  });

  test('a scene of another user does not exist', async () => {
    const { sceneId } = await queued();
    user = await api.user();
    expect(codeOf(await patch(sceneId, { name: 'New' }))).toEqual([404, 'NOT_FOUND']);
  });

  test('concurrent restarts leave all changes and one active run', async () => {
    const { sceneId } = await queued();
    const changes = [
      { name: 'New' },
      { description: 'd' },
      { config: { parameters: { class: 'vehicle' } } },
      {},
    ];
    const answers = await Promise.all(changes.map((body) => patch(sceneId, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const scene = await sceneOf(sceneId);
    expect(scene).toMatchObject({
      name: 'New',
      description: 'd',
      config: { parameters: { class: 'vehicle' } },
    });
    const active = (await runsOf(sceneId)).filter(({ status }) => status === 'QUEUED');
    expect(active).toHaveLength(1);
    expect(await restartOf(sceneId)).toBeNull();
  });
});

test('a program that finds its restart finished by another one finishes the next', async () => {
  const { sceneId } = await queued();
  const own = { userId: user.userId, id: sceneId };
  let first = true;
  const findUnique = async () => {
    const found = await restartOf(sceneId);
    if (!first) return found;
    first = false;
    await restartScene(db, own, { description: 'by another' }, BY);
    expect(await storeRestart(db, own, { name: 'Third' }, BY)).toBe('stored');
    return found;
  };
  const overtaken = new Proxy(db, {
    get: (on, name) => (name === 'sceneRestart' ? { findUnique } : Reflect.get(on, name)),
  });
  const scene = await restartScene(overtaken, own, { name: 'First' }, BY);
  expect(scene).toMatchObject({ name: 'Third', description: 'by another' });
  expect((await runsOf(sceneId)).map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'QUEUED']);
  expect(await restartOf(sceneId)).toBeNull();
});

describe('a restart that nobody has finished', () => {
  /** As if the program had died after it stored the restart. */
  async function left(change: PatchScene = { name: 'New' }) {
    const rows = await queued();
    const own = { userId: user.userId, id: rows.sceneId };
    expect(await storeRestart(db, own, change, BY)).toBe('stored');
    return { ...rows, own };
  }

  test('is finished by the job, but not while its program has time', async () => {
    const { sceneId } = await left();
    await finishRestarts(api.context);
    expect((await sceneOf(sceneId)).name).toBe('Queue');
    await makeDue(sceneId);
    await Promise.all([finishRestarts(api.context), finishRestarts(api.context)]);
    expect((await sceneOf(sceneId)).name).toBe('New');
    expect((await runsOf(sceneId)).map(({ status }) => status)).toEqual(['CANCELLED', 'QUEUED']);
    expect(await restartOf(sceneId)).toBeNull();
  });

  test('takes a second change, which decides', async () => {
    const { sceneId, own } = await left({ name: 'First', description: 'd' });
    await storeRestart(db, own, { name: 'Second' }, BY);
    await makeDue(sceneId);
    await finishRestarts(api.context);
    expect(await sceneOf(sceneId)).toMatchObject({ name: 'Second', description: 'd' });
  });

  test('starts nothing once somebody stops the analysis; the change stays', async () => {
    const { sceneId, deviceId } = await left();
    await user.post(`/devices/${deviceId}/analysis/stop`, {});
    await makeDue(sceneId);
    await finishRestarts(api.context);
    expect((await sceneOf(sceneId)).name).toBe('New');
    expect(await runsOf(sceneId)).toHaveLength(1);
  });

  test('keeps others from starting the scene', async () => {
    const { sceneId, deviceId, taskId } = await left();
    await fenceRuns(db, [taskId], 'user_request');
    await addNode(db, 'alive');
    const start = () => user.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    expect(codeOf(await start())).toEqual([409, 'ALREADY_RUNNING']);
    await makeDue(sceneId);
    await finishRestarts(api.context);
    expect((await runsOf(sceneId)).map(({ status }) => status)).toEqual(['CANCELLED', 'QUEUED']);
  });

  test('goes with a scene that was deleted', async () => {
    const { sceneId, taskId } = await left();
    await fenceRuns(db, [taskId], 'user_request');
    expect((await user.delete(`/scenes/${sceneId}`)).status).toBe(204);
    await makeDue(sceneId);
    await finishRestarts(api.context);
    expect([await restartOf(sceneId), (await runsOf(sceneId)).length]).toEqual([null, 1]);
  });

  test('has the schedule of its device looked at again', async () => {
    const { sceneId, deviceId } = await left();
    const schedule = { timezone: 'UTC', windows: [{ days: [1], start: '00:00', end: '01:00' }] };
    const nextScheduleAt = new Date('2999-01-01T00:00:00.000Z');
    await db.device.update({ where: { id: deviceId }, data: { schedule, nextScheduleAt } });
    await makeDue(sceneId);
    await finishRestarts(api.context);
    const device = await db.device.findUniqueOrThrow({ where: { id: deviceId } });
    expect(device.nextScheduleAt!.getTime()).toBeLessThan(nextScheduleAt.getTime());
  });
});

/** A database whose program dies before its n-th statement; open transactions are rolled back, as by a lost connection. */
function dying(target: object, left: { statements: number }): Db {
  return new Proxy(target, {
    get(on, name) {
      const value: unknown = Reflect.get(on, name);
      if (name === '$transaction')
        return (run: (tx: object) => Promise<unknown>) =>
          (value as (run: (tx: object) => Promise<unknown>) => Promise<unknown>).call(on, (tx) =>
            run(dying(tx, left)),
          );
      if (typeof value === 'function')
        return (...given: unknown[]) => {
          left.statements -= 1;
          if (left.statements < 0) throw new Error('killed');
          return (value as (...given: unknown[]) => unknown).apply(on, given);
        };
      const isModel =
        typeof value === 'object' && value !== null && typeof name === 'string' && !/^[$_]/.test(name);
      return isModel ? dying(value, left) : value;
    },
  }) as Db;
}

test('whichever statement is the last of a program, the scene is unchanged or changed and started once', async () => {
  const outcomes: string[] = [];
  for (let statements = 0; ; statements++) {
    const { sceneId } = await queued();
    const own = { userId: user.userId, id: sceneId };
    const died = await restartScene(dying(db, { statements }), own, { name: 'New' }, BY).then(
      () => false,
      (error: unknown) => /killed/.test(String(error)) || Promise.reject(error),
    );
    if (await restartOf(sceneId)) await makeDue(sceneId);
    await finishRestarts(api.context);
    const { name, analysisStatus } = await sceneOf(sceneId);
    const runs = (await runsOf(sceneId)).map(({ status }) => status);
    const outcome = [name, analysisStatus, ...runs].join(' ');
    expect(['Queue starting QUEUED', 'New starting CANCELLED QUEUED']).toContain(outcome);
    expect(await restartOf(sceneId)).toBeNull();
    outcomes.push(outcome);
    if (!died) break;
  }
  // Before the restart is stored nothing happens, afterwards everything.
  expect(outcomes).toEqual([...outcomes].sort().reverse());
  expect(new Set(outcomes).size).toBe(2);
  expect(outcomes.length).toBeGreaterThan(10);
});

test('two changes of a scene as one: fields of the second decide, parameters one by one', () => {
  const zones = { queueZone: { type: 'polygon' as const, points: [[0, 0]] } } as unknown as NonNullable<
    NonNullable<PatchScene['config']>['zones']
  >;
  expect(
    mergePatches(
      { name: 'a', config: { zones, parameters: { class: 'person', exitThresholdSeconds: 2 } } },
      { description: 'd', config: { parameters: { class: 'vehicle' } } },
    ),
  ).toEqual({
    name: 'a',
    description: 'd',
    config: { zones, parameters: { class: 'vehicle', exitThresholdSeconds: 2 } },
  });
  expect(mergePatches({ config: { zones } }, { name: 'b' })).toEqual({ name: 'b', config: { zones } });
});
