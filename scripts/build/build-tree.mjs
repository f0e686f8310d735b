// Makes JavaScript of src, models and scripts, for tests and the demo: the programs that they start, and what tests import, are ready at once.
// A tree is made once for each state of the sources, and never changed.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from './bundle-programs.mjs';

const PROJECT = join(import.meta.dirname, '../..');
const TREES = join(PROJECT, 'dist/test');
const SOURCES = ['src', 'models', 'scripts'];
/** They are no part of a tree, as .config/tsconfig.build.json says. */
const OTHER_PROGRAMS = /^src\/(page|client)\//;
const FILES = [
  ...['package-lock.json', 'tsconfig.json', '.config/tsconfig.build.json'],
  ...['scripts/build/build-tree.mjs', 'scripts/build/bundle-programs.mjs'],
];
/** Longer than any run of tests, which keeps the tree that it began with. The demo, which may run for days, touches its tree. */
const KEPT_MS = 2 * 3600_000;

/**
 * @param {() => void} [onBuild] is called before a tree is made, which takes seconds
 * @returns {Promise<string>} the folder of the tree, which has `src`, `models` and `scripts`
 */
export async function buildTree(onBuild) {
  const tree = join(TREES, fingerprint());
  if (!existsSync(tree)) {
    onBuild?.();
    removeOldTrees();
    const draft = join(TREES, `draft-${randomUUID()}`);
    try {
      transpile(draft);
      await bundlePrograms(draft, tree);
      renameSync(draft, tree);
    } catch (error) {
      // Another run was quicker; both made the same.
      if (!existsSync(tree)) throw error;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  const now = new Date();
  utimesSync(tree, now, now);
  return tree;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const name of FILES) hash.update(readFileSync(join(PROJECT, name)));
  for (const path of treeSources()) hash.update(`${path}\n`).update(readFileSync(join(PROJECT, path)));
  return hash.digest('hex').slice(0, 16);
}

/** @returns {string[]} the paths of what becomes JavaScript in a tree */
export const treeSources = () =>
  SOURCES.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  )
    .filter((path) => path.endsWith('.ts') && !OTHER_PROGRAMS.test(path))
    .sort();

/** Without types, as `npm run build`; they are checked by `npm test` itself. */
function transpile(/** @type {string} */ folder) {
  const tsc = join(PROJECT, 'node_modules/typescript-7/bin/tsc');
  const project = join(PROJECT, '.config/tsconfig.build.json');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, '-p', project, '--outDir', folder, '--noEmitOnError'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`src, models and scripts could not be translated:\n${stdout}${stderr}`);
}

function removeOldTrees() {
  mkdirSync(TREES, { recursive: true });
  for (const name of readdirSync(TREES)) {
    const path = join(TREES, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
