import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { Passwords } from '../../src/access/account/password.ts';
import { removeOldSessions } from '../../src/access/sessions/session.store.ts';
import { announceSetup } from '../../src/access/sign-in/announce-setup.ts';
import { makeCode, readCode } from '../../src/access/sign-in/one-time-code.ts';
import { makeSetupCode } from '../../src/access/sign-in/set-up.ts';
import { lockUsers } from '../../src/access/sign-in/setup.store.ts';
import { countTry, makeDevice } from '../../src/access/sign-in/sign-in-limits.ts';
import { eraseUser } from '../../src/access/user.store.ts';
import { codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { anyCharacter, fc } from '../support/property.ts';
import { addSession } from '../support/rows/sessions.ts';
import { testShared } from '../support/shared.ts';

/** scrypt of `x` with sixteen zero bytes and the smallest parameters. */
const CHEAP_HASH = 'gdfb7ML8f1TkoLTxaDgX5NG20gRKenhQ1-092ACaLG0';

const clock = new TestClock();
let api: TestApi;
beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());

/** Whether a query waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const [row] = await api.context.db.$queryRaw<[{ waiting: bigint }]>`
    SELECT count(*) AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.waiting > 0n;
}

describe('a setup code', () => {
  test('is printed as soon as the database can be reached, and only while there is no user', async () => {
    const printed: string[] = [];
    const options = { address: 'http://192.168.1.5:8080', print: (text: string) => void printed.push(text) };
    const announcing = announceSetup(api.context, options);
    await eventually('the code', () => printed.length > 0);
    await announcing.stop();
    expect(printed).toEqual([
      expect.stringMatching(/http:\/\/192\.168\.1\.5:8080\/#\/setup\?code=(\w{5}-){4}\w{5}\n/),
    ]);
  });

  test('is stored as a hash, for a day; twenty of them are kept', async () => {
    const { db } = api.context;
    for (let i = 0; i < 25; i++) {
      clock.forward(1);
      await makeSetupCode(api.context);
    }
    expect(await db.setupCode.count()).toBe(20);
    clock.forward(24 * 3600 + 1);
    await removeOldSessions(api.context);
    expect(await db.setupCode.count()).toBe(0);
  });
});

describe('two setups at the same time', () => {
  test('the second waits for the first and is answered 404', async () => {
    const { db } = api.context;
    const code = await makeSetupCode(api.context);
    const body = { code, email: 'second@example.com', password: 'seven tills on a rainy day' };
    const second = await db.$transaction(
      async (tx) => {
        await lockUsers(tx);
        const answering = api.nobody.post('/setup', body).then((got) => got);
        await eventually('the second setup waits', isWaiting);
        await tx.user.create({ data: { email: 'first@example.com' } });
        return { answering };
      },
      { timeout: 30_000 },
    );
    expect(codeOf(await second.answering)).toEqual([404, 'NOT_FOUND']);
    expect(await db.user.count()).toBe(1);
  });
});

describe('a one-time code', () => {
  test('is read as people type it', () => {
    const code = makeCode();
    expect(code).toMatch(/^([2-9a-hjkmnp-z]{5}-){4}[2-9a-hjkmnp-z]{5}$/);
    for (const typed of [
      code,
      code.toUpperCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')} `,
    ])
      expect(readCode(typed)).toBe(code);
    for (const typed of ['', '-', code.slice(1), `${code}2`, code.replace(/^./, '0')])
      expect(readCode(typed)).toBeNull();
  });

  test('of any text is nothing or 25 letters in groups', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const code = readCode(text);
        expect(code === null || /^(\w{5}-){4}\w{5}$/.test(code)).toBe(true);
      }),
    );
  });
});

describe('a password', () => {
  test('is stored with its parameters and another salt each time, and read with them', async () => {
    const passwords = new Passwords({ shared: api.context.shared });
    const stored = await passwords.hash('Zoë’s seven tills');
    expect(stored).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    // The same letter, written in two ways.
    expect(await passwords.isRight('Zoë’s seven tills'.normalize('NFD'), stored)).toBe(true);
    expect(await passwords.isRight('zoë’s seven tills', stored)).toBe(false);
    // A hash with other parameters, as an older or later version writes it.
    const cheap = `scrypt$1$1$1$${'A'.repeat(22)}$${CHEAP_HASH}`;
    expect(await passwords.isRight('x', cheap)).toBe(true);
    expect(await passwords.isRight('y', cheap)).toBe(false);
    expect(await passwords.isRight('x', null)).toBe(false);
  });

  test('waits while two others are hashed, and is refused when thirty wait', async () => {
    const passwords = new Passwords({ shared: testShared(api.context.config) });
    // The cheapest parameters: the number of waiting ones does not depend on them.
    const stored = `scrypt$1$1$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const tries = Array.from({ length: 40 }, () =>
      passwords.isRight('x', stored).catch((error: { code: string; retryAfterSeconds: number }) => error),
    );
    const results = await Promise.all(tries);
    const refused = results.filter((result) => result !== false);
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 3 });
    // Afterwards there is room again.
    expect(await passwords.isRight('x', stored)).toBe(false);
  });
});

describe('a sign-in while the password is changed', () => {
  test('waits for the change and is refused', async () => {
    const { db } = api.context;
    const { userId } = await api.user();
    const passwordHash = `scrypt$1$1$1$${'A'.repeat(22)}$${CHEAP_HASH}`;
    const { email } = await db.user.update({ where: { id: userId }, data: { passwordHash } });
    const signIn = () => api.nobody.post('/session', { email, password: 'x' });
    expect((await signIn()).status).toBe(200);
    const answer = await db.$transaction(
      async (tx) => {
        await tx.user.update({ where: { id: userId }, data: { passwordHash: null } });
        const answering = signIn().then((got) => got);
        await eventually('the sign-in waits', isWaiting);
        return { answering };
      },
      { timeout: 30_000 },
    );
    expect(codeOf(await answer.answering)).toEqual([401, 'UNAUTHORIZED']);
    expect(await db.session.count({ where: { userId } })).toBe(1);
  });
});

describe('wrong passwords', () => {
  const LIMITED = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) };

  test('are limited for each account; a browser that signed in before keeps its own counter', async () => {
    const [{ userId }, other] = [await api.user(), await api.user()];
    const stranger = { email: 'ada@example.com', userId, device: undefined };
    const cookie = makeDevice(api.context, userId);
    for (let i = 0; i < 20; i++) await countTry(api.context, stranger);
    await expect(countTry(api.context, stranger)).rejects.toMatchObject(LIMITED);
    // A cookie that was made up or is of another user changes nothing.
    for (const device of ['x', 'x.y', cookie.slice(1), makeDevice(api.context, other.userId)])
      await expect(countTry(api.context, { ...stranger, device })).rejects.toMatchObject(LIMITED);

    for (let i = 0; i < 20; i++) await countTry(api.context, { ...stranger, device: cookie });
    await expect(countTry(api.context, { ...stranger, device: cookie })).rejects.toMatchObject(LIMITED);
    await countTry(api.context, { ...stranger, device: makeDevice(api.context, userId) });
    await countTry(api.context, { ...stranger, userId: other.userId });
    // Counters go with the user.
    await eraseUser(api.context.db, userId);
    const left = await api.context.db.rateLimit.findMany();
    expect(left.filter(({ key }) => key.includes(userId))).toEqual([]);
  });

  test('of an unknown address are limited in the same way, whatever its case; a right one is taken back', async () => {
    const unknown = { email: 'Nobody@example.com', userId: null, device: undefined };
    for (let i = 0; i < 30; i++) await (await countTry(api.context, unknown))();
    for (let i = 0; i < 20; i++) await countTry(api.context, unknown);
    const lower = { ...unknown, email: 'nobody@example.com' };
    await expect(countTry(api.context, lower)).rejects.toMatchObject(LIMITED);
  });

  test('are not stored with an address that anybody can read', async () => {
    await countTry(api.context, { email: 'secret@example.com', userId: null, device: undefined });
    const keys = (await api.context.db.rateLimit.findMany()).map(({ key }) => key);
    expect(keys.filter((key) => key.includes('secret'))).toEqual([]);
  });
});

describe('old rows', () => {
  test('sessions are removed a week after they ended, codes when they can no longer be used', async () => {
    const { db } = api.context;
    const user = await api.user();
    const { session: revoked } = await addSession(db, user.userId, ['scene:read'], clock.now());
    const { session: expired } = await addSession(db, user.userId, ['scene:read'], clock.now());
    const { session: alive } = await addSession(db, user.userId, ['scene:read'], clock.now());
    await db.session.update({ where: { id: revoked.id }, data: { revokedAt: clock.now() } });
    await db.session.update({ where: { id: expired.id }, data: { expiresAt: clock.now() } });
    await user.post('/login-codes', { kind: 'screen', role: 'viewer' });
    const count = async () => [
      await db.session.count({ where: { userId: user.userId } }),
      await db.loginCode.count({ where: { userId: user.userId } }),
    ];
    await removeOldSessions(api.context);
    expect(await count()).toEqual([3, 1]);
    clock.forward(7 * 86_400 + 1);
    await removeOldSessions(api.context);
    expect(await count()).toEqual([1, 0]);
    expect(await db.session.count({ where: { id: alive.id } })).toBe(1);
  });
});

test('a body of somebody who is not known has at most 16 KB, also where it is packed or does not say its size', async () => {
  const large = { email: 'x'.repeat(17_000), password: 'x' };
  const answer = await api.nobody.post('/session', large);
  expect([...codeOf(answer), answer.body.message]).toEqual([
    ...[413, 'PAYLOAD_TOO_LARGE', 'The body may have at most 16 KB'],
  ]);
  const packed = await request(api.app)
    .post('/api/v1/session')
    .set({ 'content-type': 'application/json', 'content-encoding': 'gzip' })
    .serialize((body: unknown) => body as string)
    .send(gzipSync(JSON.stringify(large)) as unknown as string);
  expect(codeOf(packed)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const longest = { email: `${'x'.repeat(242)}@example.com`, password: '\u00fc'.repeat(200) };
  expect(codeOf(await api.nobody.post('/session', longest))).toEqual([401, 'UNAUTHORIZED']);
  const user = await api.user();
  const known = await user.post('/devices', { name: 'x', streamUrl: 'x'.repeat(17_000) });
  expect(known.status).toBe(400);
});
