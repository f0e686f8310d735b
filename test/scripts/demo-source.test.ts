import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';
import { scratchFolder } from '../support/ffmpeg.ts';
import { refusedUrl } from '../support/servers/stream-server.ts';

let folder: string;
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(join(folder, 'zones.json'), '{"zones":{}}');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the demo with a camera that cannot be read, in a data folder of its own. */
function demo(source: string, env: NodeJS.ProcessEnv = {}) {
  const files = ['--data', join(folder, 'data'), '--zones', join(folder, 'zones.json')];
  return runCommand('demo', ['--source', source, ...files], { ...process.env, ...env });
}

test('with a camera that cannot be read the demo says why and what to do, and starts nothing', async () => {
  const [unknown, refused, shut] = await Promise.all([
    demo('rtsp://user:secret@no-such-camera.invalid/live'),
    demo(await refusedUrl('rtsp'), { STREAM_ALLOW_HOSTS: '127.0.0.1' }),
    demo('rtsp://127.0.0.1/live'),
  ]);
  expect([unknown.code, refused.code, shut.code]).toEqual([1, 1, 1]);
  expect(unknown.stderr).toMatch(/host name that is not known here: check its address. \(host_unknown\)/);
  expect(unknown.stderr).toMatch(/Correct --source/);
  expect(unknown.stderr).not.toContain('secret');
  expect(refused.stderr).toMatch(/check host and port, and that the camera is on/);
  expect(shut.stderr).toMatch(/loopback addresses are refused.*\n.*STREAM_ALLOW_HOSTS/);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
