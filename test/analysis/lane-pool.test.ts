import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LanePool } from '../../src/analysis/lane-pool.ts';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { networkPolicy } from '../../src/devices/stream-policy.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { DEFAULT_MODEL } from '../../src/vision/detect/card.ts';
import { eventually } from '../support/eventually.ts';

const nothing = () => undefined;
const config = loadConfig({});
const pool = new LanePool({
  lanes: 2,
  lane: {
    model: DEFAULT_MODEL,
    attributeModels: [],
    modelsDir: MODELS_DIR,
    cacheDir: config.modelCacheDir,
    threads: 1,
    executionProvider: 'cpu',
    network: networkPolicy(config),
    watchdogMs: 20_000,
    clockOffsetMs: 0,
  },
  silenceMs: 60_000,
  log: createLogger({ level: 'silent', program: 'test' }),
  listener: {
    wanted: () => null,
    onObservations: nothing,
    onPeople: nothing,
    onCheckpoint: nothing,
    onStats: nothing,
    onStream: nothing,
    onRunEnded: nothing,
    onCrashLimit: nothing,
    onChild: nothing,
  },
});

let firstMs: number;
beforeAll(async () => {
  ({ msPerFrame: firstMs } = await pool.start());
}, 120_000);
afterAll(() => pool.stop());

test('real lanes are measured again, all of them together, as often as asked', async () => {
  expect(firstMs).toBeGreaterThan(0);
  const first = await eventually('both lanes are ready', () => pool.measure(), 60);
  const second = await pool.measure();
  for (const rate of [first, second]) {
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  expect(pool.cameras).toBe(0);
}, 120_000);

test('a pool that ends leaves no measurement waiting', async () => {
  const measured = pool.measure();
  await pool.stop();
  await measured;
  expect(await pool.measure()).toBeNull();
}, 30_000);
