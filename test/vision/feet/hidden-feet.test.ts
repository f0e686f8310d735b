import { describe, expect, test } from '@jest/globals';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { Box, Detection, SceneConfig } from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { PARAMETERS } from '../zones/walk.ts';
import { ASPECT, cutAt, personAt } from './shop-camera.ts';

const COUNTER = 3;
const served = personAt(COUNTER, 0.7);
/** On the floor around the feet of who is served; no box that a counter cuts off ends in it. */
const CONFIG: SceneConfig = {
  zones: {
    checkoutZone: {
      type: 'polygon',
      points: rectangle(0.6, served.bottom - 0.07, 0.8, served.bottom + 0.07),
    },
  },
  parameters: PARAMETERS,
};

const detection = (box: Box): Detection => ({ box, score: 0.9, classId: 0 });

interface Film {
  readonly from?: number;
  readonly frames?: number;
  readonly hasWalkers?: boolean;
}

/** People walk past one after the other, each in another row of the floor, and one is served behind a counter. */
function watch(scene: ScenePipeline, { from = 0, frames = 300, hasWalkers = true }: Film = {}) {
  let last = null;
  for (let at = from; at < from + frames; at++) {
    const [walk, step] = [Math.floor(at / 40), at % 40];
    const walker = personAt(2.3 + 0.4 * (walk % 7), 0.1 + 0.01 * step, 1 + 0.03 * Math.sin(walk));
    const people = [cutAt(served, 0.6), ...(hasWalkers ? [walker] : [])];
    last = scene.update(people.map(detection), at * 200, at, ASPECT);
  }
  return last!;
}

const inService = ({ open }: ReturnType<typeof watch>) => open.inService;
const newScene = (checkpoint: string | null = null) =>
  new ScenePipeline({ sceneId: 's', config: CONFIG, checkpoint });

describe('a person whose legs a counter hides', () => {
  test('is served where the feet must be, and the scene says that they are estimated', () => {
    const seen = watch(newScene());
    expect(inService(seen)).toBe(1);
    const [person] = seen.tracks.filter(({ zone }) => zone === 'checkout');
    expect(person).toMatchObject({ feet: 'estimated' });
    expect(Math.abs(person!.box.bottom - served.bottom)).toBeLessThan(0.05);
    expect(seen.tracks.filter(({ zone }) => zone === null)).toMatchObject([{ feet: 'seen' }]);
  });

  test('is where the box ends while nobody else was seen: no position is invented', () => {
    const seen = watch(newScene(), { hasWalkers: false, frames: 100 });
    expect(inService(seen)).toBe(0);
    expect(seen.tracks[0]!.feet).not.toBe('estimated');
    expect(seen.tracks[0]!.box.bottom).toBeCloseTo(cutAt(served, 0.6).bottom, 2);
  });

  test('is found at once after a move to another node', () => {
    const scene = newScene();
    watch(scene);
    scene.close(60_000);
    const after = watch(newScene(scene.checkpoint()), { from: 301, frames: 30, hasWalkers: false });
    expect(inService(after)).toBe(1);
  });
});

describe('a person who stands and bends down', () => {
  const standing = personAt(COUNTER, 0.7);
  const tall = standing.bottom - standing.top;

  test.each([0.8, 0.65, 0.5])('to %d of their height keeps the feet where they are', (share) => {
    const scene = newScene();
    watch(scene);
    let last = null;
    for (let at = 301; at < 360; at++) {
      const lower = Math.min(1, Math.max(share, 1 - (at - 330) * 0.1));
      const box = { ...standing, top: standing.bottom - lower * tall };
      last = scene.update([detection(box)], at * 200, at, ASPECT);
    }
    expect(last!.tracks).toHaveLength(1);
    expect(Math.abs(last!.tracks[0]!.box.bottom - standing.bottom)).toBeLessThan(0.03);
  });
});
