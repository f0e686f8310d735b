// Once before all tests: our code as JavaScript, which test files import and start (jest-loader.mjs). And a folder for
// the PostgreSQL that test/support/cluster.ts starts when a test asks for it, and what ends it. That is a small shell
// that waits for the end of its standard input, which only this process holds open: so nothing stays behind, however the
// tests end (Ctrl-C and SIGKILL too).
import { spawn } from 'node:child_process';
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTree } from '../scripts/build/build-tree.mjs';

const END = `
cat > /dev/null
server=$(head -n 1 "$1/postgres/postmaster.pid" 2> /dev/null) && kill -INT "$server" 2> /dev/null &&
  while kill -0 "$server" 2> /dev/null; do sleep 0.05; done
rm -rf "$1"`;

/** Linux's folder in memory. */
const IN_MEMORY = '/dev/shm';
/** A run takes less than half of it: a few databases of 20 MB at a time, and the log of PostgreSQL. */
const NEEDED_BYTES = 2 ** 31;

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

/** Converts the models that lanes use by default, where that was not done on this machine: else each Jest worker would. */
async function convertModels(/** @type {string} */ tree) {
  const { loadConfig } = await import(`${tree}/src/platform/config.js`);
  const { DEFAULT_MODEL, readDetectorCard } = await import(`${tree}/src/models/cards.js`);
  const { convertSizes } = await import(`${tree}/src/models/load-detector.js`);
  const { prepareAttributeModels } = await import(`${tree}/src/models/load-attribute-models.js`);
  const { modelsDir, modelCacheDir: cacheDir, attributeModels } = loadConfig({});
  await convertSizes(await readDetectorCard(modelsDir, DEFAULT_MODEL), { modelsDir, cacheDir });
  await prepareAttributeModels(attributeModels, { modelsDir, cacheDir });
}

export default async function setup({ testPathPatterns }) {
  process.env.TEST_TREE = buildTree();
  // A single file may need no model.
  if (testPathPatterns.patterns.length === 0) await convertModels(process.env.TEST_TREE);
  process.env.TEST_TEMPLATE = `analytics_test_template_${process.pid}`;
  if (process.env.TEST_DATABASE_URL) return;
  const folder = mkdtempSync(join(quickFolder(), 'analytics-test-'));
  process.env.TEST_CLUSTER_DIR = folder;
  const keeper = spawn('sh', ['-c', END, 'test-cluster-keeper', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  keeper.stdin.unref();
  globalThis.endTestCluster = () =>
    new Promise((resolve) => {
      keeper.once('exit', resolve);
      keeper.ref();
      keeper.stdin.end();
    });
}
