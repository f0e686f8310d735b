import { describe, expect, test } from '@jest/globals';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';

const till = (id: string, left: number, right: number, more = {}) => ({
  ...{ id, name: `Till ${id}`, type: 'polygon', points: rectangle(left, 0.5, right, 1) },
  ...more,
});
const queueZone = { type: 'polygon', points: rectangle(0, 0, 1, 0.4) };
const two = [till('a', 0, 0.5), till('b', 0.5, 1)];

const faultsOf = (zones: unknown): string =>
  sceneConfigSchema
    .safeParse({ zones })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ') ?? '';

describe('tills of a scene', () => {
  test('tills serve without a checkout zone and without a queue', () => {
    expect(sceneConfigSchema.parse({ zones: { tills: two } }).zones).toEqual({ tills: two });
    const zones = { queueZone, tills: two, queueFeeds: { tillIds: ['b'] } };
    expect(sceneConfigSchema.parse({ zones }).zones).toEqual(zones);
  });

  test('tills may touch and overlap by a tenth', () => {
    expect(faultsOf({ tills: [till('a', 0, 0.52), till('b', 0.5, 1)] })).toBe('');
  });

  test('a person who serves may stand in the till', () => {
    const staffPoints = rectangle(0, 0.5, 0.5, 0.6);
    expect(faultsOf({ tills: [till('a', 0, 0.5, { staffPoints })] })).toBe('');
  });

  const thirteen = Array.from({ length: 13 }, (_, at) => till(`t${at}`, at / 13, (at + 1) / 13));
  test.each<[string, unknown, RegExp]>([
    ['no till', { tills: [] }, /zones\.tills: must hold 1-12 tills/],
    ['13 tills', { tills: thirteen }, /zones\.tills: must hold at most 12 tills/],
    [
      'tills that overlap',
      { tills: [till('a', 0, 0.6), till('b', 0.5, 1)] },
      /tills\.1\.points: till "Till b" and till "Till a" overlap/,
    ],
    [
      'a small till in a large one',
      { tills: [till('a', 0, 1), till('b', 0.5, 0.51)] },
      /tills\.1\.points: .*overlap/,
    ],
    [
      'the same id twice',
      { tills: [till('a', 0, 0.4), till('a', 0.5, 1, { name: 'B' })] },
      /tills\.1\.id: "a" is the id of till 1 already/,
    ],
    [
      'the same name twice',
      { tills: [till('a', 0, 0.4), till('b', 0.5, 1, { name: 'Till a' })] },
      /tills\.1\.name: "Till a" is the name of till 1/,
    ],
    [
      'a till outside of the picture',
      { tills: [till('a', 0.5, 1.2)] },
      /tills\.0\.points\.1\.0: must be a fraction/,
    ],
    ['a till without a name', { tills: [till('a', 0, 0.4, { name: ' ' })] }, /tills\.0\.name/],
    ['a name of 41 characters', { tills: [till('a', 0, 0.4, { name: 'x'.repeat(41) })] }, /tills\.0\.name/],
    ['an id with a blank', { tills: [till('a b', 0, 0.4)] }, /tills\.0\.id: must be 1-40 letters/],
    ['an id of 41 characters', { tills: [till('x'.repeat(41), 0, 0.4)] }, /tills\.0\.id/],
    [
      'crossing edges',
      {
        tills: [
          {
            ...two[0],
            points: [
              [0, 0],
              [1, 1],
              [1, 0],
              [0, 1],
            ],
          },
        ],
      },
      /tills\.0\.points: Polygon refused: its edges/,
    ],
    [
      'a staff side with two corners',
      {
        tills: [
          till('a', 0, 0.5, {
            staffPoints: [
              [0, 0],
              [1, 1],
            ],
          }),
        ],
      },
      /staffPoints/,
    ],
    [
      'a staff side over the whole till',
      { tills: [till('a', 0, 0.5, { staffPoints: rectangle(0, 0.4, 0.6, 1) })] },
      /staffPoints: covers the whole till "Till a"/,
    ],
    [
      'a staff zone over a whole till',
      { queueZone, tills: two, staffZone: { type: 'polygon', points: rectangle(0.45, 0.45, 1, 1) } },
      /staffZone: covers the whole till "Till b"/,
    ],
    [
      'a feed to no till',
      { queueZone, tills: two, queueFeeds: { tillIds: ['c'] } },
      /queueFeeds\.tillIds\.0: names till "c", which is not in tills/,
    ],
    [
      'a feed that names a till twice',
      { queueZone, tills: two, queueFeeds: { tillIds: ['a', 'a'] } },
      /tillIds\.1: names till "a" twice/,
    ],
    ['an empty feed', { queueZone, tills: two, queueFeeds: { tillIds: [] } }, /tillIds/],
    [
      'a feed without a queue',
      { tills: two, queueFeeds: { tillIds: ['a'] } },
      /queueFeeds: needs a queueZone/,
    ],
    ['a feed without tills', { queueZone, queueFeeds: { tillIds: ['a'] } }, /not in tills/],
    ['another shape', { tills: [{ ...two[0], type: 'circle' }] }, /tills\.0\.type/],
    ['an unknown field', { tills: [till('a', 0, 0.4, { colour: 'red' })] }, /colour/],
    ['no list', { tills: 'a' }, /tills/],
  ])('%s is refused', (_, zones, fault) => expect(faultsOf(zones)).toMatch(fault));
});
