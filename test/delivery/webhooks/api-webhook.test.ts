import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../../../src/delivery/events/catalogue.ts';
import { type ApiUser, codeOf, type TestApi, TestClock, testApi } from '../../support/api.ts';

const BASE = '/users/me/webhook';
const URL_GIVEN = 'https://hooks.example.com/events';
const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
let api: TestApi;
beforeAll(async () => {
  api = await testApi({ WEBHOOK_ALLOW_HOSTS: 'hooks.on-premises' }, clock);
});
afterAll(() => api.drop());

const rowOf = ({ userId }: ApiUser) =>
  api.context.db.webhook.findFirstOrThrow({ where: { userId, deletedAt: null } });

/** A user with a webhook. */
async function withWebhook(body: object = {}): Promise<ApiUser> {
  const user = await api.user();
  expect((await user.post(BASE, { url: URL_GIVEN, ...body })).status).toBe(201);
  return user;
}

describe('creating', () => {
  test('a webhook that is created with its address alone gets defaults and shows its secret', async () => {
    const user = await api.user();
    const { status, body } = await user.post(BASE, { url: URL_GIVEN });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      url: URL_GIVEN,
      name: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secretLast4: body.data.secret.slice(-4),
      subscribedTypes: [...EVENT_TYPES],
      timeoutMs: 5000,
      maxRetries: 3,
      status: 'enabled',
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { secret, ...shown } = body.data;
    expect((await user.get(BASE)).body.data).toEqual(shown);
    expect((await rowOf(user)).secretEncrypted).not.toContain(secret);
  });

  test('a webhook can be created with every field', async () => {
    const user = await api.user();
    const wanted = { url: 'https://hooks.on-premises/', name: 'Ours', timeoutMs: 1000, maxRetries: 0 };
    const types = ['alert_triggered', 'device_offline', 'alert_triggered'];
    const secret = 'sixteen letters!';
    const { data } = (await user.post(BASE, { ...wanted, secret, subscribedTypes: types })).body;
    expect(data).toMatchObject({
      ...wanted,
      secret,
      secretLast4: 'ers!',
      subscribedTypes: types.slice(0, 2),
    });
  });

  test('a user can create only one webhook, also with concurrent calls', async () => {
    const user = await api.user();
    const answers = await Promise.all([1, 2, 3].map(() => user.post(BASE, { url: URL_GIVEN })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(codeOf(await user.post(BASE, { url: URL_GIVEN }))).toEqual([409, 'WEBHOOK_EXISTS']);
  });

  test.each([
    ['no address', { url: undefined }],
    ['plain http', { url: 'http://hooks.example.com/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['our own machine', { url: 'https://[::ffff:127.0.0.1]/' }],
    ['no URL', { url: 'hooks' }],
    ['a long address', { url: `https://hooks.example.com/${'x'.repeat(475)}` }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a short secret', { secret: 'x'.repeat(15) }],
    ['a long secret', { secret: 'x'.repeat(129) }],
    ['an unknown type', { subscribedTypes: ['alert_fired'] }],
    ['no type', { subscribedTypes: [] }],
    ['a timeout of 999 ms', { timeoutMs: 999 }],
    ['a timeout of 30,001 ms', { timeoutMs: 30_001 }],
    ['six retries', { maxRetries: 6 }],
    ['minus one retry', { maxRetries: -1 }],
    ['half a retry', { maxRetries: 0.5 }],
    ['a status', { status: 'disabled' }],
  ])('refuses %s', async (_name, change) => {
    const answer = await (await api.user()).post(BASE, { url: URL_GIVEN, ...change });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.message).toContain(Object.keys(change)[0]);
  });

  test('the limits of numbers are accepted', async () => {
    const url = `https://hooks.example.com/${'x'.repeat(474)}`;
    await withWebhook({
      url,
      name: 'x'.repeat(100),
      secret: 'x'.repeat(128),
      timeoutMs: 30_000,
      maxRetries: 5,
    });
  });
});

describe('changing', () => {
  test('a PATCH changes the sent fields and no others', async () => {
    const user = await withWebhook({ name: 'A', maxRetries: 1 });
    const { data } = (
      await user.patch(BASE, { name: null, timeoutMs: 2000, subscribedTypes: ['node_error'] })
    ).body;
    expect(data).toMatchObject({ name: null, timeoutMs: 2000, maxRetries: 1, url: URL_GIVEN });
    expect(data.subscribedTypes).toEqual(['node_error']);
    expect((await user.patch(BASE, {})).body.data).toEqual(data);
  });

  test('enabling a disabled webhook resets its failures', async () => {
    const user = await withWebhook();
    const off = (await user.patch(BASE, { status: 'disabled' })).body.data;
    expect(off).toMatchObject({ status: 'disabled', disabledAt: clock.time.toISOString() });
    expect(off.disabledReason).toEqual(expect.any(String));
    await api.context.db.webhook.updateMany({
      where: { userId: user.userId },
      data: { failingSince: new Date() },
    });
    const on = (await user.patch(BASE, { status: 'enabled' })).body.data;
    expect(on).toMatchObject({ status: 'enabled', disabledAt: null, disabledReason: null });
    expect((await rowOf(user)).failingSince).toBeNull();
  });

  test.each([
    ['a private address', { url: 'https://192.168.0.1/' }],
    ['an unknown status', { status: 'failed' }],
    ['an unknown field', { colour: 'red' }],
    ['no address', { url: null }],
  ])('refuses %s', async (_name, change) => {
    expect(codeOf(await (await withWebhook()).patch(BASE, change))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('after a deletion a new webhook can be created', async () => {
    const user = await withWebhook();
    await user.post(`${BASE}/test`);
    expect((await user.delete(BASE)).status).toBe(204);
    expect(codeOf(await user.delete(BASE))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await user.get(BASE))).toEqual([404, 'NOT_FOUND']);
    expect((await user.get(`${BASE}?orNothing=true`)).status).toBe(204);
    const [delivery] = (await user.get(`${BASE}/deliveries`)).body.data;
    expect(delivery).toMatchObject({
      status: 'failed',
      isFinalAttempt: true,
      errorMessage: 'The webhook was deleted.',
    });
    expect((await user.post(BASE, { url: URL_GIVEN })).status).toBe(201);
  });
});

describe('the secret', () => {
  test('a new secret can be created, and the old one signs too for 24 hours', async () => {
    const secret = 'a secret of mine';
    const user = await withWebhook({ secret });
    expect((await user.get(`${BASE}/secret`)).body.data).toEqual({ secret, previousSecretValidUntil: null });
    const regenerated = (await user.post(`${BASE}/secret/regenerate`)).body.data;
    const until = new Date(clock.time.getTime() + 24 * 3_600_000).toISOString();
    expect(regenerated).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previousSecretValidUntil: until,
    });
    expect((await user.get(`${BASE}/secret`)).body.data).toEqual(regenerated);
    expect((await user.get(BASE)).body.data.secretLast4).toBe(regenerated.secret.slice(-4));
    const { previousSecretEncrypted } = await rowOf(user);
    expect(api.context.sealer.open(previousSecretEncrypted!, 'webhook.secret')).toBe(secret);
    clock.forward(24 * 3600);
    expect((await user.get(`${BASE}/secret`)).body.data.previousSecretValidUntil).toBeNull();
  });

  test('the secret can be replaced by an own one, and repeating that changes nothing', async () => {
    const user = await withWebhook();
    const own = { secret: 'another secret of mine' };
    await user.patch(BASE, own);
    const replaced = (await user.get(`${BASE}/secret`)).body.data;
    expect(replaced.secret).toBe(own.secret);
    clock.forward(60);
    await user.patch(BASE, own);
    expect((await user.get(`${BASE}/secret`)).body.data).toEqual(replaced);
  });
});

describe('who may', () => {
  const CALLS = [
    ['get', BASE, 'webhook:read'],
    ['post', BASE, 'webhook:write'],
    ['patch', BASE, 'webhook:write'],
    ['delete', BASE, 'webhook:write'],
    ['get', `${BASE}/secret`, 'webhook:write'],
    ['post', `${BASE}/secret/regenerate`, 'webhook:write'],
    ['post', `${BASE}/test`, 'webhook:write'],
    ['get', `${BASE}/deliveries`, 'webhook:read'],
    ['post', `${BASE}/deliveries/${ABSENT}/redeliver`, 'webhook:write'],
  ] as const;

  test.each(CALLS)('%s %s is refused without a key and with another scope', async (verb, path, scope) => {
    const wrong = scope === 'webhook:read' ? 'webhook:write' : 'webhook:read';
    expect(codeOf(await api.nobody[verb](path))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await (await api.user([wrong]))[verb](path))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test.each(
    CALLS.filter(([verb, path]) => path !== `${BASE}/deliveries` && !(verb === 'post' && path === BASE)),
  )('%s %s: 404 where there is none', async (verb, path, _scope) => {
    const user = await api.user();
    const answer = verb === 'patch' ? await user.patch(path, {}) : await user[verb](path);
    expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
  });
});
