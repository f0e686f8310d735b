// The folders of one run of the tests, and the program that removes them and ends what the run has started, however the
// run itself ends.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory. */
const IN_MEMORY = '/dev/shm';
/** A run takes less than half of it: a few databases of 20 MB at a time, and the log of PostgreSQL. */
const NEEDED_BYTES = 2 ** 31;

/**
 * Makes the folders and starts the keeper.
 * @returns {{ environment: NodeJS.ProcessEnv, end: () => Promise<number> }} `environment` is for everything that the run
 *   starts; `end` gives 0, or 1 where a test has left a program behind
 */
export function openRun() {
  const database = mkdtempSync(join(quickFolder(), 'analytics-test-'));
  const files = mkdtempSync(join(realpathSync(tmpdir()), 'analytics-test-'));
  // Root's tests start programs as an ordinary user, who has to reach their files.
  chmodSync(files, 0o711);
  const id = randomUUID();
  const environment = {
    ...process.env,
    TEST_RUN: id,
    TEST_CLUSTER_DIR: database,
    TEST_TEMPLATE: `analytics_test_template_${process.pid}`,
    // Where tests make their files: a run that is killed removes none of them itself.
    TMPDIR: files,
  };
  // Its standard input ends with this process, for whatever reason that ends.
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.mjs'), id, database, files], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => keeper.once('exit', (code) => resolve(code ?? 1)));
  return {
    environment,
    end() {
      keeper.stdin?.end('finished');
      return ended;
    },
  };
}

/** A copy of a database has a thousand files: making them in memory takes a third of the time that a disk takes. */
function quickFolder() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= NEEDED_BYTES) return IN_MEMORY;
  } catch {
    // Not Linux.
  }
  return tmpdir();
}
