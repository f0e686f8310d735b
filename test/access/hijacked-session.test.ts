import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { requireStrong } from '../../src/access/account/strong-password.ts';
import { createLoginLink } from '../../src/access/administer.ts';
import { countTry } from '../../src/access/sign-in/sign-in-limits.ts';
import { ROLES } from '../../src/http/roles.ts';
import { codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { addSession, withCookie } from '../support/rows/sessions.ts';

/** scrypt of `x` with sixteen zero bytes and the smallest parameters. */
const OLD = 'x';
const OLD_HASH = `scrypt$1$1$1$${'A'.repeat(22)}$gdfb7ML8f1TkoLTxaDgX5NG20gRKenhQ1-092ACaLG0`;
const NEW = 'a password of a thief';

const clock = new TestClock();
let api: TestApi;
beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());

const change = (token: string, body: object) =>
  request(api.app).patch('/api/v1/users/me').set(withCookie(token)).send(body);
const tokenOf = (headers: Record<string, unknown>) =>
  /^vas=([^;]+)/.exec((headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('vas='))!)![1]!;

/** A user with a password, and a session of the whole account that somebody else may have taken over. */
async function hijacked() {
  const user = await api.user();
  const { db } = api.context;
  const { email } = await db.user.update({ where: { id: user.userId }, data: { passwordHash: OLD_HASH } });
  const { token, session } = await addSession(db, user.userId, ROLES.owner.scopes, clock.now());
  return { ...user, email, token, session };
}

describe('whoever has taken over a session of the whole account', () => {
  test('cannot set a password by a code that the session itself makes', async () => {
    const { token } = await hijacked();
    clock.forward(3600);
    const made = await request(api.app)
      .post('/api/v1/login-codes')
      .set(withCookie(token))
      .send({ kind: 'person', role: 'owner' });
    const begun = await api.nobody.post('/session', { code: made.body.data.code });
    expect(begun.status).toBe(200);
    const changed = await change(tokenOf(begun.headers), { password: NEW });
    expect([changed.status, changed.body.message]).toEqual([
      400,
      expect.stringContaining('currentPassword: is missing'),
    ]);
  });

  test('cannot set a password after the session was revoked, also while it is still cached', async () => {
    const { token, session } = await hijacked();
    expect((await change(token, { name: 'x' })).status).toBe(200);
    const { db } = api.context;
    await db.session.update({ where: { id: session.id }, data: { revokedAt: clock.now() } });
    const changed = await change(token, { password: NEW, currentPassword: OLD });
    expect(codeOf(changed)).toEqual([401, 'UNAUTHORIZED']);
  });
});

test('a link of the command line lets a person who has forgotten the password set one', async () => {
  const { email } = await hijacked();
  const { code } = await createLoginLink(api.context, email, { role: 'owner', screen: false });
  const begun = await api.nobody.post('/session', { code });
  expect((await change(tokenOf(begun.headers), { password: NEW })).status).toBe(200);
});

test('a stranger who tries passwords does not keep a signed-in person from changing the password', async () => {
  const { email, userId, token } = await hijacked();
  for (let tried = 0; tried < 20; tried++) await countTry(api.context, { email, userId, device: undefined });
  expect(codeOf(await api.nobody.post('/session', { email, password: OLD }))).toEqual([429, 'RATE_LIMITED']);
  expect((await change(token, { password: NEW, currentPassword: OLD })).status).toBe(200);
});

describe('a new password', () => {
  test.each([
    '            ',
    'passwordpassword',
    'anna@shop.example',
    'annaanna2026',
    'qwertyuiop',
    '1234512345',
  ])('that is easy to guess is refused: %j', async (password) => {
    const { userId, token } = await hijacked();
    const email = `anna.${userId}@shop.example`;
    await api.context.db.user.update({ where: { id: userId }, data: { email } });
    const text = password === 'anna@shop.example' ? email : password;
    const answer = await change(token, { password: text, currentPassword: OLD });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringMatching(/^password: is easy to guess/),
    ]);
  });

  test.each(['aB3$'.repeat(50), '4@8({3€69&#!1|0$5+72%2'.repeat(9)])(
    'is looked at in little time, however odd it is',
    async (password) => {
      await requireStrong('seven tills on a rainy day', []);
      const before = process.cpuUsage();
      await requireStrong(password, []).catch(() => undefined);
      const { user, system } = process.cpuUsage(before);
      // Without a bound it was seven seconds.
      expect((user + system) / 1e6).toBeLessThan(2);
    },
  );
});

describe('wrong guesses in a session that somebody has taken over', () => {
  test('do not keep the user from changing the password by wrong guesses', async () => {
    const { token, email } = await hijacked();
    const guess = (by: string, currentPassword: string) => change(by, { password: NEW, currentPassword });
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries++) statuses.push((await guess(token, 'wrong')).status);
    expect([statuses.at(0), statuses.at(-1)]).toEqual([400, 429]);
    // More sessions that need no password give no more guesses.
    const made = await request(api.app)
      .post('/api/v1/login-codes')
      .set(withCookie(token))
      .send({ kind: 'person', role: 'owner' });
    const byCode = await api.nobody.post('/session', { code: made.body.data.code });
    expect((await guess(tokenOf(byCode.headers), 'wrong')).status).toBe(429);
    const owner = await api.nobody.post('/session', { email, password: OLD });
    expect(owner.status).toBe(200);
    expect((await guess(tokenOf(owner.headers), OLD)).status).toBe(200);
  });
});
