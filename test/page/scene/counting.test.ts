import { expect, test } from '@jest/globals';
import {
  actionOf,
  addPoint,
  type Counts,
  countOf,
  markAt,
  NOBODY,
  removeLast,
  removePoint,
  setNumber,
} from '../../../src/page/scene/check/counting.ts';

const two: Counts = addPoint(addPoint(NOBODY, 'waiting', [0.1, 0.5]), 'waiting', [0.12, 0.5]);

test.each<[string, Counts, Counts]>([
  [
    'a tap adds a person',
    two,
    {
      waiting: [
        [0.1, 0.5],
        [0.12, 0.5],
      ],
      served: [],
    },
  ],
  ['a mark is removed', removePoint(two, 'waiting', 0), { waiting: [[0.12, 0.5]], served: [] }],
  ['undo takes the last one back', removeLast(two, 'waiting'), { waiting: [[0.1, 0.5]], served: [] }],
  ['undo of nothing', removeLast(NOBODY, 'served'), NOBODY],
  ['a number replaces marks', setNumber(two, 'waiting', 7), { waiting: 7, served: [] }],
  ['undo of a number', removeLast({ ...NOBODY, served: 0 }, 'served'), { waiting: [], served: 0 }],
  [
    'a tap replaces a number',
    addPoint({ ...NOBODY, served: 9 }, 'served', [1, 1]),
    { waiting: [], served: [[1, 1]] },
  ],
  ['a number out of bounds', setNumber(NOBODY, 'served', 999), { waiting: [], served: 200 }],
  ['no number', setNumber(NOBODY, 'served', Number.NaN), { waiting: [], served: 0 }],
])('%s', (_, counts, expected) => expect(counts).toEqual(expected));

test('of two marks that stand close together the nearer one is taken', () => {
  const size: [number, number] = [400, 200];
  expect(markAt(two, [50, 100], size)).toMatchObject({ mode: 'waiting', index: 1 });
  expect(markAt(two, [41, 100], size)).toMatchObject({ mode: 'waiting', index: 0 });
  expect(markAt(two, [80, 100], size)).toBeNull();
  expect(countOf(two.waiting)).toBe(2);
});

test.each([
  ['7', { kind: 'digit', digit: 7 }],
  ['W', { kind: 'mode', mode: 'waiting' }],
  ['s', { kind: 'mode', mode: 'served' }],
  ['Enter', { kind: 'save' }],
  ['x', { kind: 'skip' }],
  ['Backspace', { kind: 'undo' }],
  ['ArrowLeft', { kind: 'back' }],
  ['Tab', null],
])('the key %s', (key, action) => expect(actionOf(key)).toEqual(action));
