import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeApiKey, parseApiKey, withChecksum } from '../../src/access/api-key.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { createKey } from '../../src/access/create-key.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { type TestApi, TestClock, testApi } from '../support/api.ts';

const clock = new TestClock();
let api: TestApi;
beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());

const rowOf = (key: string) =>
  api.context.db.apiKey.findUniqueOrThrow({ where: { keyId: parseApiKey(key)!.keyId } });

/** Authenticates by a header Authorization alone. */
function byHeader(context: Context) {
  const authenticate = createAuthenticate(context);
  return (authorization?: string, beforeLookUp?: () => Promise<void>) =>
    authenticate({ authorization }, beforeLookUp);
}

describe('authentication', () => {
  test('returns the user and the known scopes of a key', async () => {
    const { userId, key } = await api.user(['scene:read', 'TASK_READ']);
    await api.context.db.apiKey.updateMany({ where: { userId }, data: { scopes: { push: 'scene:fly' } } });
    const caller = await byHeader(api.context)(`Bearer ${key}`);
    expect(caller).toEqual({
      userId,
      credentialId: (await rowOf(key)).id,
      keyId: (await rowOf(key)).id,
      sessionId: null,
      scopes: new Set(['scene:read', 'TASK_READ']),
    });
  });

  test('missing, malformed, unknown, revoked and expired keys and keys of deleted users get the same answer', async () => {
    const authenticate = byHeader(api.context);
    const { userId, key } = await api.user();
    const { key: unknown } = await createKey(api.context.db, { userId, name: 'x', scopes: [] });
    await api.context.db.apiKey.deleteMany({ where: { keyId: parseApiKey(unknown)!.keyId } });
    const expiresAt = new Date(clock.now().getTime() - 1);
    const { key: expired } = await createKey(api.context.db, { userId, name: 'x', scopes: [], expiresAt });
    const { key: revoked } = await createKey(api.context.db, { userId, name: 'x', scopes: [] });
    await api.context.db.apiKey.update({
      where: { keyId: parseApiKey(revoked)!.keyId },
      data: { revokedAt: clock.now() },
    });
    const erased = await api.user();
    await api.context.db.user.update({ where: { id: erased.userId }, data: { deletedAt: clock.now() } });
    const refused = [
      undefined,
      '',
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${unknown}`,
      `Bearer ${expired}`,
      `Bearer ${revoked}`,
      `Bearer ${erased.key}`,
    ];
    for (const header of refused) expect(await authenticate(header)).toBeNull();
    expect(await authenticate(`Bearer ${key}`)).not.toBeNull();
  });

  test('a revoked key works at most 10 seconds longer', async () => {
    const authenticate = byHeader(api.context);
    const { userId, key } = await api.user();
    expect(await authenticate(`Bearer ${key}`)).not.toBeNull();
    await api.context.db.apiKey.updateMany({ where: { userId }, data: { revokedAt: clock.now() } });
    clock.forward(10);
    expect(await authenticate(`Bearer ${key}`)).toBeNull();
  });

  test('the last use is stored at most once a minute', async () => {
    const authenticate = byHeader(api.context);
    const { key } = await api.user();
    const first = clock.now();
    /** It is written behind the answer. */
    const written = async (at: Date) => {
      while ((await rowOf(key)).lastUsedAt?.getTime() !== at.getTime()) await pause(10);
    };
    await authenticate(`Bearer ${key}`);
    await written(first);
    clock.forward(59);
    await authenticate(`Bearer ${key}`);
    clock.forward(1);
    await authenticate(`Bearer ${key}`);
    await written(new Date(first.getTime() + 60_000));
  });

  describe('the limit of failures', () => {
    const limited = () => byHeader({ ...api.context, db: counted(api.context.db) });
    let lookUps = 0;
    const counted = (db: Db): Db =>
      new Proxy(db, {
        get: (target, name) => {
          if (name === 'apiKey') lookUps += 1;
          return Reflect.get(target, name);
        },
      });
    const refuse = () => Promise.reject(new Error('limit'));

    test('is checked before the database is queried for a key that is not cached', async () => {
      const authenticate = limited();
      lookUps = 0;
      await expect(authenticate(`Bearer ${makeApiKey().key}`, refuse)).rejects.toThrow('limit');
      expect(lookUps).toBe(0);
      expect(await authenticate(`Bearer ${makeApiKey().key}`)).toBeNull();
      expect(lookUps).toBe(1);
    });

    test('is not checked for a cached key, also when it is read again', async () => {
      const authenticate = limited();
      const { key } = await api.user();
      expect(await authenticate(`Bearer ${key}`)).not.toBeNull();
      clock.forward(3600);
      expect(await authenticate(`Bearer ${key}`, refuse)).not.toBeNull();
    });

    test('guesses remove no valid key from the cache, and a wrong secret causes no query', async () => {
      const authenticate = limited();
      const { key } = await api.user();
      await authenticate(`Bearer ${key}`);
      const { keyId } = parseApiKey(key)!;
      const guess = withChecksum(`vas_${keyId}_${'x'.repeat(32)}`);
      lookUps = 0;
      expect(await authenticate(`Bearer ${guess}`, refuse)).toBeNull();
      expect(lookUps).toBe(0);
      expect(await authenticate(`Bearer ${key}`, refuse)).not.toBeNull();
      expect(lookUps).toBe(0);
    });
  });
});
