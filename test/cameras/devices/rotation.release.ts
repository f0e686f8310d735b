import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type ApiUser, codeOf, QUEUE_ZONE, SHOP, type TestApi, testApi } from '../../support/api.ts';
import { addRecording } from '../../support/rows/recordings.ts';
import { addNode, queueScene } from '../../support/rows/runs.ts';
import { TestNode } from '../../support/test-node.ts';

let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  await api.context.images.writeId('storage-id', 'test');
});
afterAll(() => api?.drop());

test('a device is turned when it is made and later, and its size is that of the turned picture', async () => {
  const { db } = api.context;
  const { status, body } = await user.post('/devices', { ...SHOP, rotation: 180 });
  expect([status, body.data.rotation]).toEqual([201, 180]);
  const { id } = body.data;
  await db.device.update({ where: { id }, data: { width: 640, height: 360 } });
  const turned = await user.patch(`/devices/${id}`, { rotation: 90 });
  expect(turned.body.data).toMatchObject({ rotation: 90, width: 360, height: 640 });
  const again = await user.patch(`/devices/${id}`, { rotation: 270 });
  expect(again.body.data).toMatchObject({ rotation: 270, width: 360, height: 640 });
  const back = await user.patch(`/devices/${id}`, { rotation: 0 });
  expect(back.body.data).toMatchObject({ rotation: 0, width: 640, height: 360 });
});

test.each([45, 360, -90, '90', null, 0.5])('a device is not turned by %p', async (rotation) => {
  const answer = await user.post('/devices', { ...SHOP, rotation });
  expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  expect(answer.body.error.details[0].path).toBe('rotation');
});

test('the lane of a running camera gets the new rotation', async () => {
  const { db } = api.context;
  const { id, userId } = await db.device.findFirstOrThrow({ where: { userId: user.userId } });
  await queueScene(db, { id, userId });
  const node = await TestNode.join(db, 'turning', { leaseSeconds: 600 });
  await node.supervisor.renew();
  await node.supervisor.claim();
  expect(node.lanes.cameras.get(id)).toMatchObject({ rotation: 0 });
  await user.patch(`/devices/${id}`, { rotation: 180 });
  await node.supervisor.renew();
  expect(node.lanes.cameras.get(id)).toMatchObject({ rotation: 180 });
  await node.supervisor.stop();
});

test('a recording is turned: its size, its still, and not while it is analysed', async () => {
  const { db } = api.context;
  const { id } = await addRecording(api.context, user.userId, { rotation: 90 });
  const path = `/recordings/${id}`;
  expect((await user.get(path)).body.data).toMatchObject({ rotation: 90, width: 36, height: 64 });
  const sizeOf = async () => {
    const { body } = await user.get(`${path}/frame`);
    const { width, height } = await sharp(body as Buffer).metadata();
    return [width, height];
  };
  expect(await sizeOf()).toEqual([36, 64]);
  expect((await user.patch(path, { rotation: 180 })).body.data).toMatchObject({ width: 64, height: 36 });
  expect(await sizeOf()).toEqual([64, 36]);
  expect(codeOf(await user.patch(path, { rotation: 10 }))).toEqual([400, 'VALIDATION_ERROR']);
  await addNode(db, 'alive');
  const started = await user.post(`${path}/analysis`, { zones: { queueZone: QUEUE_ZONE } });
  expect(started.status).toBe(202);
  expect(codeOf(await user.patch(path, { rotation: 0 }))).toEqual([400, 'IMMUTABLE_FIELD']);
  expect((await user.patch(path, { rotation: 180, name: 'Friday' })).status).toBe(200);
  await user.delete(`${path}/analysis`);
  expect((await user.patch(path, { rotation: 0 })).body.data.rotation).toBe(0);
});
