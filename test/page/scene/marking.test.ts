import { describe, expect, test } from '@jest/globals';
import {
  addPerson,
  filmKey,
  type Marked,
  markPerson,
  picturesOf,
  present,
  unmark,
} from '../../../src/page/scene/check/times/marking.ts';

const short = (visits: readonly Marked[]) =>
  visits.map(({ person, joinedAt, servedAt, leftAt }) => [person, joinedAt, servedAt, leftAt]);

describe('marks on a film', () => {
  const queued = addPerson(addPerson([], 1.23, false), 5, false);
  const served = markPerson(queued, '1', { mark: 'served', second: 9 });

  test('are those of one person after the other, and never go back', () => {
    expect(short(queued)).toEqual([
      ['1', 1.2, null, null],
      ['2', 5, null, null],
    ]);
    expect(short(markPerson(served, '1', { mark: 'left', second: 3 }))[0]).toEqual(['1', 1.2, 9, 9]);
    expect(present(served)).toMatchObject({ waiting: [{ person: '2' }], served: [{ person: '1' }] });
    expect(short(addPerson([], 4, true))).toEqual([['1', null, 4, null]]);
  });

  test('are taken back one by one, and a name is not given twice', () => {
    const left = markPerson(served, '1', { mark: 'left', second: 12 });
    expect(markPerson(left, '1', { mark: 'left', second: 20 })).toEqual(left);
    expect(unmark(left, '1')).toEqual(served);
    expect(unmark(served, '1')).toEqual(queued);
    const alone = unmark(queued, '1');
    expect(short(addPerson(alone, 7, false)).map(([person]) => person)).toEqual(['2', '3']);
  });

  test.each([
    ['j', { kind: 'joined' }],
    ['S', { kind: 'served' }],
    ['3', { kind: 'speed', speed: 3 }],
    ['5', null],
    ['ArrowLeft', { kind: 'seek', seconds: -5 }],
    ['Tab', null],
  ])('the key %s', (key, expected) => expect(filmKey(key)).toEqual(expected));
});

test('pictures are cut where one ends and the next begins, and nowhere else', () => {
  const one = [0xff, 0xd8, 1, 0xff, 0, 0xd9, 0xff, 0xd9];
  const pictures = picturesOf(Uint8Array.from([...one, ...one]));
  expect(pictures.map(({ size }) => size)).toEqual([one.length, one.length]);
  expect(picturesOf(new Uint8Array())).toEqual([]);
});
