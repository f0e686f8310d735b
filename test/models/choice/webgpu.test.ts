import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { LanePool } from '../../../src/lanes/lane-pool.ts';
import { measureInProcess } from '../../../src/models/choice/measuring-process.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { testWhere } from '../../support/installed.ts';
import { laneCamera, laneOptions } from '../../support/lane.ts';
import { writeSmallDetector } from '../../support/networks/small-detector.ts';
import { swiftshader } from '../../support/networks/swiftshader.ts';

const emulated = await swiftshader();
if ('reason' in emulated) process.stdout.write(`Tests on a graphics card are skipped: ${emulated.reason}\n`);
const env = 'env' in emulated ? emulated.env : {};
const onCard = testWhere('env' in emulated);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webgpu-'));
  await writeSmallDetector(folder, 'small');
  await writeSmallDetector(folder, 'fails-on-bright', true);
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
    networks: { detectors: { small: { ms: expect.any(Number) } }, cropNetworks: {} },
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
  expect(measured).toEqual({ reason: expect.stringMatching(/adapter|does not run with webgpu/) });
});

test('a measurement that hangs ends at its limit', async () => {
  expect(await measureInProcess(request(['small']), { limitMs: 1, env })).toEqual({
    reason: 'it took longer than 0.001 s to measure it',
  });
});

onCard('a card that is lost replaces the lane; lost again, the lanes go on with the CPU', async () => {
  const { VK_DRIVER_FILES, LD_LIBRARY_PATH } = env;
  const before = { ...process.env };
  Object.assign(process.env, { VK_DRIVER_FILES, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) });
  const camera = laneCamera('bright', 'sim:shop');
  const onCrashLimit = jest.fn();
  const faults: string[] = [];
  const pool = new LanePool({
    lanes: 1,
    lane: {
      ...laneOptions(loadConfig({})),
      ...{ model: 'fails-on-bright', modelsDir: folder, cacheDir: folder, executionProvider: 'webgpu' },
    },
    silenceMs: 60_000,
    log: createLogger({ level: 'silent', program: 'test' }),
    onChild: () => undefined,
  });
  const nothing = () => undefined;
  pool.connect({
    ...{
      onObservations: nothing,
      onPeople: nothing,
      onRecorded: nothing,
      onCheckpoint: nothing,
      onStats: nothing,
    },
    ...{ onLivePicture: nothing, onCrashLimit, onRunEnded: nothing, requestedCamera: () => camera },
    onStream: ({ event }) => faults.push(event),
  });
  try {
    const ready = await pool.start();
    expect(ready).toMatchObject({ executionProvider: 'webgpu', fallback: null });
    expect(pool.provider).toEqual({ executionProvider: 'webgpu', reason: null });
    const [first] = pool.pids;
    pool.put('bright');
    await eventually('the lane is replaced', () => pool.pids.length === 1 && pool.pids[0] !== first);
    await eventually('the CPU takes over', () => pool.provider.executionProvider === 'cpu');
    expect(pool.provider.reason).toMatch(
      /^The GPU failed again and again \(its GPU failed: .+\): this node uses the CPU/,
    );
    expect(onCrashLimit).not.toHaveBeenCalled();
  } finally {
    await pool.stop();
    process.env = before;
  }
});
