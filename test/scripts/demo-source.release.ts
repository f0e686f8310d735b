import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { becomeDemo, runningDemo } from '../../scripts/demo/one-demo.ts';
import { processStartTime } from '../../src/platform/processes/processes.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { runCommand } from '../support/command.ts';
import { scratchFolder } from '../support/ffmpeg.ts';
import { refusedUrl } from '../support/servers/stream-server.ts';

let folder: string;
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(join(folder, 'zones.json'), JSON.stringify({ zones: SHOP_ZONES }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the demo with a camera that cannot be read, in a data folder of its own. */
function demo(source: string, env: NodeJS.ProcessEnv = {}) {
  const files = ['--data', join(folder, 'data'), '--zones', join(folder, 'zones.json')];
  return runCommand('demo', ['--source', source, ...files], { ...process.env, ...env });
}

test('with a camera that cannot be read the demo says why and what to do, and starts nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const [unknown, refused, shut, mute] = await Promise.all([
    demo('rtsp://user:secret@no-such-camera.invalid/live'),
    demo(await refusedUrl('rtsp'), { STREAM_ALLOW_HOSTS: '127.0.0.1' }),
    demo('rtsp://127.0.0.1/live'),
    demo(`rtsp://127.0.0.1:${port}/live`, { STREAM_ALLOW_HOSTS: '127.0.0.1' }),
  ]);
  silent.close();
  expect([unknown.code, refused.code, shut.code, mute.code]).toEqual([1, 1, 1, 1]);
  expect(mute.stderr).toMatch(/\(timeout\)/);
  expect(unknown.stderr).toMatch(/host name that is not known here: check its address. \(host_unknown\)/);
  expect(unknown.stderr).toMatch(/Correct --source/);
  expect(unknown.stderr).not.toContain('secret');
  expect(refused.stderr).toMatch(/check host and port, and that the camera is on/);
  expect(shut.stderr).toMatch(/loopback addresses are refused.*\n.*STREAM_ALLOW_HOSTS/);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('faults of a zones file are named before anything is started', async () => {
  const file = join(folder, 'wrong.json');
  const withZones = async (text: string) => {
    writeFileSync(file, text);
    const args = ['--source', 'rtsp://192.0.2.1/live', '--zones', file, '--data', join(folder, 'data')];
    return (await runCommand('demo', args)).stderr;
  };
  const [first, second] = SHOP_ZONES.queueZone.points;
  const line = { type: 'polygon', points: [first, second] };
  expect(await withZones(JSON.stringify({ zones: { queeZone: line } }))).toMatch(
    /zones\.queeZone: is not a field here\. Did you mean queueZone\?/,
  );
  expect(await withZones('{"zones":{}}')).toMatch(/zones: must hold queueZone, checkoutZone or both/);
  expect(await withZones('[1')).toMatch(/wrong\.json is not JSON/);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('a second demo in the folder of DATA_DIR says that one runs, and prints a link to its page', async () => {
  const data = join(folder, 'demo');
  mkdirSync(data);
  const asked: unknown[] = [];
  const api = createHttpServer((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ data: { code: 'one-time' } }));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const owner = { pid: process.pid, startTime: processStartTime(process.pid) };
  writeFileSync(join(data, 'api-key'), 'key-of-the-demo\n');
  writeFileSync(join(data, 'demo.json'), JSON.stringify({ owner, baseUrl }));
  const second = () => runCommand('demo', [], { ...process.env, DATA_DIR: folder });
  const { code, stderr } = await second();
  expect(code).toBe(1);
  expect(stderr).toContain(`A demo runs in ${data} already (process ${process.pid})`);
  expect(stderr).toContain(`  ${baseUrl}/#/?code=one-time\n`);
  expect(asked).toEqual([['/api/v1/login-codes', 'Bearer key-of-the-demo']]);
  api.closeAllConnections();
  api.close();
  expect((await second()).stderr).toContain(`  ${baseUrl}\n`);
});

test('of two demos that start only one becomes the demo; what a killed one left is no demo', () => {
  const data = join(folder, 'one');
  const demo = becomeDemo(data);
  expect([demo === null, becomeDemo(data)]).toEqual([false, null]);
  demo!.isAt('http://127.0.0.1:8080');
  expect(runningDemo(data)).toMatchObject({ baseUrl: 'http://127.0.0.1:8080' });
  const file = join(data, 'demo.json');
  const left = JSON.parse(readFileSync(file, 'utf8')) as { owner: object };
  writeFileSync(file, JSON.stringify({ ...left, owner: { ...left.owner, startTime: 'long ago' } }));
  expect(runningDemo(data)).toBeNull();
  expect(becomeDemo(data)).not.toBeNull();
  writeFileSync(file, '{"owner"');
  expect(runningDemo(data)).toBeNull();
});
