import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECT } from '../../../src/platform/project.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepares-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['demo', 'soak'])('`npm run %s` tells a wrong option before it prepares anything', async (name) => {
  const seen = join(folder, 'seen');
  const spy = join(folder, 'spy.cjs');
  writeFileSync(seen, '');
  writeFileSync(spy, `require('fs').appendFileSync(${JSON.stringify(seen)}, process.argv.join(' ') + '\\n')`);
  const env = { ...process.env, NODE_OPTIONS: `--require ${spy}` };
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile('npm', ['run', name, '--', '--bogus'], { cwd: PROJECT, env }, (error, _, text) =>
      resolve({ code: error?.code, stderr: text }),
    );
  });
  expect(stderr).toMatch(/unknown option '--bogus'/);
  expect(code).toBe(1);
  const programs = readFileSync(seen, 'utf8');
  expect(programs).toMatch(/generate-client/);
  expect(programs).not.toMatch(/first-start|build-page/);
});
