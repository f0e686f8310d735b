import { describe, expect, test } from '@jest/globals';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';

const square = (
  points: unknown = [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ],
) => ({ type: 'polygon', points });

const RIGHT = [
  [0.5, 0],
  [1, 0],
  [1, 1],
  [0.5, 1],
];

const faultOf = (config: unknown): string =>
  sceneConfigSchema
    .safeParse(config)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ') ?? '';

describe('a scene’s config', () => {
  test('has the defaults of the specification', () => {
    expect(sceneConfigSchema.parse({ zones: { queueZone: square() } }).parameters).toEqual({
      confidenceThreshold: 0.6,
      class: 'person',
      entryThresholdSeconds: 3,
      exitThresholdSeconds: 1,
      trackingMaxAgeSeconds: 5,
    });
  });

  test('takes a staff zone within a zone, over a part of two and beside them', () => {
    for (const left of [0.6, 0.3, 0.9]) {
      const zones = {
        queueZone: square(),
        checkoutZone: square([
          [0.5, 0],
          [0.8, 0],
          [0.8, 1],
          [0.5, 1],
        ]),
        staffZone: square([
          [left, 0],
          [left + 0.1, 0],
          [left + 0.1, 1],
          [left, 1],
        ]),
      };
      expect(sceneConfigSchema.parse({ zones }).zones).toEqual(zones);
    }
  });

  test.each<[string, unknown, RegExp]>([
    ['no zone', { zones: {} }, /zones: must hold queueZone, checkoutZone or both/],
    [
      'two points',
      {
        zones: {
          queueZone: square([
            [0, 0],
            [1, 1],
          ]),
        },
      },
      /queueZone\.points: Too small.*3/,
    ],
    [
      '21 points',
      { zones: { queueZone: square(Array.from({ length: 21 }, (_, i) => [i / 21, (i / 21) ** 2])) } },
      /20/,
    ],
    [
      'a point outside the frame',
      {
        zones: {
          queueZone: square([
            [0, 0],
            [1.2, 0],
            [1, 1],
          ]),
        },
      },
      /points\.1\.0: must be a fraction of the frame/,
    ],
    [
      'a triple',
      {
        zones: {
          queueZone: square([
            [0, 0, 0],
            [1, 0],
            [1, 1],
          ]),
        },
      },
      /points\.0/,
    ],
    [
      'crossing edges',
      {
        zones: {
          checkoutZone: square([
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ]),
        },
      },
      /checkoutZone\.points: Polygon refused: its edges/,
    ],
    ['a circle', { zones: { queueZone: { ...square(), type: 'circle' } } }, /type/],
    ['an unknown parameter', { zones: { queueZone: square() }, parameters: { speed: 3 } }, /speed/],
    [
      'a threshold below a second',
      { zones: { queueZone: square() }, parameters: { exitThresholdSeconds: 0.5 } },
      /exitThresholdSeconds: Too small/,
    ],
    [
      'a staff zone alone',
      { zones: { staffZone: square() } },
      /^zones: must hold queueZone, checkoutZone or both beside staffZone, which counts nobody$/,
    ],
    [
      'a staff zone outside the picture',
      {
        zones: {
          queueZone: square(),
          staffZone: square([
            [0, 0],
            [1.2, 0],
            [1, 1],
          ]),
        },
      },
      /staffZone\.points\.1\.0: must be a fraction of the frame/,
    ],
    [
      'a staff zone over the whole queue',
      {
        zones: {
          queueZone: square(),
          staffZone: square([
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ]),
        },
      },
      /^zones\.staffZone: covers the whole queueZone, so customers there would be taken for staff: draw it/,
    ],
    [
      'a staff zone over the whole checkout',
      { zones: { queueZone: square(), checkoutZone: square(RIGHT), staffZone: square(RIGHT) } },
      /^zones\.staffZone: covers the whole checkoutZone/,
    ],
    [
      'a staff zone that leaves out hardly anything of the queue',
      {
        zones: {
          queueZone: square(),
          staffZone: square([
            [0, 0],
            [0.48, 0],
            [0.48, 1],
            [0, 1],
          ]),
        },
      },
      /covers the whole queueZone/,
    ],
    ['an unknown zone', { zones: { queueZone: square(), exitZone: square() } }, /exitZone/],
  ])('refuses %s', (_, config, fault) => {
    expect(faultOf(config)).toMatch(fault);
  });
});
