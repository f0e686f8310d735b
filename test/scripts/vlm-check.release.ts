import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type CommandResult, runCommand } from '../support/command.ts';
import { GOOD_ANSWER, VlmServer } from '../support/servers/vlm-server.ts';

let server: VlmServer;
let folder: string;
let picture: string;
beforeAll(async () => {
  server = await VlmServer.start();
  folder = await mkdtemp(join(tmpdir(), 'vlm-check-'));
  picture = join(folder, 'shop.jpg');
  await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#446688' } }).toFile(picture);
  await writeFile(join(folder, 'text.jpg'), 'no picture at all');
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `vlm check` without the variables of this process that could configure it. */
function check(args: readonly string[], changes: Record<string, string> = {}): Promise<CommandResult> {
  const { PATH = '', HOME = '' } = process.env;
  const model = { VLM_URL: server.url, VLM_MODEL: 'test-vlm', VLM_API_KEY: server.key };
  return runCommand('vlm', ['check', ...args], { PATH, HOME, ...model, ...changes });
}

test('vlm check prints the answer, time and tokens of the model, and one sentence for each error', async () => {
  const [json, people, ...refused] = await Promise.all([
    check(['--json']),
    check(['--picture', picture]),
    check([], { VLM_URL: '', VLM_MODEL: '' }),
    check(['--picture', picture], { VLM_API_KEY: 'wrong' }),
    check(['--picture', picture], { VLM_URL: 'http://127.0.0.1:1/v1' }),
    check(['--picture', join(folder, 'text.jpg')]),
    check(['--picture', join(folder, 'absent.jpg')]),
  ]);

  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json!.stdout)).toEqual({
    model: 'test-vlm',
    tookMs: expect.any(Number),
    inputTokens: 900,
    outputTokens: 120,
    result: GOOD_ANSWER,
  });
  expect(people).toMatchObject({ code: 0 });
  expect(people!.stdout).toMatch(/^test-vlm at http:\S+: \d+ ms, 900 \+ 120 tokens\n/);
  expect(people!.stdout).toContain(GOOD_ANSWER.summary);
  expect(server.requests).toHaveLength(2);
  expect(server.requests.map(({ pictures }) => pictures.length)).toEqual([1, 1]);
  const widths = server.requests.map(({ pictures }) => pictures[0]!.width);
  expect(Math.max(...widths)).toBe(768);

  expect(refused.map(({ code, stdout, stderr }) => [code, stdout, stderr.trim().split('\n').length])).toEqual(
    refused.map(() => [1, '', 1]),
  );
  expect(refused[0]!.stderr).toContain('set VLM_URL and VLM_MODEL');
  expect(refused[1]!.stderr).toContain('VLM_CONNECTION: The server answered 401');
  expect(refused[2]!.stderr).toContain('VLM_CONNECTION: The server cannot be reached');
  expect(refused[3]!.stderr).toContain('cannot be read');
  expect(refused[4]!.stderr).toContain('There is no image');
});

test('vlm check says why a server refuses, and that a model reads no images', async () => {
  server.requests.length = 0;
  server.refuses = () => ({ status: 422, body: { error: { message: 'The moon is full.' } } });
  const refused = await check(['--picture', picture]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('VLM_REQUEST_REFUSED: The server answered 422: The moon is full.');
  server.refuses = ({ pictures }) =>
    pictures.length > 0
      ? { status: 400, body: { error: { message: 'image input is not supported' } } }
      : null;
  const blind = await check(['--picture', picture]);
  server.refuses = () => null;
  expect(blind).toMatchObject({ code: 0 });
  expect(blind.stderr).toContain('reads no images');
});
