import { expect, test } from '@jest/globals';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { Detection } from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { PARAMETERS } from '../zones/walk.ts';

const QUEUE = { type: 'polygon' as const, points: rectangle(0, 0.5, 1, 1) };
const person = (x: number, bottom = 0.8, score = 0.9): Detection => ({
  box: { left: x - 0.05, right: x + 0.05, top: bottom - 0.4, bottom },
  score,
  classId: 0,
});

/** Shows the same people for some seconds. @returns the signs of the last frame */
function show(scene: ScenePipeline, people: readonly Detection[], fromMs: number, seconds: number) {
  let signs: ReturnType<ScenePipeline['update']>['signs'];
  for (let at = 0; at < seconds * 5; at++)
    ({ signs } = scene.update(people, fromMs + at * 200, fromMs / 200 + at));
  return signs;
}

test('signs tell who is detected surely, followed, and counted but not seen', () => {
  const scene = new ScenePipeline({
    sceneId: 's',
    config: { zones: { queueZone: QUEUE }, parameters: PARAMETERS },
  });
  const line = [person(0.2), person(0.4), person(0.8), person(0.6, 0.45)];
  expect(show(scene, line, 0, 6)).toEqual({
    ...{ sure: 3, steps: 0, followed: 3, unseen: 0 },
  });
  const [first] = line;
  const vanished = [first!, person(0.4, 0.8, 0.05)];
  expect(show(scene, vanished, 6_000, 0.2)).toMatchObject({ sure: 1, steps: 2, unseen: 2 });
  expect(show(scene, vanished, 6_200, 0.2)).toMatchObject({ sure: 1, steps: 0 });
});

test('signs are left out where nobody waits in a queue zone', () => {
  const zones = { checkoutZone: QUEUE };
  const scene = new ScenePipeline({ sceneId: 's', config: { zones, parameters: PARAMETERS } });
  expect(show(scene, [person(0.2)], 0, 1)).toBeUndefined();
});
