import { expect, test } from '@jest/globals';
import type { Binary } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { runToEnd } from '../../../src/video/ffmpeg/run-to-end.ts';

const shell = (script: string, limits: { timeoutMs: number; followsProgress?: boolean }) =>
  runToEnd({ path: '/bin/sh' } as Binary, ['-c', script], { maxOutputBytes: 1_000, ...limits });

test.each([
  ['computes for ever', 'while :; do :; done'],
  ['does nothing', 'exec sleep 1000'],
])('a program that %s is ended by its progress', async (_, script) => {
  const { fault, crashed } = await shell(script, { timeoutMs: 300, followsProgress: true });
  expect({ fault, crashed }).toEqual({ fault: 'timed out', crashed: false });
});

test('a program that comes to its end is left alone', async () => {
  const { stdout, fault } = await shell('echo done', { timeoutMs: 60_000, followsProgress: true });
  expect({ stdout: String(stdout), fault }).toEqual({ stdout: 'done\n', fault: null });
});
