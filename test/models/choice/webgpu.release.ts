import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measureInProcess } from '../../../src/models/choice/measuring-process.ts';
import { testsOnCard } from '../../support/networks/emulated-card.ts';
import { writeSmallDetector } from '../../support/networks/small-detector.ts';

const { onCard, env } = await testsOnCard();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webgpu-'));
  await writeSmallDetector(folder, 'small');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const request = (detectors: readonly string[]) => ({
  ...{ executionProvider: 'webgpu' as const, detectors, cropNetworks: [], threads: 1 },
  ...{ modelsDir: folder, cacheDir: folder },
});

onCard('a network gives the same outputs on a graphics card, whose name is known', async () => {
  const measured = await measureInProcess(request(['small']), { allowEmulated: true, env });
  expect(measured).toEqual({
    adapter: expect.stringMatching(/SwiftShader/),
    networks: { detectors: { small: expect.objectContaining({ ms: expect.any(Number) }) }, cropNetworks: {} },
  });
});

onCard('an emulated graphics card is not measured unless the operator asks for it', async () => {
  expect(await measureInProcess(request(['small']), { env })).toEqual({
    reason: expect.stringMatching(/^the only adapter, SwiftShader.*, is emulated by the CPU$/),
  });
});

test('without a driver the reason is a sentence', async () => {
  const none = { ...process.env, VK_DRIVER_FILES: join(folder, 'none.json'), LD_LIBRARY_PATH: '' };
  const measured = await measureInProcess(request([]), { env: none });
  expect(measured).toEqual({
    ...{ reason: expect.stringMatching(/adapter|does not run with webgpu/), isUnopened: true },
  });
});

test('a measurement that hangs ends at its limit', async () => {
  expect(await measureInProcess(request(['small']), { limitMs: 1, env })).toEqual({
    reason: 'it took longer than 0.001 s to measure it',
  });
});
