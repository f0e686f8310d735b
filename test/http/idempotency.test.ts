import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createKey } from '../../src/access/create-key.ts';
import { createApp } from '../../src/app.ts';
import { removeOldCalls } from '../../src/http/idempotency/call.store.ts';
import { Sealer } from '../../src/platform/crypto.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, TestClock, testApi } from '../support/api.ts';

const KEY = 'Idempotency-Key';
const clock = new TestClock();

let api: TestApi;
let user: ApiUser;
let keys = 0;
const newKey = () => `key-${++keys}`;

beforeAll(async () => {
  api = await testApi({ MAX_IDEMPOTENCY_KEYS_PER_USER: '30' }, clock);
});
afterAll(() => api.drop());

const asNewUser = async () => {
  user = await api.user();
};
const devicesOf = (userId: string) => api.context.db.device.count({ where: { userId } });

describe('a call that is repeated with its Idempotency-Key', () => {
  beforeAll(asNewUser);

  test('creates once and gets the first answer again, byte for byte', async () => {
    const key = newKey();
    const first = await user.post('/devices', SHOP).set(KEY, key);
    expect(first.status).toBe(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    for (let times = 0; times < 20; times++) {
      const again = await user.post('/devices', SHOP).set(KEY, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    }
    expect(await devicesOf(user.userId)).toBe(1);
  });

  test('creates once when twenty calls come at the same time', async () => {
    const before = await devicesOf(user.userId);
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => user.post('/devices', SHOP).set(KEY, key)),
    );
    expect(await devicesOf(user.userId)).toBe(before + 1);
    const done = answers.filter(({ status }) => status === 201);
    // One that comes between the commit and the look at the camera gets the answer as it was kept then.
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1);
    for (const other of answers.filter(({ status }) => status !== 201)) {
      expect(codeOf(other)).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
      expect(other.headers['retry-after']).toBe('1');
    }
  });

  test('is refused with another body; the order of fields does not matter', async () => {
    const key = newKey();
    const made = await user.post('/devices', { ...SHOP, analysisFps: 3 }).set(KEY, key);
    const reordered = { analysisFps: 3, streamUrl: SHOP.streamUrl, name: SHOP.name };
    expect((await user.post('/devices', reordered).set(KEY, key)).text).toBe(made.text);
    const other = await user.post('/devices', { ...SHOP, analysisFps: 4 }).set(KEY, key);
    expect(codeOf(other)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('is refused for another path parameter; each operation has its own keys', async () => {
    const key = newKey();
    const [one, two] = [await shopOf(user), await shopOf(user)];
    const start = ({ deviceId, sceneId }: typeof one) =>
      user.post(`/devices/${deviceId}/analysis/start`, { sceneId }).set(KEY, key);
    // No node lives: 503 is not kept, so the key is free again.
    expect(codeOf(await start(one))).toEqual([503, 'NO_COMPUTE_NODE']);
    await api.context.db.scene.update({ where: { id: one.sceneId }, data: { status: 'paused' } });
    expect(codeOf(await start(one))).toEqual([409, 'NO_ACTIVE_SCENES']);
    expect(codeOf(await start(two))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await user.post('/devices', SHOP).set(KEY, key)).status).toBe(201);
  });

  test('is executed again after a fault of the request, and gets the stored answer after a final failure', async () => {
    const key = newKey();
    const scene = {
      deviceId: '11111111-1111-1111-1111-111111111111',
      name: 'Till',
      analysisType: 'queue_analysis',
    };
    expect(codeOf(await user.post('/scenes', { ...scene, name: '' }).set(KEY, key))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    const absent = await user.post('/scenes', scene).set(KEY, key);
    expect(codeOf(absent)).toEqual([404, 'NOT_FOUND']);
    const again = await user.post('/scenes', scene).set(KEY, key);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      404,
      absent.text,
      'true',
    ]);
  });

  test('is independent of the same Idempotency-Key of another user', async () => {
    const key = newKey();
    const other = await api.user();
    const mine = await user.post('/devices', SHOP).set(KEY, key);
    const theirs = await other.post('/devices', { ...SHOP, name: 'Other' }).set(KEY, key);
    expect([theirs.status, theirs.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
    expect(await devicesOf(other.userId)).toBe(1);
  });

  test('may use another API key of the user, except when the answer contains an API key', async () => {
    const { key: second } = await createKey(api.context.db, {
      userId: user.userId,
      name: 'second',
      scopes: ['device:write', 'key:manage'],
    });
    const asSecond = (path: string, body: object, key: string) =>
      request(api.app)
        .post(`/api/v1${path}`)
        .set('Authorization', `Bearer ${second}`)
        .set(KEY, key)
        .send(body);
    const key = newKey();
    const made = await user.post('/devices', SHOP).set(KEY, key);
    expect((await asSecond('/devices', SHOP, key)).text).toBe(made.text);
    const wanted = { name: 'Child', scopes: ['key:manage'] };
    const child = await user.post('/api-keys', wanted).set(KEY, key);
    expect((await user.post('/api-keys', wanted).set(KEY, key)).body.data.key).toBe(child.body.data.key);
    expect(codeOf(await asSecond('/api-keys', wanted, key))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('is refused after its API key was revoked', async () => {
    const made = await user.post('/api-keys', { name: 'Ends', scopes: ['device:write'] });
    const key = newKey();
    const call = () =>
      request(api.app)
        .post('/api/v1/devices')
        .set('Authorization', `Bearer ${made.body.data.key}`)
        .set(KEY, key)
        .send(SHOP);
    expect((await call()).status).toBe(201);
    await user.delete(`/api-keys/${made.body.data.id}`);
    clock.forward(11);
    expect(codeOf(await call())).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('the Idempotency-Key', () => {
  beforeAll(asNewUser);

  test.each([
    ['', 'an empty text'],
    ['two words', 'a text of 9 characters'],
    ['x'.repeat(256), 'a text of 256 characters'],
    ['sch\u00f6n', 'a text of 6 characters'],
  ])('%j is refused', async (key, received) => {
    const answer = await user.post('/devices', SHOP).set(KEY, key);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.message).toBe(
      `Idempotency-Key: must be 1-255 visible ASCII characters, without spaces, sent once; received ${received}`,
    );
    expect(await devicesOf(user.userId)).toBe(0);
  });

  test.each(['1', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "~!@#'%"])(
    '%s is taken',
    async (key) => {
      const first = await user.post('/devices', SHOP).set(KEY, key);
      expect((await user.post('/devices', SHOP).set(KEY, key)).text).toBe(first.text);
    },
  );

  test('is ignored by a call that creates nothing', async () => {
    const { sceneId } = await shopOf(user);
    const preview = {
      sceneId,
      conditions: [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 3 }],
    };
    const range = { startDate: '2026-11-01T00:00:00.000Z', endDate: '2026-11-02T00:00:00.000Z' };
    const ask = (more: object) =>
      user.post('/alerts/rules/preview', { ...preview, ...range, ...more }).set(KEY, 'two words');
    expect((await ask({})).status).toBe(200);
    expect((await ask({ logicOperator: 'OR' })).status).toBe(200);
  });

  test('is limited in number per user; stored calls are still answered', async () => {
    await asNewUser();
    for (let made = 0; made < 30; made++) {
      const scene = { deviceId: user.userId, name: 'Till', analysisType: 'queue_analysis' };
      expect((await user.post('/scenes', scene).set(KEY, `many-${made}`)).status).toBe(404);
    }
    const refused = await user.post('/devices', SHOP).set(KEY, 'one more');
    expect(refused.status).toBe(400);
    const beyond = await user.post('/devices', SHOP).set(KEY, 'one-more');
    expect(codeOf(beyond)).toEqual([429, 'RATE_LIMITED']);
    expect(beyond.headers['retry-after']).toBe('60');
    expect((await user.post('/devices', SHOP)).status).toBe(201);
    const scene = { deviceId: user.userId, name: 'Till', analysisType: 'queue_analysis' };
    expect((await user.post('/scenes', scene).set(KEY, 'many-0')).headers['idempotency-replayed']).toBe(
      'true',
    );
    // A call whose process died is one of those that are kept.
    await api.context.db.$executeRaw`
      UPDATE "IdempotentCall" SET "answerSealed" = NULL, "claimedUntil" = now() - interval '1 second' WHERE "keyHash" = sha256('many-1')`;
    expect((await user.post('/scenes', scene).set(KEY, 'many-1')).status).toBe(404);
  });
});

describe('a stored call', () => {
  beforeAll(asNewUser);
  const callsOf = (userId: string) => api.context.db.idempotentCall.findMany({ where: { userId } });

  test('contains neither the key nor the request nor the answer in plain text', async () => {
    const made = await user
      .post('/api-keys', { name: 'Child', scopes: ['key:manage'] })
      .set(KEY, 'my-own-key');
    const text = JSON.stringify(await callsOf(user.userId));
    for (const secret of ['my-own-key', made.body.data.key, 'Child']) expect(text).not.toContain(secret);
  });

  test('is readable while the old encryption key is configured; without it a repetition creates nothing', async () => {
    const old = { id: 'test', key: Buffer.alloc(32, 1) };
    const fresh = { id: 'fresh', key: Buffer.alloc(32, 2) };
    const postWith = (keys: ConstructorParameters<typeof Sealer>[0]) => {
      const app = createApp({ ...api.context, sealer: new Sealer(keys) });
      return request(app)
        .post('/api/v1/devices')
        .set('Authorization', `Bearer ${user.key}`)
        .set(KEY, 'rotated')
        .send(SHOP);
    };
    const first = await user.post('/devices', SHOP).set(KEY, 'rotated');
    expect((await postWith([fresh, old])).text).toBe(first.text);
    const lost = await postWith([fresh]);
    expect(codeOf(lost)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(lost.body.message).toMatch(/can no longer be read/);
    expect(await devicesOf(user.userId)).toBe(1);
  });

  test('is removed after a day and when its user is deleted', async () => {
    const { db } = api.context;
    await user.post('/devices', SHOP).set(KEY, 'old');
    const before = await callsOf(user.userId);
    for (const { expiresAt } of before) {
      const hours = (expiresAt.getTime() - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(23.9);
      expect(hours).toBeLessThanOrEqual(24.1);
    }
    // The column holds milliseconds, rounded: the moment itself may lie ahead.
    await db.$executeRaw`UPDATE "IdempotentCall" SET "expiresAt" = now() - interval '1 second' WHERE "keyHash" = sha256('old')`;
    await removeOldCalls({ db });
    expect(await callsOf(user.userId)).toHaveLength(before.length - 1);
    const devices = await devicesOf(user.userId);
    await user.post('/devices', SHOP).set(KEY, 'old');
    expect(await devicesOf(user.userId)).toBe(devices + 1);
    await db.user.delete({ where: { id: user.userId } });
    expect(await callsOf(user.userId)).toEqual([]);
  });
});

test('CORS allows the headers Idempotency-Key and Idempotency-Replayed for an allowed origin', async () => {
  const app = createApp({
    ...api.context,
    config: { ...api.context.config, corsOrigins: ['https://shop.example'] },
  });
  const answer = await request(app).options('/api/v1/devices').set('Origin', 'https://shop.example');
  expect(answer.headers['access-control-allow-headers']).toContain('Idempotency-Key');
  expect(answer.headers['access-control-expose-headers']).toContain('Idempotency-Replayed');
});
