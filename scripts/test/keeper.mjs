// Waits for the end of a run of the tests. Then it ends the run's PostgreSQL and whatever else the run has started, and
// removes its folders. Its standard input is a pipe of the run: "finished" says that the run came to its own end.
//
// usage: keeper.mjs RUN DATABASE_FOLDER FILES_FOLDER
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const [run = '', databaseFolder = '', filesFolder = ''] = process.argv.slice(2);
/** Programs that end by themselves after their test, a browser for example, are given this time on a busy machine. */
const GRACE_SECONDS = 60;

// A terminal sends Ctrl-C to everything that runs in it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

const isFinished = (await text(process.stdin).catch(() => '')) === 'finished';
await endDatabase();
/** @type {string[]} */
let left = [];
for (let second = 0; isFinished && second < GRACE_SECONDS; second += 1) {
  left = programsOfRun().map(({ command }) => command);
  if (left.length === 0) break;
  await pause(1000);
}
// Again and again: what is ended may have started something a moment before.
for (let found = programsOfRun(); found.length > 0; found = programsOfRun()) {
  for (const { pid } of found) kill(pid, 'SIGKILL');
  await pause(50);
}
for (const folder of [databaseFolder, filesFolder])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
if (left.length > 0) {
  process.stderr.write(`Tests left programs behind, which were ended:\n${left.join('\n')}\n`);
  process.exitCode = 1;
}

/** Ends the server and its connections at once; a SIGKILL would leave its shared memory. */
async function endDatabase() {
  let pid;
  try {
    pid = Number(readFileSync(join(databaseFolder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return; // No test has needed one.
  }
  kill(pid, 'SIGQUIT');
  while (kill(pid, 0)) await pause(50);
}

/**
 * What carries the id of the run in its environment, or its folder where a test has given a program an environment of its
 * own. Only Linux shows environments of other programs.
 */
function programsOfRun() {
  return ids().flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (![`TEST_RUN=${run}\0`, `${filesFolder}/`].some((mark) => environment.includes(mark))) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200);
      // A program that has ended and was not waited for has no command line.
      return command === '' ? [] : [{ pid, command }];
    } catch {
      return []; // It has ended, or is not ours.
    }
  });
}

function ids() {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

/** @param {number} pid @param {NodeJS.Signals | 0} signal @returns whether there is such a program */
function kill(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
