import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { closeServer, listen } from '../../scripts/support/loopback.ts';
import { isInstalled, testWhere } from '../support/installed.ts';
import { folderOf } from './known.ts';

const test = testWhere(isInstalled('curl', '--version'));
const UNITS = ['video-analytics-api@0.service', 'video-analytics-worker@0.service'];

/** What a systemd would do, which tests cannot start: it writes down what it is asked for. */
const SYSTEMCTL = `#!/bin/sh
case "$1" in
  list-units) cat units ;;
  show) echo "NODE_ENV=production METRICS_PORT=$(cat port)" ;;
  start) echo "start $2" >> log; exit "$(cat migration)" ;;
  restart) echo "restart $2 of $(readlink current)" >> log ;;
  is-active) test -e active ;;
esac
`;

let folder: string;
let server: Server;
/** Answers of /readyz before the program is ready. */
let unready: number;
const note = (line: string) => writeFileSync(join(folder, 'log'), `${line}\n`, { flag: 'a' });
const log = () =>
  existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [];
const current = () => readlinkSync(join(folder, 'current'));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  unready = 0;
  let left = 0;
  server = createServer((_request, answer) => {
    left = left === 0 ? unready + 1 : left;
    left -= 1;
    note(left === 0 ? 'ready' : 'not ready');
    answer.writeHead(left === 0 ? 200 : 503).end();
  });
  const files = {
    systemctl: SYSTEMCTL,
    port: String(await listen(server)),
    units: UNITS.map((unit) => `${unit} loaded active running Something\n`).join(''),
    migration: '0',
    active: '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chmodSync(join(folder, 'systemctl'), 0o755);
  for (const build of ['old', 'new']) {
    mkdirSync(join(folder, build, 'dist/src'), { recursive: true });
    writeFileSync(join(folder, build, 'dist/src/api.js'), '');
  }
  symlinkSync('old', join(folder, 'current'));
});
afterEach(async () => {
  await closeServer(server);
  rmSync(folder, { recursive: true });
});

function upgrade(build: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('/bin/sh', [join(process.cwd(), folderOf('systemd/upgrade.sh')), build], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, LINK: join(folder, 'current') },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      said += data.toString();
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

test('the migration runs before any program stops, and each program is ready before the next one stops', async () => {
  unready = 1;
  expect(await upgrade('new')).toEqual({ code: 0, said: `${UNITS.join('\n')}\n` });
  expect(log()).toEqual([
    'start video-analytics-migrate.service',
    ...UNITS.flatMap((unit) => [`restart ${unit} of new`, 'not ready', 'ready']),
  ]);
});

test('a migration that fails leaves everything as it was', async () => {
  writeFileSync(join(folder, 'migration'), '1');
  expect(await upgrade('new')).toEqual({
    code: 1,
    said: expect.stringContaining('no program was restarted'),
  });
  expect([current(), log()]).toEqual(['old', ['start video-analytics-migrate.service']]);
});

test('a program that does not come up is the only one that was stopped', async () => {
  unready = 1;
  rmSync(join(folder, 'active'));
  const { code, said } = await upgrade('new');
  expect([code, said]).toEqual([1, expect.stringContaining(`${UNITS[0]} does not run`)]);
  expect(log().filter((line) => line.startsWith('restart'))).toEqual([`restart ${UNITS[0]} of new`]);
});

test('a folder without a build changes nothing', async () => {
  const { code, said } = await upgrade('elsewhere');
  expect([code, said]).toEqual([1, expect.stringContaining('elsewhere has no build')]);
  expect([current(), log()]).toEqual(['old', []]);
});
