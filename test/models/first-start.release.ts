import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MODELS_DIR } from '../../src/platform/config.ts';

let project: string;
/** A project with one card, whose tool notes its runs, and fails where the card says so. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'first-start-'));
  for (const folder of ['models', 'src/models']) mkdirSync(join(project, folder), { recursive: true });
  symlinkSync(join(MODELS_DIR, '../node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  cpSync(join(MODELS_DIR, 'first-start.mjs'), join(project, 'models/first-start.mjs'));
  write('models/embedded.ts', [
    "import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';",
    "appendFileSync('runs', 'run ');",
    "if (readFileSync('models/card.json', 'utf8') === 'faulty') throw new Error('the card is faulty');",
    "mkdirSync('dist/models/ready', { recursive: true });",
    "writeFileSync('dist/models/ready/card.onnx', '');",
  ]);
  write('models/card.json', ['{}']);
});
afterEach(() => rmSync(project, { recursive: true }));

const write = (path: string, lines: readonly string[]) =>
  writeFileSync(join(project, path), lines.join('\n'));
const start = () =>
  promisify(execFile)(process.execPath, ['models/first-start.mjs'], {
    cwd: project,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
const runs = () => readFileSync(join(project, 'runs'), 'utf8').trim().split(' ').length;

test('embedded models are prepared once, and again when a card, a tool or a file has changed', async () => {
  await start();
  await start();
  expect(runs()).toBe(1);
  rmSync(join(project, 'dist/models/ready/card.onnx'));
  await start();
  expect(runs()).toBe(2);
  write('models/card.json', ['{ "changed": true }']);
  await start();
  await start();
  expect(runs()).toBe(3);
  write('src/models/ready-models.ts', ['']);
  await start();
  expect(runs()).toBe(4);
});

test('where they cannot be prepared the reason is said, the program starts all the same, and the next start tries again', async () => {
  write('models/card.json', ['faulty']);
  expect((await start()).stderr).toContain('the card is faulty');
  await start();
  expect(runs()).toBe(2);
});
