import { describe, expect, test } from '@jest/globals';
import { type SceneObservation, ScenePipeline } from '../../src/vision/pipeline.ts';
import type { Detection, SceneConfig } from '../../src/vision/types.ts';
import { rectangle } from '../catalogue/zones/shapes.ts';
import { boxAt, PARAMETERS, ZONES } from './zones/walk.ts';

const CONFIG: SceneConfig = { zones: ZONES, parameters: PARAMETERS };
const PERSON = 0;
const CAR = 2;
const BUS = 5;

const detectionAt = (x: number, classId = PERSON): Detection => ({ box: boxAt(x), score: 0.9, classId });

/** Frames every 200 ms with the same detections. */
function stand(
  scene: ScenePipeline,
  detections: Detection[],
  { fromMs = 0, frames = 20 } = {},
): SceneObservation[] {
  return Array.from({ length: frames }, (_, i) =>
    scene.update(detections, fromMs + i * 200, fromMs / 200 + i),
  );
}

describe('a scene', () => {
  test('turns detections into tracks, zones and visits', () => {
    const scene = new ScenePipeline({ sceneId: 'till-3', config: CONFIG });
    const seen = stand(scene, [detectionAt(0.25), detectionAt(0.8)]);
    const last = seen.at(-1)!;
    expect(last).toMatchObject({
      sceneId: 'till-3',
      timeMs: 3800,
      frameIndex: 19,
      open: { queued: 1, inService: 0 },
    });
    expect(last.tracks.map(({ zone }) => zone)).toEqual(expect.arrayContaining(['queue', null]));
    expect(seen.flatMap(({ changes }) => changes)).toMatchObject([
      { state: 'queued', queueEnteredAtMs: expect.any(Number) },
    ]);
    expect(scene.openVisits).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
  });

  test('measures in whole milliseconds, whatever the rate of the camera', () => {
    const scene = new ScenePipeline({ sceneId: 's', config: CONFIG });
    const startMs = 1_767_225_600_000.3333;
    const seen = Array.from({ length: 200 }, (_, i) =>
      scene.update(i < 150 ? [detectionAt(0.25)] : [], startMs + (i * 1001) / 30, i),
    );
    seen.push(scene.close(startMs + (199 * 1001) / 30));
    const times = seen.flatMap(({ timeMs, changes }) => [
      timeMs,
      ...changes.flatMap(({ queueEnteredAtMs, queueLeftAtMs, arrivalDecidedAtMs, outcomeDecidedAtMs }) => [
        queueEnteredAtMs,
        queueLeftAtMs,
        arrivalDecidedAtMs,
        outcomeDecidedAtMs,
      ]),
    ]);
    expect(times.filter((time) => time !== null && !Number.isInteger(time))).toEqual([]);
    expect(seen.at(-1)!.timeMs).toBe(seen.at(-2)!.timeMs);
  });

  test('uses only detections of its class', () => {
    const visitsOf = (kind: 'person' | 'vehicle', classId: number) => {
      const scene = new ScenePipeline({
        sceneId: 's',
        config: { ...CONFIG, parameters: { ...PARAMETERS, class: kind } },
      });
      stand(scene, [detectionAt(0.25, classId)]);
      return scene.openVisits.length;
    };
    expect([visitsOf('person', PERSON), visitsOf('person', CAR), visitsOf('vehicle', PERSON)]).toEqual([
      1, 0, 0,
    ]);
    expect([visitsOf('vehicle', CAR), visitsOf('vehicle', BUS)]).toEqual([1, 1]);
  });

  test('two scenes of one camera count in their own zones', () => {
    const elsewhere: SceneConfig = {
      ...CONFIG,
      zones: {
        queueZone: { type: 'polygon', points: rectangle(0.7, 0, 1, 1) },
      },
    };
    const scenes = [CONFIG, elsewhere].map((config, i) => new ScenePipeline({ sceneId: `${i}`, config }));
    for (const scene of scenes) stand(scene, [detectionAt(0.25)]);
    expect(scenes.map(({ openVisits }) => openVisits.length)).toEqual([1, 0]);
  });

  test('open visits are lost when it is closed', () => {
    const scene = new ScenePipeline({ sceneId: 's', config: CONFIG });
    stand(scene, [detectionAt(0.25)]);
    const { changes, open, timeMs } = scene.close(3800);
    expect(changes).toMatchObject([{ state: 'closed', outcome: 'lost', queueLeftAtMs: 3800 }]);
    expect({ open, timeMs }).toEqual({ open: { queued: 0, inService: 0 }, timeMs: 3800 });
    expect(scene.openVisits).toEqual([]);
  });
});

