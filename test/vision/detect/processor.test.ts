import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { overflowsInEightBits } from '../../../src/vision/detect/processor.ts';

test.each([
  ['x64', 'flags\t\t: fpu avx2 avx512_vnni amx', false],
  ['x64', 'flags\t\t: fpu avx2 avx_vnni', false],
  ['x64', 'flags\t\t: fpu avx2 avx512f', true],
  ['x64', '', true],
  ['arm64', 'Features\t: fp asimd', false],
])('%s with "%s"', async (arch, text, overflows) => {
  const file = join(await mkdtemp(join(tmpdir(), 'cpu-')), 'cpuinfo');
  await writeFile(file, text);
  expect(await overflowsInEightBits(arch, file)).toBe(overflows);
});

test('a processor nobody describes', async () => {
  expect(await overflowsInEightBits('x64', '/no/such/file')).toBe(true);
});
