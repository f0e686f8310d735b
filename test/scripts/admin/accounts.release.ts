import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKeyFor, createUser } from '../../../src/access/administer.ts';
import { createAuthenticate } from '../../../src/access/authenticate.ts';
import { nodeArguments } from '../../../src/platform/processes/program-file.ts';
import { type TestApi, testApi } from '../../support/api.ts';
import { addRecording } from '../../support/rows/recordings.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.drop());

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function admin(args: readonly string[], input = ''): Promise<Answer> {
  const { databaseUrl } = api.context.config;
  const env = { ...process.env, DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: '' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeArguments('scripts/admin.ts'), ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin!.on('error', () => undefined).end(input);
  });
}

const isValid = async (key: string) =>
  Boolean(await createAuthenticate(api.context)({ authorization: `Bearer ${key}` }));

test('users and keys are listed, and a key is revoked with those that it made', async () => {
  const { db } = api.context;
  const { key: first } = await createUser(db, 'anna@example.com', false);
  await createUser(db, 'bert@example.com', true);
  const { id: annaId } = await db.user.findFirstOrThrow({ where: { email: 'anna@example.com' } });
  await addRecording(api.context, annaId, { sizeBytes: 5_000_000_000n });
  const { key, keyId } = await createKeyFor(db, 'anna@example.com', { name: 'till', scopes: ['scene:read'] });
  const users = JSON.parse((await admin(['list-users', 'example.com', '--json'])).stdout) as {
    users: { email: string; isAdmin: boolean; recordingBytes: number }[];
  };
  expect(users.users.map(({ email, isAdmin, recordingBytes }) => [email, isAdmin, recordingBytes])).toEqual([
    ['bert@example.com', true, 0],
    ['anna@example.com', false, 5e9],
  ]);
  const listed = await admin(['list-keys', 'anna@example.com']);
  expect(listed.stdout).toContain(keyId);
  expect(listed.stdout).not.toContain(key);
  expect(await admin(['revoke-key', 'anna@example.com', keyId])).toMatchObject({ code: 0 });
  expect([await isValid(key), await isValid(first!)]).toEqual([false, true]);
  for (const id of [keyId, 'till'])
    expect(await admin(['revoke-key', 'anna@example.com', id])).toMatchObject({
      code: 1,
      stderr: `anna@example.com has no key "${id}" that works: list-keys shows the ids.\n`,
    });
  expect((await admin(['list-keys', 'nobody'])).stderr).toContain('There is no user "nobody"');
  const entry = await db.auditEntry.findFirst({ where: { action: 'api_key_revoked' } });
  expect(entry).toMatchObject({ actorKind: 'operator' });
});

test('a password comes from standard input, ends all sessions and signs in', async () => {
  const { db } = api.context;
  await createUser(db, 'carl@example.com', false);
  const password = 'seven tills on a rainy day';
  const signIn = (word: string) => api.nobody.post('/session', { email: 'carl@example.com', password: word });
  expect(await admin(['set-password', 'carl@example.com'], `${password}\n`)).toMatchObject({ code: 0 });
  expect((await signIn(password)).status).toBe(200);
  expect(await db.session.count({ where: { revokedAt: null } })).toBe(1);
  const other = 'nine counters in the sun';
  expect(await admin(['set-password', 'carl@example.com'], other)).toMatchObject({ code: 0 });
  expect(await db.session.count({ where: { revokedAt: null } })).toBe(0);
  expect([(await signIn(password)).status, (await signIn(other)).status]).toEqual([401, 200]);

  const short = await admin(['set-password', 'carl@example.com'], 'short\n');
  expect(short).toMatchObject({ code: 1, stdout: '' });
  expect(short.stderr).toMatch(/^The password must have at least 10 characters\.\n$/);
  expect((await admin(['set-password', 'carl@example.com'])).stderr).toContain(
    'no password on standard input',
  );
});

test('limits that are given as words are refused with the options', async () => {
  const { stderr, code } = await admin(['set-quota', 'anna@example.com', 'ALERTS', '5']);
  expect(code).toBe(1);
  expect(stderr).toContain('"ALERTS 5" is not read');
  for (const option of ['--analysis', '--alert', '--attribute', '--vlm']) expect(stderr).toContain(option);
  expect((await admin(['default-quota', 'ALERTS', '5'])).stderr).toContain('--alert');
  expect((await admin(['set-quota', 'anna@example.com', '--alert', '5'])).code).toBe(0);
});
