import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askForFrame, findFrame } from '../../../../src/cameras/devices/images/frame-request.store.ts';
import { sealStreamUrl } from '../../../../src/cameras/devices/stream-url.ts';
import { NO_IMAGE } from '../../../../src/lanes/lane-pool.ts';
import type { LaneImage } from '../../../../src/lanes/lane-protocol.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { loadConfig } from '../../../../src/platform/config.ts';
import { FrameRequests } from '../../../../src/runs/node/images/frame-requests.ts';
import type { Privacy } from '../../../../src/vision/privacy.ts';
import { type TestDatabase, testDatabase } from '../../../support/database.ts';
import { addDevice, addNode, testSealer } from '../../../support/rows/runs.ts';

const MASK = {
  type: 'polygon',
  points: [
    [0, 0],
    [1, 0],
    [1, 1],
  ],
};
let database: TestDatabase;
let nodeId: string;
beforeAll(async () => {
  database = await testDatabase();
  nodeId = await addNode(database.db, 'node');
});
afterAll(() => database.drop());

const imageOf = (privacyRevision: number): LaneImage => ({
  ...{ jpeg: new Uint8Array([privacyRevision]), capturedAtMs: Date.now(), privacyRevision, fault: null },
});

/** The requests of a node whose lane answers with these functions. */
const requestsOf = (lanes: { image?: () => LaneImage; grab?: (privacy: Privacy) => Promise<LaneImage> }) =>
  new FrameRequests({
    context: { config: loadConfig({}), db: database.db, sealer: testSealer, clock: systemClock },
    nodeId,
    lanes: {
      image: async () => lanes.image!(),
      grab: (_url, _networks, { privacy }) => lanes.grab!(privacy),
    },
  });

test('an image that a lane has made for former masks is asked for again', async () => {
  const { db } = database;
  const device = await addDevice(db);
  await db.device.update({ where: { id: device.id }, data: { privacyMask: [MASK] } });
  const id = await askForFrame(db, device.id);
  let asked = 0;
  await requestsOf({ image: () => imageOf(++asked) }).answer(device.id, true);
  expect(asked).toBe(2);
  expect(await findFrame(db, id)).toMatchObject({ status: 'completed', jpeg: new Uint8Array([2]) });
});

test('masks that change while a camera is opened hold for the image: the camera is opened again', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const id = await askForFrame(db, device.id);
  const seen: number[] = [];
  const grab = async ({ revision, masks }: Privacy) => {
    seen.push(masks.length);
    if (seen.length === 1)
      await db.device.update({ where: { id: device.id }, data: { privacyMask: [MASK] } });
    return imageOf(revision);
  };
  await requestsOf({ grab }).answer(device.id, false);
  expect(seen).toEqual([0, 1]);
  expect(await findFrame(db, id)).toMatchObject({ status: 'completed', privacyRevision: 2 });
});

test('a lane that never learns of the masks gives no image, but a sentence', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const id = await askForFrame(db, device.id);
  await requestsOf({ image: () => imageOf(7) }).answer(device.id, true);
  expect(await findFrame(db, id)).toMatchObject({
    ...{ status: 'failed', jpeg: null },
    errorMessage: 'The privacy settings of this device have just changed: try again in a few seconds.',
  });
});

test('where a second stream is analysed, an image is taken from the main one, and from the second one if that gives none', async () => {
  const { db } = database;
  const sealed = sealStreamUrl(testSealer, 'sim:shop?seed=2', 'analysisStreamUrl');
  const answered = async (grabbed: LaneImage) => {
    const device = await addDevice(db);
    await db.device.update({ where: { id: device.id }, data: { analysisStreamUrlEncrypted: sealed } });
    const id = await askForFrame(db, device.id);
    const analysed = { ...imageOf(1), jpeg: new Uint8Array([9]) };
    await requestsOf({ image: () => analysed, grab: async () => grabbed }).answer(device.id, true);
    return (await findFrame(db, id))!.jpeg;
  };
  expect(await answered(imageOf(1))).toEqual(new Uint8Array([1]));
  expect(await answered(NO_IMAGE)).toEqual(new Uint8Array([9]));
});
