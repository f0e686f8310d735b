// Makes the models that come with npm packages ready where that was not done since they, or the tools, changed. Quick when not:
// the pre-scripts of all programs that start a worker run it. Killed at any line, it begins again where it was; two at once do
// the same work, and neither reads a part of what the other writes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROJECT = join(import.meta.dirname, '..');
const READY = join(PROJECT, 'dist/models/ready');
const STAMP = join(READY, '.stamp');

/** @returns whether the models are ready; where not, the reason is on standard error */
export function prepareEmbedded() {
  const fingerprint = fingerprintOfSources();
  if (isStamped(fingerprint)) return true;
  // A program that uses other models needs none of these, and one that uses them says which it misses.
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'models/embedded.ts'], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) return false;
  const files = readdirSync(READY).filter((name) => name.endsWith('.onnx'));
  const draft = `${STAMP}.${process.pid}.partial`;
  writeFileSync(draft, [fingerprint, ...files].join('\n'));
  renameSync(draft, STAMP);
  return true;
}

function isStamped(/** @type {string} */ fingerprint) {
  if (!existsSync(STAMP)) return false;
  const [stamped, ...files] = readFileSync(STAMP, 'utf8').split('\n');
  return stamped === fingerprint && files.every((name) => existsSync(join(READY, name)));
}

/** Cards and ranges, the tools, and what the service says of ready files. */
function fingerprintOfSources() {
  const hash = createHash('sha256');
  for (const folder of ['models', 'src/models']) {
    const names = readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((each) => /\.(ts|json)$/.test(each)).sort())
      hash.update(`${folder}/${name}\n`).update(readFileSync(join(PROJECT, folder, name)));
  }
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) prepareEmbedded();
