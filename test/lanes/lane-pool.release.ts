import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LanePool } from '../../src/lanes/lane-pool.ts';
import type { LaneCamera } from '../../src/lanes/lane-protocol.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { eventually } from '../support/eventually.ts';
import { laneCamera, laneOptions } from '../support/lane.ts';

const nothing = () => undefined;
let requested: LaneCamera | null = null;
const reports: string[] = [];
const pool = new LanePool({
  lanes: 2,
  lane: laneOptions(loadConfig({})),
  silenceMs: 60_000,
  log: createLogger({ level: 'silent', program: 'test' }),
  onChild: nothing,
});
pool.connect({
  requestedCamera: () => requested,
  onObservations: nothing,
  onPeople: nothing,
  onRecorded: nothing,
  onCheckpoint: nothing,
  onStats: nothing,
  onStream: ({ event, faultReason, message }) => reports.push(`${event} ${faultReason}: ${message}`),
  onRunEnded: ({ runId }) => reports.push(`${runId} ended`),
  onLivePicture: () => undefined,
  onCrashLimit: nothing,
});

let firstMs: number;
beforeAll(async () => {
  ({ msPerFrame: firstMs } = await pool.start());
});
afterAll(() => pool.stop());

test('real lanes can be measured together again and again', async () => {
  expect(firstMs).toBeGreaterThan(0);
  const first = await eventually('both lanes are ready', () => pool.measure());
  const second = await pool.measure();
  for (const rate of [first, second]) {
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  expect(pool.cameras).toBe(0);
});

test('a camera whose address is outside its user’s networks ends its run and reports the reason', async () => {
  requested = laneCamera('outside', 'rtsp://user:secret@10.8.0.1/live', ['10.9.0.0/16']);
  pool.put('outside');
  await eventually('the run ends', () => reports.includes('run of outside ended'));
  expect(reports[0]).toMatch(
    /^failed address_not_allowed: rtsp:\/\/\S*10\.8\.0\.1\S* may not lead to 10\.8\.0\.1: it lies in none of the networks that are allowed here\.$/,
  );
  expect(reports.join()).not.toContain('secret');
  requested = null;
  pool.put('outside');
});

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
  await eventually('both lanes are replaced', areReplaced);
});

test('a pool that stops answers its waiting measurements', async () => {
  const measured = pool.measure();
  await pool.stop();
  await measured;
  expect(await pool.measure()).toBeNull();
});
