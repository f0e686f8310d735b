import { expect, test } from '@jest/globals';
import { nameProcessor, thisProcessor } from '../../../src/platform/processes/processor.ts';

const machine = { model: 'AMD EPYC', cores: 2, arch: 'x64', cpuinfo: null as string | null };

test.each([
  [
    'with VNNI',
    { ...machine, cpuinfo: 'processor : 0\nflags\t\t: fpu avx2 avx512f avx512_vnni\nbugs : x\n' },
    'AMD EPYC, 2 cores, x64: AVX2, AVX-512, AVX-512 VNNI',
  ],
  ['without VNNI', { ...machine, cpuinfo: 'flags\t\t: fpu sse avx avx2\n' }, 'AMD EPYC, 2 cores, x64: AVX2'],
  [
    'without these instruction sets',
    { ...machine, cores: 1, cpuinfo: 'flags : fpu sse\n' },
    'AMD EPYC, 1 core, x64: none of the instruction sets that count',
  ],
  [
    'of ARM under Linux',
    { model: '', cores: 4, arch: 'arm64', cpuinfo: 'Features\t: fp asimd asimddp i8mm\n' },
    'a processor without a name, 4 cores, arm64: DotProd, I8MM',
  ],
  [
    'without /proc/cpuinfo',
    { ...machine, model: 'Apple M2', cores: 8, arch: 'arm64' },
    'Apple M2, 8 cores, arm64: instruction sets unknown',
  ],
])('a processor %s is named in one line', (_, described, expected) => {
  expect(nameProcessor(described)).toBe(expected);
});

test('the processor of this machine has such a name', () => {
  expect(thisProcessor()).toMatch(/, \d+ cores?, \w+: /);
});
