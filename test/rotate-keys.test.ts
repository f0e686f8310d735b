import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openStreamUrl, sealStreamUrl } from '../src/cameras/devices/stream-url.ts';
import { pushKeys } from '../src/delivery/notifications/channels/push-keys.ts';
import { openBrowser, sealBrowser } from '../src/delivery/notifications/channels/push-request.ts';
import { openContent, sealContent } from '../src/delivery/notifications/delivery/content.ts';
import { openSecret, sealSecret } from '../src/delivery/webhooks/secret.ts';
import { Sealer } from '../src/platform/crypto.ts';
import { Prisma } from '../src/platform/prisma-client/client.ts';
import { rotateKeys, SEALED_COLUMNS, SHORT_LIVED } from '../src/rotate-keys.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { addDevice } from './support/rows/runs.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const [oldKey, newKey] = [key('2025'), key('2026')];
const old = new Sealer([oldKey]);
const both = new Sealer([newKey, oldKey]);
const newest = new Sealer([newKey]);
const BROWSER = { endpoint: 'https://push.example.com/1', p256dh: 'p', auth: 'a' };
const MESSAGE = { code: '123456' };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  await db.setting.deleteMany();
});

/** Everything that is sealed, sealed with the old key. */
async function addSealed() {
  const { db } = database;
  const { id: deviceId, userId } = await addDevice(db);
  const rtsp = 'rtsp://admin:secret@192.168.1.20/1';
  await db.device.update({
    where: { id: deviceId },
    data: {
      streamUrlEncrypted: sealStreamUrl(old, rtsp),
      analysisStreamUrlEncrypted: sealStreamUrl(old, rtsp, 'analysisStreamUrl'),
    },
  });
  const { secretEncrypted: previousSecretEncrypted } = sealSecret(old, 'whsec_before');
  const webhook = await db.webhook.create({
    data: { userId, url: 'https://example.com', ...sealSecret(old, 'whsec_now'), previousSecretEncrypted },
  });
  const channel = await db.notificationChannel.create({
    data: {
      ...{ userId, kind: 'push', address: 'push.example.com', addressHash: Buffer.from(randomBytes(32)) },
      subscriptionEncrypted: sealBrowser(old, userId, BROWSER),
    },
  });
  const made = await db.notification.create({
    data: { userId, channelId: channel.id, channelKind: 'push', kind: 'report', maxAttempts: 3 },
  });
  await db.notification.update({
    where: { id: made.id },
    data: { contentEncrypted: sealContent(old, made.messageId, MESSAGE) },
  });
  const keys = (await pushKeys({ db, sealer: old }))!;
  return { deviceId, userId, rtsp, webhook, channel, message: made, keys };
}

test('every sealed column is rotated, or is gone within a day', () => {
  const columns = Object.values(Prisma.ModelName).flatMap((table) =>
    Object.keys(Prisma[`${table}ScalarFieldEnum`]).map((column) => `${table}.${column}`),
  );
  const rotated = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(columns.filter((name) => /(?:Encrypted|Sealed)$/.test(name)).sort()).toEqual(
    [...rotated, ...SHORT_LIVED].sort(),
  );
});

test('after a rotation the newest key alone opens everything', async () => {
  const { db } = database;
  const { deviceId, userId, rtsp, webhook, channel, message, keys } = await addSealed();
  const seen: string[] = [];
  const rotated = await rotateKeys({ db, sealer: both }, (done, total) => seen.push(`${done}/${total}`));
  expect(rotated.map(({ name, resealed, unreadable }) => [name, resealed, unreadable])).toEqual([
    ...SEALED_COLUMNS.map(({ table, column }) => [`${table}.${column}`, 1, 0]),
    ['Setting.pushKeys', 1, 0],
  ]);
  expect(seen.at(-1)).toBe(`${rotated.length}/${rotated.length}`);
  const device = await db.device.findUniqueOrThrow({ where: { id: deviceId } });
  expect(openStreamUrl(newest, device.streamUrlEncrypted)).toBe(rtsp);
  const { secretEncrypted, previousSecretEncrypted } = await db.webhook.findUniqueOrThrow({
    where: { id: webhook.id },
  });
  expect(openSecret(newest, secretEncrypted)).toBe('whsec_now');
  expect(openSecret(newest, previousSecretEncrypted!)).toBe('whsec_before');
  const { subscriptionEncrypted } = await db.notificationChannel.findUniqueOrThrow({
    where: { id: channel.id },
  });
  expect(openBrowser(newest, userId, subscriptionEncrypted!)).toEqual(BROWSER);
  const { contentEncrypted } = await db.notification.findUniqueOrThrow({ where: { id: message.id } });
  expect(openContent(newest, message.messageId, contentEncrypted!)).toEqual(MESSAGE);
  expect(await pushKeys({ db, sealer: newest })).toEqual(keys);
  const again = await rotateKeys({ db, sealer: both });
  expect(again.every(({ resealed, unreadable }) => resealed + unreadable === 0)).toBe(true);
});

test('texts of a key that is gone are counted and stay as they are', async () => {
  const { db } = database;
  const { deviceId } = await addSealed();
  const before = await db.device.findUniqueOrThrow({ where: { id: deviceId } });
  const rotated = await rotateKeys({ db, sealer: newest });
  expect(rotated.every(({ resealed, unreadable }) => resealed === 0 && unreadable === 1)).toBe(true);
  expect((await db.device.findUniqueOrThrow({ where: { id: deviceId } })).streamUrlEncrypted).toBe(
    before.streamUrlEncrypted,
  );
});

test('thousands of rows are sealed in batches, and what a program changes meanwhile stays', async () => {
  const { db } = database;
  const { userId, id: changed } = await addDevice(db);
  const streamUrlEncrypted = sealStreamUrl(old, 'rtsp://192.168.1.20/1');
  await db.device.createMany({
    data: Array.from({ length: 1_200 }, (_, at) => ({ userId, name: `Till ${at}`, streamUrlEncrypted })),
  });
  const written = sealStreamUrl(newest, 'rtsp://192.168.1.99/9');
  // The program writes after this row was read, and before it is written.
  const slow = new Sealer([newKey, oldKey]);
  const reseal = slow.reseal.bind(slow);
  const writes: Promise<unknown>[] = [];
  slow.reseal = (sealed, binding) => {
    if (writes.length === 0)
      writes.push(
        // `then` starts it: Prisma waits until somebody wants the result.
        db.device.update({ where: { id: changed }, data: { streamUrlEncrypted: written } }).then(() => {}),
      );
    return reseal(sealed, binding);
  };
  await db.device.update({ where: { id: changed }, data: { streamUrlEncrypted } });
  const [devices] = await rotateKeys({ db, sealer: slow });
  await Promise.all(writes);
  expect(devices!.resealed + devices!.unreadable).toBeGreaterThanOrEqual(1_200);
  const rows = await db.device.findMany();
  expect(rows.every((row) => row.streamUrlEncrypted.startsWith('2026:'))).toBe(true);
  expect(openStreamUrl(newest, rows.find(({ id }) => id === changed)!.streamUrlEncrypted)).toBe(
    'rtsp://192.168.1.99/9',
  );
});
