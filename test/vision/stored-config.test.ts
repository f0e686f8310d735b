import { expect, test } from '@jest/globals';
import { storedConfig } from '../../src/vision/stored-config.ts';

const points = [
  [0, 0],
  [1, 1],
  [1, 0],
  [0, 1],
];

test('a stored scene is read with its defaults, also where a rule of today would refuse its zone', () => {
  const queueZone = { type: 'polygon', points };
  const { zones, parameters } = storedConfig.parse({ zones: { queueZone } });
  expect(zones).toEqual({ queueZone });
  expect(parameters.entryThresholdSeconds).toBe(3);
});

test.each([
  ['no object', null],
  ['zones that are a list', { zones: [] }],
  ['a point with one number', { zones: { queueZone: { type: 'polygon', points: [[0]] } } }],
  ['a till without an id', { zones: { tills: [{ type: 'polygon', name: 'Till', points }] } }],
  ['a mask without corners', { privacyMask: [{ type: 'polygon' }] }],
])('%s is a fault', (_, config) => {
  expect(storedConfig.safeParse(config).success).toBe(false);
});
