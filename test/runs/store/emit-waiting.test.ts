import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { recover } from '../../../src/runs/node/recover.ts';
import { claimRuns } from '../../../src/runs/store/claim-runs.store.ts';
import { cancelQueued } from '../../../src/runs/store/stop-runs.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, addNode, queueScene } from '../../support/rows/runs.ts';
import { told } from '../../support/told.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  await db.computeNode.deleteMany();
  const queued = await db.analysisTask.findMany({ where: { status: 'QUEUED' } });
  await cancelQueued(
    db,
    queued.map(({ id }) => id),
    { reason: 'user_request' },
  );
});

const round = () =>
  recover({
    config: loadConfig({}),
    db: database.db,
    logger: createLogger({ level: 'silent', program: 'test' }),
  });

/** A node that takes one camera and has it, and a run that waits for another one. */
async function fullNode(name: string) {
  const { db } = database;
  const nodeId = await addNode(db, name);
  await db.computeNode.update({ where: { id: nodeId }, data: { maxConcurrentDevices: 1 } });
  await queueScene(db, await addDevice(db));
  const claim = (maxDevices: number) =>
    claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices, leaseSeconds: 600 });
  expect(await claim(1)).toHaveLength(1);
  const waiting = await queueScene(db, await addDevice(db));
  return { nodeId, claim, ...waiting };
}

/** The run was queued so many seconds ago. */
const queuedBefore = (id: string, seconds: number) => database.db.$executeRaw`
  UPDATE "AnalysisTask" SET "createdAt" = clock_timestamp() - make_interval(secs => ${seconds}) WHERE id = ${id}::uuid`;

const statesOf = async (userId: string) =>
  (await told(database.db, { userId, type: 'analysis_waiting' })).map(({ data }) => data.state);

test('a run that waits for capacity is told once after 5 s, and once when a node has taken it', async () => {
  const { task, scene, claim, nodeId } = await fullNode('full');
  await round();
  expect(await statesOf(task.userId)).toEqual([]);
  await queuedBefore(task.id, 6);
  await Promise.all([round(), round()]);
  await round();
  const [began, ...more] = await told(database.db, { userId: task.userId, type: 'analysis_waiting' });
  expect(more).toEqual([]);
  expect(began).toMatchObject({
    data: {
      ...{ analysisId: task.id, sceneId: scene.id, deviceId: task.deviceId, computeNodeId: null },
      ...{ reason: 'capacity', state: 'began', since: began!.timestamp },
      message: expect.stringContaining('as soon as one has room'),
    },
  });

  await database.db.computeNode.update({ where: { id: nodeId }, data: { maxConcurrentDevices: 2 } });
  expect(await claim(1)).toHaveLength(1);
  await Promise.all([round(), round()]);
  await round();
  const [, ended, ...others] = await told(database.db, { userId: task.userId, type: 'analysis_waiting' });
  expect(others).toEqual([]);
  expect(ended).toMatchObject({ data: { computeNodeId: nodeId, state: 'ended', since: began!.timestamp } });
  expect(await database.db.analysisTask.findUnique({ where: { id: task.id } })).toMatchObject({
    waitsSince: null,
  });
});

test.each<[string, (run: Awaited<ReturnType<typeof fullNode>>) => Promise<unknown>]>([
  ['it is cancelled', ({ task }) => cancelQueued(database.db, [task.id], { reason: 'user_request' })],
  ['no node is left', () => database.db.computeNode.updateMany({ data: { health: 'offline' } })],
  ['a node has room', () => database.db.computeNode.updateMany({ data: { maxConcurrentDevices: 9 } })],
])('the end of the wait is told when %s', async (name, end) => {
  const run = await fullNode(`ends ${name}`);
  await queuedBefore(run.task.id, 6);
  await round();
  expect(await statesOf(run.task.userId)).toEqual(['began']);
  await end(run);
  await round();
  expect(await statesOf(run.task.userId)).toEqual(['began', 'ended']);
});

test('nothing is told of a run that waits for a node, of another scene of a streamed camera, and of a recording', async () => {
  const { task } = await fullNode('others');
  const { db } = database;
  await queuedBefore(task.id, 600);
  await db.device.update({ where: { id: task.deviceId }, data: { kind: 'recording' } });
  const held = await db.analysisTask.findFirstOrThrow({
    where: { status: 'PROCESSING', computeNode: { name: 'others' } },
  });
  const beside = await queueScene(db, { id: held.deviceId, userId: held.userId });
  await queuedBefore(beside.task.id, 600);
  await round();
  expect([await statesOf(task.userId), await statesOf(held.userId)]).toEqual([[], []]);
  await db.device.update({ where: { id: task.deviceId }, data: { kind: 'camera' } });
  await db.computeNode.deleteMany();
  await round();
  expect(await statesOf(task.userId)).toEqual([]);
});
