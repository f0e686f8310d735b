import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LanePool } from '../../src/lanes/lane-pool.ts';
import type { CameraStats, LaneCamera, LaneScene, RunObservation } from '../../src/lanes/lane-protocol.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { WHOLE_PICTURE } from '../../src/vision/region.ts';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import { eventually } from '../support/eventually.ts';
import { laneCamera, laneOptions } from '../support/lane.ts';

// A lane process with the real detector and the real ffmpeg, which looks at the simulated shop.

const nothing = () => undefined;
/** All of a picture of 16:9. */
const LARGEST = { width: 512, height: 288 };
/** The same for a device of high accuracy. */
const LARGER = { width: 640, height: 384 };
const WHOLE = { region: WHOLE_PICTURE, size: LARGEST };

/** A scene whose queue fills a rectangle. */
const scene = (name: string, [left, top, right, bottom]: [number, number, number, number]): LaneScene => ({
  ...{ sceneId: name, runId: name, checkpoint: null },
  config: sceneConfigSchema.parse({
    zones: {
      queueZone: {
        type: 'polygon',
        points: [
          [left, top],
          [right, top],
          [right, bottom],
          [left, bottom],
        ],
      },
    },
    parameters: {},
  }),
});

const shop = (deviceId: string, scenes: readonly LaneScene[]): LaneCamera => ({
  ...laneCamera(deviceId, 'sim:shop?seed=1&start=120'),
  ...{ analysisRegion: 'zones', scenes },
});

const QUARTER = scene('quarter', [0.3, 0.5, 0.8, 1]);
const EDGE = scene('edge', [0.65, 0.45, 1, 0.9]);
const EVERYTHING = scene('everything', [0, 0, 1, 1]);
/** The same shop and zone without a smaller network, to compare with. */
const COMPARED: LaneScene = { ...QUARTER, sceneId: 'compared', runId: 'compared' };
const requested = new Map<string, LaneCamera>([
  ['quarter', shop('quarter', [QUARTER])],
  ['edge', shop('edge', [EDGE])],
  ['everything', shop('everything', [EVERYTHING])],
  ['sharp', { ...shop('sharp', [{ ...QUARTER, sceneId: 'sharp', runId: 'sharp' }]), accuracy: 'high' }],
  ['compared', { ...shop('compared', [COMPARED]), analysisRegion: 'whole' }],
]);
const stats = new Map<string, CameraStats>();
const newest = new Map<string, RunObservation>();
const ended: string[] = [];
/** Visits that were open in one frame, and in the next one neither open nor changed. */
const vanished: string[] = [];

function seen(run: RunObservation): void {
  const known = new Set([...run.openVisits, ...run.observation.changes].map(({ id }) => id));
  for (const { id } of newest.get(run.runId)?.openVisits ?? [])
    if (!known.has(id)) vanished.push(`${run.runId} ${id}`);
  newest.set(run.runId, run);
}

const pool = new LanePool({
  lanes: 1,
  lane: laneOptions(loadConfig({})),
  silenceMs: 60_000,
  log: createLogger({ level: 'silent', program: 'test' }),
  onChild: nothing,
});
pool.connect({
  requestedCamera: (deviceId) => requested.get(deviceId) ?? null,
  onObservations: (runs) => runs.forEach(seen),
  onPeople: nothing,
  onRecorded: nothing,
  onCheckpoint: nothing,
  onStats: (one) => stats.set(one.deviceId, one),
  onStream: nothing,
  onRunEnded: ({ runId }) => ended.push(runId),
  onLivePicture: nothing,
  onCrashLimit: nothing,
});

beforeAll(() => pool.start());
afterAll(() => pool.stop());

const analysed = (deviceId: string) => stats.get(deviceId)?.analysed ?? null;
const openIn = (runId: string) => newest.get(runId)?.observation.open.queued ?? 0;
/** Both look at the same shop, each at moments of its own. */
const countsAgree = () => openIn('quarter') > 0 && openIn('quarter') === openIn('compared');

test('a lane analyses a quarter of the picture with a smaller network, and all of it from the first frame with other zones on', async () => {
  for (const deviceId of requested.keys()) pool.put(deviceId);
  await eventually('all are analysed', () =>
    [...requested.keys()].every((id) => newest.has(id) && analysed(id)),
  );
  for (const deviceId of requested.keys())
    expect(analysed(deviceId)).toEqual(deviceId === 'sharp' ? { ...WHOLE, size: LARGER } : WHOLE);

  const isSmaller = (id: string) => analysed(id)?.size.width !== LARGEST.width && analysed(id);
  const part = await eventually('a smaller network looks at the quarter', () => isSmaller('quarter'));
  expect(part.size).toEqual({ width: 384, height: 288 });
  expect(part.region).toMatchObject({ top: 0, width: 0.75, height: 1 });
  expect(part.region.left).toBeGreaterThan(0);
  expect(part.region.left).toBeLessThan(0.25);
  const atEdge = await eventually('a smaller network looks at the edge', () => isSmaller('edge'));
  expect(atEdge.region.left + atEdge.region.width).toBe(1);
  await eventually('as many wait in the window as in the whole picture', countsAgree);
  const sharp = await eventually('a part of the larger frame is analysed', () => {
    const now = analysed('sharp');
    return now && now.region.width < 1 && now;
  });
  expect(sharp.size.width).toBeGreaterThan(part.size.width);
  expect(sharp.region.left).toBeGreaterThan(0);
  expect(isSmaller('quarter')).toBeTruthy();
  expect(analysed('everything')).toEqual(WHOLE);
  expect(analysed('compared')).toEqual(WHOLE);

  const beside = { ...EVERYTHING, sceneId: 'beside', runId: 'beside' };
  requested.set('quarter', shop('quarter', [QUARTER, beside]));
  pool.put('quarter');
  await eventually('the other scene is analysed', () => newest.has('beside'));
  stats.delete('quarter');
  await eventually('the next statistics', () => stats.has('quarter'));
  expect(analysed('quarter')).toEqual(WHOLE);
  await eventually('as many wait as without a change', countsAgree);
  expect(vanished).toEqual([]);
  expect(ended).toEqual([]);
});
