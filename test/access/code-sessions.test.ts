import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { beginSession } from '../../src/access/sessions/begin-session.ts';
import { WHOLE_ACCOUNT } from '../../src/access/sessions/grant.ts';
import { codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';

const clock = new TestClock();
let api: TestApi;
beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());

describe('of more than two hundred sessions by codes', () => {
  const { kind, method } = { kind: 'person', method: 'code' } as const;
  /** Each was used a minute before the one before it. */
  const add = (
    userId: string,
    count: number,
    of: { kind?: string; method?: string; minutesAgo?: number } = {},
  ) =>
    api.context.db.$executeRaw`
      INSERT INTO "Session" ("userId", "tokenHash", kind, role, scopes, method, "lastUsedAt", "expiresAt")
      SELECT ${userId}::uuid, sha256((${`${userId} ${of.kind ?? kind} ${of.method ?? method}`} || n)::bytea),
             ${of.kind ?? kind}::"SessionKind", 'viewer', '{}', ${of.method ?? method}::"SignInMethod",
             ${clock.now()}::timestamptz - make_interval(mins => ${of.minutesAgo ?? 0}::int + n),
             ${new Date(clock.now().getTime() + 86_400_000)}
      FROM generate_series(1, ${count}::int) n`;
  const ownSession = async (userId: string) => {
    const where = { userId, method: 'password' as const };
    const found = await api.context.db.session.findFirst({ where });
    if (!found) await add(userId, 1, { method: 'password' });
    return found ?? api.context.db.session.findFirstOrThrow({ where });
  };
  const signIn = async (of: 'person' | 'screen', by: Awaited<ReturnType<typeof api.user>>) => {
    const { body } = await by.post('/login-codes', { kind: of, role: 'viewer' });
    const { code } = body.data as { code: string };
    // As a code that the owner has made in a session: one of an API key would be counted for that key.
    const { id: sessionId } = await ownSession(by.userId);
    await api.context.db.loginCode.updateMany({
      where: { userId: by.userId },
      data: { apiKeyId: null, sessionId },
    });
    return { code, enter: () => api.nobody.post('/session', { code }) };
  };

  test.each(['person', 'screen'] as const)(
    'a new one is refused, ends none, and can be tried again: %s',
    async (of) => {
      const user = await api.user();
      const { db } = api.context;
      await add(user.userId, 200, { kind: of });
      await add(user.userId, 3, { kind: of === 'person' ? 'screen' : 'person' });
      const { enter } = await signIn(of, user);
      const refused = await enter();
      expect([...codeOf(refused), refused.body.error.details[0].reason, refused.body.message]).toEqual([
        ...[409, 'LIMIT_REACHED', 'code_sessions'],
        expect.stringContaining('DELETE /sessions/{id}'),
      ]);
      expect(await db.session.count({ where: { userId: user.userId, revokedAt: null } })).toBe(204);
      const [first] = await db.session.findMany({
        where: { userId: user.userId, kind: of, method },
        take: 1,
      });
      expect((await user.delete(`/sessions/${first!.id}`)).status).toBe(204);
      expect((await enter()).status).toBe(200);
    },
  );

  test('a person who was away for a week gives the place, a screen and a person of yesterday do not', async () => {
    const user = await api.user();
    const { db } = api.context;
    const WEEK = 7 * 24 * 60;
    await add(user.userId, 200, { minutesAgo: WEEK - 200 });
    await add(user.userId, 200, { kind: 'screen', minutesAgo: 2 * WEEK });
    expect((await (await signIn('screen', user)).enter()).status).toBe(409);
    const oldest = await db.session.findFirstOrThrow({
      where: { userId: user.userId, kind: 'person', method },
      orderBy: { lastUsedAt: 'asc' },
    });
    expect((await (await signIn('person', user)).enter()).status).toBe(200);
    expect(await db.session.findUnique({ where: { id: oldest.id } })).toBeNull();
    expect((await (await signIn('person', user)).enter()).status).toBe(409);
    expect(await db.session.count({ where: { userId: user.userId, method } })).toBe(400);
  });

  test('those that have expired make room, and those of a key are counted apart', async () => {
    const user = await api.user();
    const { db } = api.context;
    await add(user.userId, 200);
    const { code } = (await user.post('/login-codes', { kind, role: 'viewer' })).body.data as {
      code: string;
    };
    expect((await api.nobody.post('/session', { code })).status).toBe(200);
    await db.session.updateMany({
      where: { userId: user.userId, apiKeyId: null, method },
      data: { expiresAt: new Date(clock.now().getTime() - 1) },
    });
    expect((await (await signIn('person', user)).enter()).status).toBe(200);
  });

  test('the password ends the one of its own that was used longest ago', async () => {
    const { userId } = await api.user();
    const { db } = api.context;
    await add(userId, 200, { method: 'password' });
    await add(userId, 3);
    const { session } = await db.$transaction((tx) =>
      beginSession(
        tx,
        { ...WHOLE_ACCOUNT, userId, apiKeyId: null, kind, method: 'password', label: null },
        { now: clock.now(), address: null, userAgent: null },
      ),
    );
    const left = await db.session.findMany({ where: { userId }, orderBy: { lastUsedAt: 'asc' } });
    expect(left).toHaveLength(203);
    expect(left[0]!.lastUsedAt).toEqual(new Date(clock.now().getTime() - 199 * 60_000));
    expect(left.at(-1)!.id).toBe(session.id);
  });
});
