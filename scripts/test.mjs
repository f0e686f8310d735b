// `npm test`: the type check and every test, at the same time. With arguments it is Jest alone, for single files.
// A file of the release tier (*.release.ts) is run by its name.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { readResults } from './test/results.mjs';
import { openRun } from './test/run-folders.mjs';

/**
 * For Jest and its workers, which inherit it: room for what tests leave behind. V8 begins with one megabyte and then copies
 * what is alive in it again and again: a seventh of the processor time of a test.
 */
const ROOM = ['--min-semi-space-size=16', '--max-semi-space-size=32'];
/**
 * For the same: V8 optimizes a function after nine times as much work. Most code of a test runs too briefly to give back what
 * its optimization costs: a tenth of the processor time of a test. Later versions of Node have no such option.
 */
const PATIENCE = process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : [];
/** The two programs: the service with its tests, and the page, which runs in browsers. */
const TYPES = { 'tsconfig.json': 'types', 'src/page': 'page-types' };
const SLOWEST = 5;

const asked = process.argv.slice(2);
const startedMs = performance.now();
if (asked.some((path) => path.includes('.release'))) process.env.TEST_TIER = 'release';
const run = openRun();
const resultsFile = process.env.TEST_RESULTS ?? join(run.environment.TMPDIR, 'results.json');

const jest = start([
  ...[...ROOM, ...PATIENCE, 'node_modules/jest/bin/jest.js'],
  ...['-c', '.config/jest.config.mjs', '--json', `--outputFile=${resultsFile}`],
  ...workersFor(asked),
  ...asked,
]);
const types = asked.length === 0 ? Object.entries(TYPES).map(checkTypes) : [];
const exitCodes = await Promise.all([jest, ...types].map(exitCodeOf));
const results = readResults(resultsFile);
const exitCode = [...exitCodes, await run.end()].find((code) => code !== 0) ?? 0;
if (exitCodes.slice(1).some((code) => code !== 0))
  process.stdout.write('\nThe type check failed: see above.\n');
if (results) process.stdout.write(summaryOf(results));
process.exitCode = exitCode;

function start(/** @type {string[]} */ args, environment = {}) {
  return spawn(process.execPath, args, { env: { ...run.environment, ...environment }, stdio: 'inherit' });
}

/** @param {[project: string, name: string]} project */
function checkTypes([project, name]) {
  const kept = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/${name}.tsbuildinfo`];
  // Several threads check many types twice, and Go would collect garbage four times as often: 27 s of processor time instead of 14.
  const command = ['node_modules/typescript-7/bin/tsc', '-p', project, '--singleThreaded', ...kept];
  const child = start(command, { GOGC: '400' });
  // It uses the time in which tests wait, and delays none of them.
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
}

/** No process starts that has no file to run. @param {string[]} args */
function workersFor(args) {
  const areFiles =
    args.length > 0 && args.every((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return areFiles && args.length < 4 ? [`--maxWorkers=${args.length}`] : [];
}

/** @returns {Promise<number>} 1 where a signal ended the program */
function exitCodeOf(/** @type {import('node:child_process').ChildProcess} */ child) {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** @param {NonNullable<ReturnType<typeof readResults>>} results */
function summaryOf({ passed, failed, skipped, files }) {
  const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1).padStart(6)} s`;
  const slowest = [...files].sort((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  return [
    '',
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
    `${seconds(performance.now() - startedMs)}  all together`,
    ...slowest.map(({ path, ms }) => `${seconds(ms)}  ${path}`),
    '',
  ].join('\n');
}
