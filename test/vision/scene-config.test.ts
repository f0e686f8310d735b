import { describe, expect, test } from '@jest/globals';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import { rectangle } from '../catalogue/zones/shapes.ts';

const polygon = (...points: readonly (readonly number[])[]) => ({ type: 'polygon', points });
/** As high as the frame. */
const strip = (left: number, right: number) => polygon(...rectangle(left, 0, right, 1));
const LEFT = strip(0, 0.5);
const RIGHT = strip(0.5, 1);

const faultOf = (config: unknown): string =>
  sceneConfigSchema
    .safeParse(config)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ') ?? '';

describe('a scene’s config', () => {
  test('has the defaults of the specification', () => {
    expect(sceneConfigSchema.parse({ zones: { queueZone: LEFT } }).parameters).toEqual({
      confidenceThreshold: 0.6,
      class: 'person',
      entryThresholdSeconds: 3,
      exitThresholdSeconds: 1,
      trackingMaxAgeSeconds: 5,
    });
  });

  test('accepts a staff zone inside another zone, over parts of two, and beside them', () => {
    for (const left of [0.6, 0.3, 0.9]) {
      const zones = {
        queueZone: LEFT,
        checkoutZone: strip(0.5, 0.8),
        staffZone: strip(left, left + 0.1),
      };
      expect(sceneConfigSchema.parse({ zones }).zones).toEqual(zones);
    }
  });

  test.each<[string, unknown, RegExp]>([
    ['no zone', { zones: {} }, /zones: must hold queueZone, checkoutZone or both/],
    ['two points', { zones: { queueZone: polygon([0, 0], [1, 1]) } }, /queueZone\.points: Too small.*3/],
    [
      '21 points',
      { zones: { queueZone: polygon(...Array.from({ length: 21 }, (_, i) => [i / 21, (i / 21) ** 2])) } },
      /20/,
    ],
    [
      'a point outside the frame',
      { zones: { queueZone: polygon([0, 0], [1.2, 0], [1, 1]) } },
      /points\.1\.0: must be a fraction of the frame/,
    ],
    ['a point with three values', { zones: { queueZone: polygon([0, 0, 0], [1, 0], [1, 1]) } }, /points\.0/],
    [
      'crossing edges',
      { zones: { checkoutZone: polygon([0, 0], [1, 1], [1, 0], [0, 1]) } },
      /checkoutZone\.points: Polygon refused: its edges/,
    ],
    ['a circle', { zones: { queueZone: { ...LEFT, type: 'circle' } } }, /type/],
    ['an unknown parameter', { zones: { queueZone: LEFT }, parameters: { speed: 3 } }, /speed/],
    [
      'a threshold below a second',
      { zones: { queueZone: LEFT }, parameters: { exitThresholdSeconds: 0.5 } },
      /exitThresholdSeconds: Too small/,
    ],
    [
      'a staff zone alone',
      { zones: { staffZone: LEFT } },
      /^zones: must hold queueZone, checkoutZone or both beside staffZone, which counts nobody$/,
    ],
    [
      'a staff zone outside the frame',
      { zones: { queueZone: LEFT, staffZone: polygon([0, 0], [1.2, 0], [1, 1]) } },
      /staffZone\.points\.1\.0: must be a fraction of the frame/,
    ],
    [
      'a staff zone over the whole queue',
      { zones: { queueZone: LEFT, staffZone: strip(0, 1) } },
      /^zones\.staffZone: covers the whole queueZone, so customers there would be taken for staff: draw it/,
    ],
    [
      'a staff zone over the whole checkout',
      { zones: { queueZone: LEFT, checkoutZone: RIGHT, staffZone: RIGHT } },
      /^zones\.staffZone: covers the whole checkoutZone/,
    ],
    [
      'a staff zone over 96 % of the queue',
      { zones: { queueZone: LEFT, staffZone: strip(0, 0.48) } },
      /covers the whole queueZone/,
    ],
    ['an unknown zone', { zones: { queueZone: LEFT, exitZone: LEFT } }, /exitZone/],
  ])('refuses %s', (_, config, fault) => {
    expect(faultOf(config)).toMatch(fault);
  });
});
