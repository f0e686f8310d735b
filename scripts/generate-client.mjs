// Generates the Prisma client when the schema or Prisma itself has changed since the last time. Quick when not: every
// program's pre-script runs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const path = (/** @type {string} */ relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const CLIENT = path('src/platform/prisma-client');
const STAMP = `${CLIENT}/.stamp`;

const fingerprint = createHash('sha256')
  .update(readFileSync(path('prisma/schema.prisma')))
  .update(require('prisma/package.json').version)
  .update(require('@prisma/client/package.json').version)
  .digest('hex');

function stamped() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return '';
  }
}

if (stamped() !== fingerprint) {
  process.stderr.write('Making the database client …\n');
  const cli = require.resolve('prisma/build/index.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate'], {
    cwd: path('.'),
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
    encoding: 'utf8',
  });
  if (status === 0) {
    mkdirSync(CLIENT, { recursive: true });
    writeFileSync(STAMP, fingerprint);
  } else {
    process.stderr.write(
      `${stdout}${stderr}\nThe Prisma client could not be generated from prisma/schema.prisma.\n`,
    );
    process.exitCode = 1;
  }
}
