import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { recover } from '../../../src/runs/node/recover.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';
import { told } from '../../support/told.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('device_offline is emitted once when the run moves to another node during an outage; the device is online with the new node’s first frame', async () => {
  const { db } = database;
  const { id: deviceId, userId } = await addDevice(db);
  const { task } = await queueScene(db, { id: deviceId, userId });
  const device = () => db.device.findUniqueOrThrow({ where: { id: deviceId } });
  const events = async () => (await told(db, { deviceId })).map(({ type }) => type);
  const join = async (name: string) => {
    const node = await TestNode.join(db, name);
    await node.supervisor.renew();
    await node.supervisor.claim();
    node.forwardTo(new Date().toISOString());
    return node;
  };
  /** Reports failed attempts to open the stream; each fault is stored before the next one. */
  const failsTimes = async (node: TestNode, times: number) => {
    for (let restarts = 1; restarts <= times; restarts++) {
      const before = (await device()).lastErrorAt;
      node.events.onStream({
        type: 'stream',
        deviceId,
        event: 'failed',
        message: 'The camera refuses connections.',
        faultReason: 'connection_refused',
        isUndecodable: false,
        restartsInARow: restarts,
        restartsWithoutFrame: restarts,
        info: null,
      });
      const isKept = async () => Number((await device()).lastErrorAt) !== Number(before);
      await eventually('the fault is kept', isKept);
    }
  };

  const a = await join('a');
  a.frame(deviceId);
  await a.supervisor.record();
  await failsTimes(a, 4);
  expect(await events()).toContain('device_analysis_error');
  // The node refreshes whether the camera is online, without a new frame.
  a.seconds = 6;
  await a.supervisor.record();
  await failsTimes(a, 4);

  await db.runLease.updateMany({ where: { taskId: task.id }, data: { expiresAt: new Date(0) } });
  await recover({ config: loadConfig({}), db, logger: createLogger({ level: 'silent', program: 'test' }) });
  const b = await join('b');
  await failsTimes(b, 4);
  b.seconds = 31;
  await b.supervisor.record();
  b.seconds = 62;
  await b.supervisor.record();
  await failsTimes(b, 4);
  const ofDevice = (await events()).filter((type) => type.startsWith('device_'));
  expect(ofDevice).toEqual(['device_analysis_error', 'device_offline']);
  expect((await device()).outageNotifiedAt).not.toBeNull();

  await b.supervisor.renew();
  b.forwardTo(new Date(Date.now() + 1_000).toISOString());
  b.frame(deviceId);
  await b.supervisor.record();
  expect((await events()).filter((type) => type.startsWith('device_'))).toEqual([
    'device_analysis_error',
    'device_offline',
    'device_online',
  ]);
  expect(await device()).toMatchObject({
    onlineStatus: 'online',
    lastError: null,
    lastErrorAt: null,
    outageNotifiedAt: null,
    toldOfflineSince: null,
  });
});
