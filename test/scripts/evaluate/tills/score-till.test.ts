import { describe, expect, test } from '@jest/globals';
import { parseCounts } from '../../../../scripts/evaluate/tills/counts-file.ts';
import { addStates } from '../../../../scripts/evaluate/tills/score-states.ts';
import {
  addTills,
  compareLooks,
  comparePeople,
  countsOfStays,
  type TillCounts,
  tillFigures,
} from '../../../../scripts/evaluate/tills/score-till.ts';
import { parseStates, statesBySecond } from '../../../../scripts/evaluate/tills/states-file.ts';
import { scoreZone } from '../../../../scripts/evaluate/visits/score-zone.ts';

const NO_TILLS = addStates([]);
const look = (second: number, inQueue: number | null, inService: number | null) => ({
  ...{ second, inQueue, inService },
});

describe('counted people', () => {
  test('an empty cell was not counted, and columns may come in any order', () => {
    const text = 'inService, second ,note,inQueue\n1,0,door,2\n,2.5,,0\n\n,7,nobody looked,\n';
    expect(parseCounts(text, 'c.csv')).toEqual([look(0, 2, 1), look(2.5, 0, null)]);
  });

  test.each([
    [
      'a header without a column',
      'second,inQueue\n1,2\n',
      /first line of the counts c\.csv must be second,inQueue,inService/,
    ],
    [
      'half a person',
      'second,inQueue,inService\n1,2.5,\n',
      /line 2: inQueue \(2\.5\) must be a whole number from 0/,
    ],
    ['no second', 'second,inQueue,inService\n,2,1\n', /line 2: second is empty/],
    ['a header alone', 'second,inQueue,inService\n', /have no line with a count/],
  ])('%s is an error', (_, text, message) => {
    expect(() => parseCounts(text, 'c.csv')).toThrow(message);
  });

  test('come from the labelled stays where nobody counted', () => {
    const stays = { queue: [[0, 2000]], service: [[2000, 3500]] } as const;
    expect(countsOfStays(stays, 3.5)).toEqual([look(0, 1, 0), look(1, 1, 0), look(2, 1, 1), look(3, 0, 1)]);
  });

  test('are compared with back-dated stays, where they are known', () => {
    const ours = {
      queue: [
        [0, 1000],
        [0, 5000],
      ],
      service: [[4000, 6000]],
    } as const;
    const truth = [look(0, 3, null), look(4, 1, 0)];
    expect(comparePeople(truth, ours)).toEqual({ truePeople: 4, ourPeople: 4, peopleError: 2 });
  });

  test.each([
    ['the count of the last frame before it', [look(2, 4, 0)], { compared: 1, withinOne: 1 }],
    ['both zones must be right', [look(2, 3, 2)], { compared: 1, withinOne: 0 }],
    ['a zone that nobody counted is not compared', [look(2, 3, null)], { compared: 1, withinOne: 1 }],
    ['before a stay can be confirmed nothing is', [look(0, 9, 9)], { compared: 0, withinOne: 0 }],
  ])('live counts: %s', (_, truth, expected) => {
    const live = [
      { timeMs: 1900, inQueue: 3, inService: 0 },
      { timeMs: 2100, inQueue: 9, inService: 9 },
    ];
    expect(compareLooks(truth, live, 1)).toEqual(expected);
  });
});

describe('labelled states', () => {
  const parse = (text: string) => parseStates(text, 's.csv', ['a', 'b']);

  test('last until the next row of their till', () => {
    const states = parse('state,tillId,second\nfree,a,0\nclosed,b,1\nserving,a,2\n,b,3\n');
    expect(statesBySecond(states, ['a', 'b'], 4.9)).toEqual([
      ['free', null],
      ['free', 'closed'],
      ['serving', 'closed'],
      ['serving', null],
    ]);
  });

  test.each([
    ['another till', '1,c,free', 'line 2: tillId (c) must be a till of the scene: a, b'],
    [
      'another state',
      '1,a,busy',
      'line 2: state (busy) must be one of serving, free, closed, unknown, or empty',
    ],
    ['no second', ',a,free', 'line 2: second () must be a whole number from 0'],
    ['a part of a second', '1.5,a,free', 'line 2: second (1.5) must be a whole number from 0'],
  ])('%s is an error', (_, line, message) => {
    expect(() => parse(`second,tillId,state\n${line}\n`)).toThrow(message);
  });
});

describe('figures of films', () => {
  const film = (people: TillCounts['people'], waitErrors: readonly number[]): TillCounts => ({
    queue: scoreZone([[0, 4000]], [[0, 3900]], [0, 1000]),
    service: scoreZone(
      [[0, 4000]],
      [
        [3000, 4000],
        [5000, 6000],
      ],
      [0, 1000],
    ),
    ...{ people, waitErrors, serviceErrors: [], looks: { compared: 2, withinOne: 1 } },
    tills: { ...NO_TILLS, seconds: 4, right: 3, services: 2, found: 2, atTill: 1 },
  });
  const films = [
    film({ truePeople: 2, ourPeople: 2, peopleError: 0 }, [0.1]),
    film({ truePeople: 6, ourPeople: 2, peopleError: 4 }, [0.3, 0.5]),
  ];

  test('are sums over the films, not means of their figures', () => {
    expect(tillFigures(addTills(films))).toEqual({
      ...{ trueQueue: 2, ourQueue: 2, queueF1: 1, trueServices: 2, ourServices: 4, serviceF1: 0 },
      ...{ occupancyErrorPercent: 50, biasPercent: -50, withinOnePercent: 50 },
      ...{ waitErrorSeconds: 0.3, serviceErrorSeconds: null },
      tills: expect.objectContaining({ statesRightPercent: 75, services: 4, foundAtTillPercent: 50 }),
    });
  });

  test('are null where there is nothing to compare', () => {
    const { queueF1, biasPercent, withinOnePercent, tills } = tillFigures(addTills([]));
    expect([queueF1, biasPercent, withinOnePercent, tills]).toEqual([null, null, null, null]);
  });
});
