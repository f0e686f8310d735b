// `npm test`: the type check and every test, at the same time. With arguments it is Jest alone, for single files.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** The two programs: the service with its tests, and the page, which runs in browsers. */
const TYPES = { 'tsconfig.json': 'types', 'src/web': 'page-types' };
const jestArguments = process.argv.slice(2);

const jest = start('node_modules/jest/bin/jest.js', '-c', '.config/jest.config.mjs', ...jestArguments);
const running = [jest];
if (jestArguments.length === 0) {
  for (const [project, name] of Object.entries(TYPES)) {
    const kept = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/${name}.tsbuildinfo`];
    const types = start('node_modules/typescript-7/bin/tsc', '-p', project, ...kept);
    // It uses the time in which tests wait, and delays none of them.
    if (types.pid) setPriority(types.pid, constants.priority.PRIORITY_LOW);
    running.push(types);
  }
}
const exitCodes = await Promise.all(running.map(exitCodeOf));
process.exitCode = exitCodes.find((code) => code !== 0) ?? 0;

function start(/** @type {string[]} */ ...args) {
  return spawn(process.execPath, args, { stdio: 'inherit' });
}

/** @returns {Promise<number>} 1 where a signal ended the program */
function exitCodeOf(/** @type {import('node:child_process').ChildProcess} */ child) {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
