import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';

const scratch = mkdtempSync(join(tmpdir(), 'killed-run-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Programs with this in their environment, by command line. */
function programsWith(variable: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${variable}\0`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command === '' ? [] : [command];
    } catch {
      return [];
    }
  });
}

test.each<[string, NodeJS.Signals, 'the program' | 'its group']>([
  ['SIGKILL', 'SIGKILL', 'the program'],
  ['Ctrl-C', 'SIGINT', 'its group'],
])('after %s no program and no folder of a run stays', async (name, signal, whom) => {
  const ready = join(scratch, `ready after ${name}`);
  const env = { ...process.env, TEST_TIER: '', STAYS_FILE: ready };
  const run = spawn(process.execPath, ['scripts/test.mjs', '--testMatch', '**/stays.fixture.ts'], {
    env,
    detached: true,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => run.once('exit', resolve));
  await eventually('the test has started everything', () => existsSync(ready));
  const running = programsWith(`STAYS_FILE=${ready}`).join('\n');
  for (const program of [/postgres/, /chrom/, /sleep 1000/, /keeper\.mjs/]) expect(running).toMatch(program);
  const [, database, files] = /keeper\.mjs \S+ (\S+) (\S+)/.exec(running)!;
  expect([database, files].map((folder) => existsSync(folder!))).toEqual([true, true]);
  const ownEnvironment = () => programsWith(`DATA_DIR=${join(files!, 'own')}`);
  expect(ownEnvironment()).toHaveLength(1);
  process.kill(whom === 'the program' ? run.pid! : -run.pid!, signal);
  await ended;
  await eventually(
    'every program has ended',
    () => [...programsWith(`STAYS_FILE=${ready}`), ...ownEnvironment()].length === 0,
  );
  await eventually('its folders are gone', () => !existsSync(database!) && !existsSync(files!));
});
