import { describe, expect, test } from '@jest/globals';
import { RunFeet } from '../../../src/metrics/floor/feet/run-feet.ts';
import { knownFeet } from '../../../src/metrics/floor/feet/zone-advice.ts';
import { View } from '../../../src/simulator/camera.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { Box, SceneConfig } from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { PARAMETERS } from '../zones/walk.ts';

const ASPECT = 16 / 9;
const BELOW_CEILING = new View({ heightMetres: 2.7, tiltDegrees: 15, focalLength: 1.6 });
const STEEP = new View({ heightMetres: 3.5, tiltDegrees: 45, focalLength: 0.9 });
const EYE_LEVEL = new View({ heightMetres: 1.6, tiltDegrees: 8, focalLength: 1 });

const whole = (points: ReturnType<typeof rectangle>): SceneConfig => ({
  zones: { queueZone: { type: 'polygon', points } },
  parameters: PARAMETERS,
});
const EVERYWHERE = whole(rectangle(0, 0, 1, 1));

/**
 * Four people who walk to and fro, each at another distance.
 * @param stepMetres height of the level on which every other one walks
 */
function walkers(view: View, seconds: number, stepMetres = 0): Box[] {
  return Array.from({ length: 4 }, (_, at) => {
    const phase = seconds * (0.9 + 0.1 * at) + 37 * at;
    const z = 4 + ((at * 2.3) % 7) + 1.2 * Math.sin(phase / 9);
    const x = 0.9 * view.halfViewWidth(z) * Math.sin(phase / 6 + at);
    const floor = at % 2 === 0 ? 0 : stepMetres;
    const [top, bottom] = [view.vertical(z, floor + 1.6 + 0.05 * at), view.vertical(z, floor)];
    const half = (0.38 * (bottom - top)) / ASPECT / 2;
    const middle = view.horizontal(x, z);
    return { left: middle - half, right: middle + half, top, bottom };
  });
}

/** A head is half as wide as a body. */
function upperPart({ left, right, top, bottom }: Box, share: number): Box {
  const inset = share < 0.2 ? (right - left) / 4 : 0;
  return { left: left + inset, right: right - inset, top, bottom: top + share * (bottom - top) };
}

interface Watched {
  readonly scene: ScenePipeline;
  readonly feet: RunFeet;
}
const watching = (config = EVERYWHERE): Watched => ({
  scene: new ScenePipeline({ sceneId: 's', config }),
  feet: new RunFeet(config.zones),
});

/** @returns what is said of feet, how often, and how far a box was moved from a detection at most */
function watch(
  { scene, feet }: Watched,
  seconds: number,
  boxesAt: (second: number) => Box[],
  { from = 0, aspect = ASPECT } = {},
) {
  const said = { seen: 0, estimated: 0, unknown: 0 };
  let moved = 0;
  for (let frame = 0; frame < 5 * seconds; frame++) {
    const second = from + frame / 5;
    const boxes = boxesAt(second);
    const detections = boxes.map((box) => ({ box, score: 0.9, classId: 0 }));
    const { tracks } = scene.update(detections, 1000 * second, frame, aspect);
    feet.see(tracks, 1000 * second, aspect);
    for (const { box, feet: known } of tracks) {
      said[known ?? 'unknown']++;
      const lowest = Math.max(
        ...boxes.filter(({ top }) => Math.abs(top - box.top) < 0.01).map((one) => one.bottom),
      );
      if (Number.isFinite(lowest)) moved = Math.max(moved, box.bottom - lowest);
    }
  }
  return { said, moved };
}

describe('a camera that sees too little of people', () => {
  const views: [name: string, share: number, view: View][] = [
    ['only heads', 0.14, BELOW_CEILING],
    ['only upper bodies, steeply', 0.5, STEEP],
    ['only heads, steeply', 0.14, STEEP],
    ['only upper bodies', 0.5, BELOW_CEILING],
    ['only upper bodies at eye level', 0.45, EYE_LEVEL],
  ];
  test.each(IS_THOROUGH ? views : views.slice(0, 1))(
    '%s: no position is invented, and the scene says that feet are unknown',
    (_, share, view) => {
      const watched = watching();
      const upper = (second: number) => walkers(view, second).map((box) => upperPart(box, share));
      // In the first minute it has not seen enough to doubt.
      expect(watch(watched, 60, upper).moved).toBeLessThan(0.12);
      const { said, moved } = watch(watched, 340, upper, { from: 60 });
      expect([said.estimated, moved < 0.01]).toEqual([0, true]);
      expect(said.unknown / (said.seen + said.unknown)).toBeGreaterThan(0.99);
      expect(knownFeet(watched.feet.take(true)!.points)).toBe('unknown');
    },
  );

  test('whole people of the same cameras are seen', () => {
    for (const view of [BELOW_CEILING]) {
      const watched = watching();
      watch(watched, 400, (second) => walkers(view, second));
      expect(knownFeet(watched.feet.take(true)!.points)).toBe('known');
    }
  });
});

