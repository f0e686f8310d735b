import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type JpegCamera, openJpegCamera } from '../../scripts/chaos/cameras/jpeg-camera.ts';
import { TcpProxy } from '../../scripts/chaos/cameras/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { told } from '../support/told.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let database: TestDatabase;
let worker: TestWorker;
let camera: JpegCamera;
let line: TcpProxy;

beforeAll(async () => {
  database = await testDatabase();
  camera = await openJpegCamera(5);
  line = await new TcpProxy(camera.port).listen();
  worker = await startTestWorker(database, { streamAllowHosts: ['127.0.0.1'] });
});
afterAll(async () => {
  await worker.stop();
  await line.close();
  await camera.close();
  await database.drop();
});

test('a camera that refuses connections causes one event per outage, also when its lane is replaced meanwhile', async () => {
  const { db } = database;
  const { id } = await addDevice(db, `http://127.0.0.1:${line.port}/stream`, 2);
  const device = () => db.device.findUniqueOrThrow({ where: { id } });
  const run = await queueScene(db, await device());
  const isFresh = async (sinceMs: number) => Number((await device()).lastFrameAt) > sinceMs;
  const events = async () => (await told(db, { deviceId: id })).map(({ type }) => type);
  /** Waits until this many more faults of the stream are stored; each of them is a restart. */
  const faults = async (count: number) => {
    for (let seen = 0, last = (await device()).lastErrorAt; seen < count; seen++) {
      const before = last;
      const isNew = async () => {
        const { lastErrorAt } = await device();
        return lastErrorAt !== null && Number(lastErrorAt) !== Number(before) && lastErrorAt;
      };
      last = await eventually('the stream fails again', isNew);
    }
  };
  const outages = async () => (await events()).filter((type) => type === 'device_analysis_error').length;
  await eventually('frames come', () => isFresh(0));

  await line.set('refused');
  await eventually('the outage is notified', async () => (await outages()) === 1);
  // The camera stream restarts while the presence of the camera is stored again.
  await faults(1);
  const [pid] = worker.lanePids;
  process.kill(pid!, 'SIGKILL');
  await eventually('another lane runs', () => worker.lanePids.length === 1 && worker.lanePids[0] !== pid);
  await faults(3);
  expect(await outages()).toBe(1);
  expect(await device()).toMatchObject({
    lastError: expect.stringContaining('refuses connections'),
    outageNotifiedAt: expect.any(Date),
    fault: { reason: 'connection_refused', message: expect.stringContaining('refuses connections') },
  });

  const backMs = Date.now();
  await line.set('none');
  await eventually('frames come again', () => isFresh(backMs));
  const isOver = async () => {
    const { outageNotifiedAt, lastError, fault } = await device();
    return outageNotifiedAt === null && lastError === null && fault === null;
  };
  await eventually('the outage is over', isOver);

  await line.set('refused');
  await eventually('the next outage is notified', async () => (await outages()) === 2);
  const { runStatus } = await db.analysisTask.findUniqueOrThrow({ where: { id: run.task.id } });
  expect(runStatus).toBe('running');
});
