// `npm test`: the type check and every test, at the same time. With arguments it is Jest alone, for single files.
import { spawn } from 'node:child_process';

const INCREMENTAL = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
const jestArguments = process.argv.slice(2);

/** @returns the exit code; 1 where a signal ended the program */
function run(/** @type {string[]} */ ...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const exitCodes = await Promise.all([
  run('node_modules/jest/bin/jest.js', '-c', '.config/jest.config.mjs', ...jestArguments),
  jestArguments.length === 0 && run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', ...INCREMENTAL),
]);
process.exitCode = exitCodes.find((code) => code) || 0;
