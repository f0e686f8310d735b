import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { networkPolicy } from '../../src/devices/camera-network.ts';
import { LanePool } from '../../src/lanes/lane-pool.ts';
import type { LaneCamera } from '../../src/lanes/lane-protocol.ts';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { parametersSchema } from '../../src/vision/scene-config.ts';
import { eventually } from '../support/eventually.ts';

const nothing = () => undefined;
const config = loadConfig({});
let requested: LaneCamera | null = null;
const reports: string[] = [];
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
    minAnalysisFps: 2,
    clockOffsetMs: 0,
  },
  silenceMs: 60_000,
  log: createLogger({ level: 'silent', program: 'test' }),
  onChild: nothing,
});
pool.connect({
  requestedCamera: () => requested,
  onObservations: nothing,
  onPeople: nothing,
  onCheckpoint: nothing,
  onStats: nothing,
  onStream: ({ event, faultReason, message }) => reports.push(`${event} ${faultReason}: ${message}`),
  onRunEnded: ({ runId }) => reports.push(`${runId} ended`),
  onCrashLimit: nothing,
});

let firstMs: number;
beforeAll(async () => {
  ({ msPerFrame: firstMs } = await pool.start());
}, 120_000);
afterAll(() => pool.stop());

test('real lanes can be measured together again and again', async () => {
  expect(firstMs).toBeGreaterThan(0);
  const first = await eventually('both lanes are ready', () => pool.measure(), 60);
  const second = await pool.measure();
  for (const rate of [first, second]) {
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  expect(pool.cameras).toBe(0);
}, 120_000);

test('a camera whose address is outside its user’s networks ends its run and reports the reason', async () => {
  requested = {
    deviceId: 'outside',
    url: 'rtsp://user:secret@10.8.0.1/live',
    networks: ['10.9.0.0/16'],
    fps: 5,
    attributes: false,
    scenes: [
      {
        sceneId: 'scene',
        runId: 'run',
        config: { zones: JSON.parse(JSON.stringify(SHOP_ZONES)), parameters: parametersSchema.parse({}) },
        checkpoint: null,
      },
    ],
  };
  pool.put('outside');
  await eventually('the run ends', () => reports.includes('run ended'), 60);
  expect(reports[0]).toMatch(
    /^failed address_not_allowed: rtsp:\/\/\S*10\.8\.0\.1\S* may not lead to 10\.8\.0\.1: it lies in none of the networks that are allowed here\.$/,
  );
  expect(reports.join()).not.toContain('secret');
  requested = null;
  pool.put('outside');
}, 120_000);

test('a worker that was frozen gives its lanes the whole allowed time again; a lane without messages is replaced', async () => {
  const lanes = pool.pids;
  const frozenUntilMs = performance.now() + 90_000;
  pool.endStuck(frozenUntilMs);
  for (const laterMs of [20_000, 40_000, 59_000]) pool.endStuck(frozenUntilMs + laterMs);
  // A killed lane is gone within milliseconds; the next message of a living lane takes longer.
  await pool.measure();
  expect(pool.pids).toEqual(lanes);
  const startMs = performance.now();
  for (const laterMs of [0, 20_000, 40_000, 61_000]) pool.endStuck(startMs + laterMs);
  const areReplaced = () => pool.pids.length === 2 && !pool.pids.some((pid) => lanes.includes(pid));
  await eventually('both lanes are replaced', areReplaced, 60);
}, 120_000);

test('a pool that stops answers its waiting measurements', async () => {
  const measured = pool.measure();
  await pool.stop();
  await measured;
  expect(await pool.measure()).toBeNull();
}, 30_000);
