import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { treeMemory } from '../../../scripts/support/tree-memory.ts';

test('the memory of a process and its children is added up, that of ffmpeg apart; a process that is gone has none', async () => {
  const script = `const kept = Buffer.alloc(100_000_000, 1); setInterval(() => kept.length, 1000); console.log('ready');`;
  const nested = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], { stdio: 'inherit' });`;
  const parent = spawn(process.execPath, ['-e', `${nested} setInterval(() => {}, 1000)`], { detached: true });
  await once(parent.stdout, 'data');
  const both = treeMemory(parent.pid!);
  expect(both.programs).toBeGreaterThan(100_000_000);
  expect(both.programs).toBeLessThan(1_000_000_000);
  expect(both.ffmpeg).toBe(0);
  process.kill(-parent.pid!, 'SIGKILL');
  await once(parent, 'exit');
  expect(treeMemory(parent.pid!)).toEqual({ programs: 0, ffmpeg: 0 });
});
