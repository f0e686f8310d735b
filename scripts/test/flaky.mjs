// `npm run test:flaky -- [PATH …] --times 20`: runs test files again and again, in another order each time and on a busy
// machine, and lists what failed.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readResults } from './results.mjs';

const HELP = `npm run test:flaky -- [PATH …] [--times 20] [--quiet] [--seed N]

Runs the test files below PATH (all where none is given) several times, in random order, and lists what failed.
  --times N  how often (default 20)
  --quiet    leaves the other cores alone; otherwise each core has a program that never rests
  --seed N   the order of the first run; each run prints its own
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    seed: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}
const [times, firstSeed] = [values.times, values.seed ?? String(randomInt(1, 2 ** 31))].map(Number);
if (!(Number.isInteger(times) && times > 0 && Number.isInteger(firstSeed))) {
  process.stderr.write(`--times and --seed are whole numbers.\n\n${HELP}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'flaky-'));
const busy = values.quiet ? [] : Array.from({ length: availableParallelism() }, keepBusy);
/** How often each test failed. @type {Map<string, number>} */
const failures = new Map();
let failedRuns = 0;
try {
  for (let run = 1; run <= times; run += 1) {
    const seed = firstSeed + run - 1;
    process.stdout.write(`Run ${run} of ${times}, --seed ${seed}\n`);
    const results = join(folder, `${run}.json`);
    if ((await runTests(seed, results)) === 0) continue;
    failedRuns += 1;
    for (const name of failedIn(results)) failures.set(name, (failures.get(name) ?? 0) + 1);
  }
} finally {
  for (const child of busy) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${times - failedRuns} of ${times} runs were green.\n`);
for (const [name, count] of [...failures].sort(([, one], [, other]) => other - one))
  process.stdout.write(`${String(count).padStart(4)} x  ${name}\n`);
process.exitCode = failedRuns > 0 ? 1 : 0;

function keepBusy() {
  const program = join(import.meta.dirname, 'busy.mjs');
  return spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'] });
}

/** @param {number} seed @param {string} results @returns {Promise<number>} the exit code */
function runTests(seed, results) {
  const env = { ...process.env, TEST_SEED: String(seed), TEST_RESULTS: results };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test.mjs'), ...positionals], {
    env,
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** @param {string} path @returns {string[]} names of tests, and of files that could not be run */
function failedIn(path) {
  const results = readResults(path);
  if (!results) return ['(the run was cut short)'];
  const failed = results.files.flatMap((file) => file.failed.map((name) => `${file.path}: ${name}`));
  return failed.length > 0 ? failed : ['(no test, but the run: see above)'];
}