test('nobody for a day: what was learned stays, nobody is counted, and the sample of the hour is empty', () => {
  const watched = watching();
  watch(watched, 300, (second) => walkers(BELOW_CEILING, second));
  const before = watch(watched, 20, () => [], { from: 86_400 });
  expect(before.said).toEqual({ seen: 0, estimated: 0, unknown: 0 });
  const { said } = watch(watched, 70, (second) => walkers(BELOW_CEILING, second), {
    from: 86_500,
  });
  expect(said.seen / (said.seen + said.unknown)).toBeGreaterThan(0.75);
  const { points } = watched.feet.take(true)!;
  expect(points.every(({ minute }) => minute >= 1441)).toBe(true);
});

test('a moved camera: nothing that was learned before moves a box afterwards', () => {
  const watched = watching();
  watch(watched, 300, (second) => walkers(BELOW_CEILING, second));
  const turned = (second: number) =>
    walkers(BELOW_CEILING, second).map((box) => ({ ...box, top: box.top - 0.12, bottom: box.bottom - 0.12 }));
  // Several people agree on the shift of one frame.
  const { moved } = watch(watched, 120, turned, { from: 300 });
  expect(moved).toBeLessThanOrEqual(0.101);
});

test('a zone over a counter: who stands behind it is where the feet must be, so that the zone gets a proposal', () => {
  const z = 6;
  const [top, bottom] = [BELOW_CEILING.vertical(z, 1.7), BELOW_CEILING.vertical(z)];
  const served = (second: number): Box => {
    const x = 0.7 + 0.004 * Math.floor(second / 30);
    const half = (0.38 * (bottom - top)) / ASPECT / 2;
    return { left: x - half, right: x + half, top, bottom: top + 0.6 * (bottom - top) };
  };
  // Around the lower ends of the visible bodies: the counter.
  const end = top + 0.6 * (bottom - top);
  const watched = watching(whole(rectangle(0.55, end - 0.05, 0.98, end + 0.04)));
  // Customers come one after the other.
  watch(watched, 750, (second) => [
    ...walkers(BELOW_CEILING, second).slice(0, 2),
    ...(second % 30 < 24 ? [served(second)] : []),
  ]);
  const { points } = watched.feet.take(true)!;
  const behind = points.filter(({ feet }) => feet === 'estimated');
  expect(behind.length).toBeGreaterThan(20);
  for (const { y } of behind) expect(Math.abs(y - bottom)).toBeLessThan(0.1);
  expect(watched.feet.advice).toMatchObject({ zone: 'queueZone' });
});

test('a floor with two levels: whole people stay as they are, and hidden feet are wrong by no more than the step', () => {
  const STEP_METRES = 0.4;
  const both = (second: number) => walkers(BELOW_CEILING, second, STEP_METRES);
  const watched = watching();
  watch(watched, 200, both);
  const { said, moved } = watch(watched, 50, both, { from: 200 });
  expect([said.estimated, moved < 0.01]).toEqual([0, true]);
  const z = 6;
  const step = BELOW_CEILING.vertical(z) - BELOW_CEILING.vertical(z, STEP_METRES);
  for (const floor of [0, STEP_METRES]) {
    const [top, bottom] = [BELOW_CEILING.vertical(z, floor + 1.7), BELOW_CEILING.vertical(z, floor)];
    const half = (0.38 * (bottom - top)) / ASPECT / 2;
    const box = { left: 0.5 - half, right: 0.5 + half, top, bottom: top + 0.6 * (bottom - top) };
    const checkpoint = watched.scene.checkpoint();
    const scene = new ScenePipeline({ sceneId: 's', config: EVERYWHERE, checkpoint });
    const tracks = [0, 1, 2].flatMap(
      (frame) => scene.update([{ box, score: 0.9, classId: 0 }], 251_000 + 200 * frame, frame, ASPECT).tracks,
    );
    expect(tracks.at(-1)!.feet).toBe('estimated');
    expect(Math.abs(tracks.at(-1)!.box.bottom - bottom)).toBeLessThan(step);
  }
});

describe('a picture that is turned', () => {
  /** By a quarter turn to the left. */
  const lying = ({ left, right, top, bottom }: Box): Box => ({
    ...{ left: top, right: bottom },
    ...{ top: 1 - right, bottom: 1 - left },
  });

  test('without a rotation of the device: people lie, and nothing is said of their feet', () => {
    const watched = watching();
    const turned = (second: number) => walkers(BELOW_CEILING, second).map(lying);
    watch(watched, 60, turned, { aspect: 1 / ASPECT });
    const { said, moved } = watch(watched, 60, turned, { from: 60, aspect: 1 / ASPECT });
    expect([said.seen, said.estimated, moved < 0.01]).toEqual([0, 0, true]);
  });

  test('with it: an upright picture that is higher than wide is as good as any', () => {
    const watched = watching();
    const narrow = (second: number) =>
      walkers(BELOW_CEILING, second).map((box) => {
        const [middle, half] = [(box.left + box.right) / 2, ((box.right - box.left) / 2) * ASPECT ** 2];
        return { ...box, left: middle - half, right: middle + half };
      });
    const { said, moved } = watch(watched, 100, narrow, { aspect: 1 / ASPECT });
    expect([said.estimated, moved < 0.01]).toEqual([0, true]);
    expect(said.seen / (said.seen + said.unknown)).toBeGreaterThan(0.75);
  });
});
