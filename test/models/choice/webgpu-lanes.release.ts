import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { LanePool, type PoolListener } from '../../../src/lanes/lane-pool.ts';
import type { RunObservation } from '../../../src/lanes/lane-protocol.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { laneCamera, laneOptions } from '../../support/lane.ts';
import { testsOnCard } from '../../support/networks/emulated-card.ts';
import { writeSmallDetector } from '../../support/networks/small-detector.ts';

const { onCard, env } = await testsOnCard();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webgpu-lanes-'));
  await writeSmallDetector(folder, 'small');
  await writeSmallDetector(folder, 'fails-on-bright', true);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lanes that see the emulated card. `end` also restores the environment. */
function lanesOnCard(model: string, batchSize: number, listener: Partial<PoolListener>) {
  const { VK_DRIVER_FILES, LD_LIBRARY_PATH } = env;
  const before = { ...process.env };
  Object.assign(process.env, { VK_DRIVER_FILES, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) });
  const pool = new LanePool({
    lanes: 1,
    lane: {
      ...laneOptions(loadConfig({})),
      ...{ model, batchSize, modelsDir: folder, cacheDir: folder, executionProvider: 'webgpu' },
    },
    silenceMs: 60_000,
    log: createLogger({ level: 'silent', program: 'test' }),
    onChild: () => undefined,
  });
  const nothing = () => undefined;
  pool.connect({
    ...{ onObservations: nothing, onPeople: nothing, onRecorded: nothing, onCheckpoint: nothing },
    ...{ onStats: nothing, onStream: nothing, onLivePicture: nothing, onCrashLimit: nothing },
    ...{ onRunEnded: nothing, requestedCamera: (deviceId) => laneCamera(deviceId, 'sim:shop'), ...listener },
  });
  const end = async () => {
    await pool.stop();
    process.env = before;
  };
  return { pool, end };
}

onCard('frames of several cameras share runs, and each camera gets what is in its own frames', async () => {
  const cameras = ['a', 'b', 'c'];
  const seen = new Map<string, unknown[]>();
  const onObservations = (runs: readonly RunObservation[]) => {
    for (const { runId, observation } of runs)
      seen.set(runId, [...(seen.get(runId) ?? []), observation.tracks.length]);
  };
  const { pool, end } = lanesOnCard('small', 4, { onObservations });
  try {
    expect(await pool.start()).toMatchObject({ executionProvider: 'webgpu', fallback: null });
    for (const camera of cameras) pool.put(camera);
    const runs = cameras.map((camera) => `run of ${camera}`);
    await eventually('each camera has frames', () => runs.every((run) => (seen.get(run)?.length ?? 0) > 5));
    // The small network finds one person in every frame.
    for (const run of runs) expect(new Set(seen.get(run)!.slice(2))).toEqual(new Set([1]));
  } finally {
    await end();
  }
});

onCard('a card that is lost replaces the lane; lost again, the lanes go on with the CPU', async () => {
  const onCrashLimit = jest.fn();
  const { pool, end } = lanesOnCard('fails-on-bright', 1, { onCrashLimit });
  try {
    const ready = await pool.start();
    expect(ready).toMatchObject({ executionProvider: 'webgpu', fallback: null });
    expect(pool.provider).toEqual({ executionProvider: 'webgpu', reason: null });
    const [first] = pool.pids;
    pool.put('bright');
    await eventually('the lane is replaced', () => pool.pids.length === 1 && pool.pids[0] !== first);
    await eventually('the CPU takes over', () => pool.provider.executionProvider === 'cpu');
    expect(pool.provider.reason?.sentence).toMatch(
      /^The GPU failed again and again \(its GPU failed: .+\): this node uses the CPU/,
    );
    expect(pool.provider.reason?.cause).toMatchObject({ code: 'gpu_failed', detail: expect.any(String) });
    expect(onCrashLimit).not.toHaveBeenCalled();
  } finally {
    await end();
  }
});
