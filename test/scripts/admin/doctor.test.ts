import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Finding, findFaults } from '../../../scripts/admin/doctor.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let database: TestDatabase;
let server: Server;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'doctor-test-'));
  server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const vlmUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const environment = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, 'data'),
  MODEL_CACHE_DIR: loadConfig({}).modelCacheDir,
  EXECUTION_PROVIDER: 'cpu',
  ...changes,
});
const byPart = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ part, ...finding }) => [part, finding]));

test('a whole installation has no fault; what is not configured is no fault', async () => {
  const found = byPart(await findFaults(environment({ VLM_URL: vlmUrl(), VLM_API_KEY: 'right' })));
  for (const part of ['settings', 'database', 'migrations', 'storage', 'models', 'language model'])
    expect([part, found[part]?.state]).toEqual([part, 'right']);
  for (const part of ['GPU', 'mail server']) expect([part, found[part]?.state]).toEqual([part, 'off']);
  expect(found.ffmpeg).toBeDefined();
});

test('each part says what to do, however many are wrong', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const wrong = environment({
    ...{ DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/nothing', DATA_DIR: file },
    ...{ FFMPEG_PATH: '/missing/ffmpeg', VLM_URL: vlmUrl(), VLM_API_KEY: 'wrong' },
    ...{ SMTP_URL: 'smtp://u:secret@127.0.0.1:1', MAIL_FROM: 'a@example.com', MODEL: 'nothing' },
  });
  const found = byPart(await findFaults(wrong));
  for (const [part, says] of [
    ['database', 'does not answer'],
    ['migrations', 'does not answer'],
    ['storage', 'correct DATA_DIR'],
    ['ffmpeg', 'FFMPEG_PATH'],
    ['models', 'nothing'],
    ['language model', 'correct VLM_API_KEY'],
    ['mail server', 'Correct SMTP_URL'],
  ])
    expect([part, found[part!]]).toEqual([part, { state: 'wrong', message: expect.stringContaining(says!) }]);
  expect(JSON.stringify(found)).not.toContain('secret');
});

test('settings that cannot be used, or are not read, come first', async () => {
  expect(await findFaults({ PORT: 'many' })).toEqual([
    { part: 'settings', state: 'wrong', message: expect.stringContaining('PORT: ') },
  ]);
  const [settings] = await findFaults(environment({ METRIC_PORT: '9000' }));
  expect(settings).toMatchObject({ state: 'wrong', message: expect.stringContaining('METRICS_PORT') });
});