describe('a gap between frames', () => {
  const shown = (x: number) => [detectionAt(x)];

  test('of up to a minute makes nobody older', () => {
    const scene = new ScenePipeline({ sceneId: 's', config: CONFIG });
    stand(scene, shown(0.25));
    expect(scene.update([], 40_000, 200).changes).toEqual([]);
    expect(stand(scene, shown(0.26), { fromMs: 40_200 }).flatMap(({ changes }) => changes)).toEqual([]);
    expect(scene.openVisits).toMatchObject([{ id: 1, state: 'queued', queueEnteredAtMs: 0 }]);
  });

  test('of more than a minute: the next frame closes all visits as lost', () => {
    const scene = new ScenePipeline({ sceneId: 's', config: CONFIG });
    stand(scene, shown(0.25));
    const { changes } = scene.update(shown(0.25), 64_000, 320);
    expect(changes).toMatchObject([{ outcome: 'lost', queueLeftAtMs: 3800, outcomeDecidedAtMs: 64_000 }]);
    expect(scene.openVisits).toEqual([]);
  });

  test('of more than a minute does so also after a move to another node', () => {
    const first = new ScenePipeline({ sceneId: 's', config: CONFIG });
    stand(first, shown(0.25));
    const second = new ScenePipeline({ sceneId: 's', config: CONFIG, checkpoint: first.checkpoint() });
    expect(second.update([], 100_000, 500).changes).toMatchObject([
      { outcome: 'lost', outcomeDecidedAtMs: 100_000 },
    ]);
  });

  test.each([3800, 1000])('a frame that is not newer changes nothing: %i ms', (timeMs) => {
    const scene = new ScenePipeline({ sceneId: 's', config: CONFIG });
    stand(scene, shown(0.25));
    expect(scene.update([], timeMs, 20)).toMatchObject({
      ...{ timeMs, changes: [], open: { queued: 1, inService: 0 } },
    });
    expect(stand(scene, shown(0.25), { fromMs: 4000 }).at(-1)!.tracks).toMatchObject([{ id: 1 }]);
  });
});

describe('a checkpoint', () => {
  test('continues the visit, with new track ids', () => {
    const first = new ScenePipeline({ sceneId: 's', config: CONFIG });
    stand(first, [detectionAt(0.25)]);
    const second = new ScenePipeline({ sceneId: 's', config: CONFIG, checkpoint: first.checkpoint() });
    expect(second.openVisits).toEqual(first.openVisits);
    const seen = stand(second, [detectionAt(0.26)], { fromMs: 20_000 });
    expect(seen.flatMap(({ changes }) => changes)).toEqual([]);
    expect(seen.at(-1)!.tracks).toMatchObject([{ id: 2, zone: 'queue' }]);
    expect(second.openVisits).toMatchObject([
      { id: 1, queueEnteredAtMs: first.openVisits[0]!.queueEnteredAtMs },
    ]);
  });

  test('has the names that nodes of the version before know', () => {
    const first = new ScenePipeline({ sceneId: 's', config: CONFIG });
    const appearance = [200, 40, 40, 20, 20, 120];
    stand(first, [{ ...detectionAt(0.25), appearance }]);
    const stored = JSON.parse(first.checkpoint());
    expect(stored).toMatchObject({
      version: 3,
      identity: { people: [{ trackId: 1, look: { look: appearance, showsTorso: true, showsLegs: true } }] },
      zones: { visitors: [{ personId: 1, place: 'queue' }] },
    });
    const second = new ScenePipeline({ sceneId: 's', config: CONFIG, checkpoint: JSON.stringify(stored) });
    stored.identity.people[0].trackId = null;
    expect(JSON.parse(second.checkpoint())).toEqual(stored);
  });

  test.each([
    [null],
    ['{}'],
    ['null'],
    ['[]'],
    ['{"version":2}'],
    ['{"version":7}'],
    ['{"version":'],
    ['old'],
  ])('that cannot be read starts an empty scene: %j', (checkpoint) => {
    expect(new ScenePipeline({ sceneId: 's', config: CONFIG, checkpoint }).openVisits).toEqual([]);
  });
});
