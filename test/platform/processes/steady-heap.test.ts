import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { LOADER, programFile } from '../../../src/platform/processes/program-file.ts';

/** One of three objects stays, so that no page is without any; the rest is collected as V8 does it by itself. */
const PROGRAM = `
import { compactHeap } from '${programFile('src/platform/processes/steady-heap.ts')}';
let kept = Array.from({ length: 1_000_000 }, (_, number) => ({ number, list: [number] }));
gc();
gc();
kept = kept.filter(({ number }) => number % 3 === 0);
gc();
gc();
const before = process.memoryUsage().heapTotal;
compactHeap();
console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal, kept: kept.length }));`;

test('compacting the heap returns half-empty pages to the system', async () => {
  const args = ['--expose-gc', ...LOADER, '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, after, kept } = JSON.parse(stdout) as Record<'before' | 'after' | 'kept', number>;
  expect(kept).toBe(333_334);
  expect(after).toBeLessThan(0.8 * before);
});
