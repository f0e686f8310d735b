import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../src/platform/project.ts';

test('the demo tells a wrong option before it builds the programs of changed sources', async () => {
  // A clone in which nothing can be built.
  const clone = await mkdtemp(join(tmpdir(), 'clone-'));
  try {
    for (const path of ['package.json', 'scripts/build', 'scripts/demo/command.ts'])
      await cp(join(PROJECT, path), join(clone, path), { recursive: true });
    await symlink(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
    const args = ['--import', 'tsx', 'scripts/build/run-built.mjs', 'demo', '--sorce', 'shop.mp4'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    expect([status, stderr.split('\n')[0]]).toEqual([1, "error: unknown option '--sorce'"]);
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
});
