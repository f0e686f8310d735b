import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyFor, createUser, deleteUser } from '../../src/access/administer.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { runCommand } from '../support/command.ts';

let api: TestApi;
let db: Db;
beforeAll(async () => {
  api = await testApi();
  db = api.context.db;
});
afterAll(() => api.drop());

const scopesOf = async (key: string) =>
  (await createAuthenticate(api.context)({ authorization: `Bearer ${key}` }))?.scopes;

describe('the operator', () => {
  test('creates a user and a key once, also in concurrent calls', async () => {
    const made = await Promise.all([1, 2, 3].map(() => createUser(db, 'anna@example.com', false)));
    const [first] = made.filter(({ created }) => created);
    expect(made.filter(({ key }) => key !== null)).toEqual([first]);
    expect(new Set(made.map(({ userId }) => userId)).size).toBe(1);
    const scopes = await scopesOf(first!.key!);
    expect([scopes?.has('device:write'), scopes?.has('admin')]).toEqual([true, false]);
  });

  test('creates further keys with exactly the given scopes', async () => {
    await createUser(db, 'boss', true);
    const { key } = await createKeyFor(db, 'boss', { name: 'k', scopes: ['scene:read', 'TASK_READ'] });
    expect(await scopesOf(key)).toEqual(new Set(['scene:read', 'TASK_READ']));
    expect((await scopesOf((await createKeyFor(db, 'boss', { name: 'k' })).key))?.has('admin')).toBe(true);
  });

  test('makes an existing user an administrator', async () => {
    await createUser(db, 'carl', false);
    await expect(createKeyFor(db, 'carl', { name: 'k', scopes: ['admin'] })).rejects.toThrow(
      'not an administrator',
    );
    expect(await createUser(db, 'carl', true)).toMatchObject({ created: false, isAdmin: true, key: null });
    expect((await createKeyFor(db, 'carl', { name: 'k' })).scopes).toContain('admin');
    await expect(createKeyFor(db, 'nobody', { name: 'k' })).rejects.toThrow('There is no user "nobody"');
  });

  test('deletes a user with all images and rows', async () => {
    const { images } = api.context;
    const { userId, key } = await createUser(db, 'dora', false);
    await db.device.create({ data: { userId, name: 'x', streamUrlEncrypted: 'x' } });
    const objectKey = newImageKey(new Date(), userId);
    await images.put(objectKey, Buffer.from('x'));
    const image = { kind: 'clean' as const, width: 1, height: 1, sizeBytes: 1, capturedAt: new Date() };
    await db.storedImage.create({ data: { ...image, userId, objectKey } });
    expect(await deleteUser({ db, images }, 'dora')).toBe(true);
    expect(await images.get(objectKey)).toBeNull();
    expect(await db.device.count({ where: { userId } })).toBe(0);
    expect(await scopesOf(key!)).toBeUndefined();
    expect(await deleteUser({ db, images }, 'dora')).toBe(false);
  });

  test('npm run admin prints one JSON document', async () => {
    const { stdout } = await runCommand('admin', ['create-user', 'emma', '--json'], {
      ...process.env,
      DATABASE_URL: api.context.config.databaseUrl,
    });
    const { key } = JSON.parse(stdout);
    expect((await scopesOf(key))?.size).toBeGreaterThan(10);
  });
});
