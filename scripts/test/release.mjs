// `npm run test:release`: everything that guards a release, one step after the other. It goes on after a step that failed.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HELP = `npm run test:release

Runs, one after the other: the lint, npm test, the files test/**/*.release.ts, each file that tries more in this tier once
more (1,000 cases for each property, every ffmpeg, every look of a screen), and the pictures of every screen, in
.data/screenshots, which somebody looks at.
  PROPERTY_SEED=N  repeats the cases of one seed; each run prints its own
`;
const PROPERTY_CASES = 1000;
/** What a test file names that tries more with so many cases: test/support/thorough.ts. */
const TRIES_MORE = /support\/(property|thorough)\.ts'|EACH_FFMPEG|checkLooks|checkAccessible/;

if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
  process.exit();
}
const seed = process.env.PROPERTY_SEED ?? String(randomInt(1, 2 ** 31));
const properties = { PROPERTY_CASES: String(PROPERTY_CASES), PROPERTY_SEED: seed };

/** @type {[name: string, command: string[], environment?: Record<string, string>][]} */
const steps = [
  ['lint', ['npm', 'run', '-s', 'lint']],
  ['npm test', ['npm', 'test']],
  ['release tests', ['npm', 'test', '--', 'test'], { TEST_TIER: 'release', ...properties }],
  [
    `more of the same: ${PROPERTY_CASES} cases, PROPERTY_SEED=${seed}, every ffmpeg, every look`,
    ['npm', 'test', '--', ...filesThatTryMore()],
    properties,
  ],
  ['screenshots', ['npm', 'run', '-s', 'screenshots']],
];
const told = [];
for (const [name, command, environment] of steps) {
  process.stdout.write(`\n# ${name}\n`);
  const startedMs = performance.now();
  const exitCode = await run(command, environment);
  if (exitCode !== 0) process.exitCode = 1;
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1).padStart(6);
  told.push(`${minutes} min  ${exitCode === 0 ? 'green ' : 'FAILED'}  ${name}`);
}
process.stdout.write(`\n${told.join('\n')}\n`);

/** @throws Error where there are none: without a path `npm test` would run every test */
function filesThatTryMore() {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path))
    .filter((path) => TRIES_MORE.test(readFileSync(path, 'utf8')));
  if (files.length === 0) throw new Error('No test file tries more with PROPERTY_CASES.');
  return files;
}

/** @param {string[]} command @param {Record<string, string>} [environment] @returns {Promise<number>} */
function run([program = '', ...args], environment = {}) {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
