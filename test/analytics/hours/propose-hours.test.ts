import { expect, test } from '@jest/globals';
import { proposeHours, type SeenDay } from '../../../src/analytics/hours/propose-hours.ts';
import { createRandom } from '../../../src/simulator/random.ts';

/** Hours of a day in which people come, with how many of them in a quarter of an hour. */
type Shop = (weekday: number) => readonly (readonly [from: number, to: number, rate: number])[];

function daysOf(
  shop: Shop,
  { days = 28, seed = 1, unseen = (_day: number): boolean => false } = {},
): SeenDay[] {
  const random = createRandom(seed);
  return Array.from({ length: days }, (_, day) => ({
    weekday: day % 7,
    isSeen: !unseen(day),
    arrivals: Array.from({ length: 96 }, (_, quarter) => {
      const hour = quarter / 4;
      const rate = shop(day % 7).reduce(
        (all, [from, to, each]) => all + (hour >= from && hour < to ? each : 0),
        0,
      );
      let people = 0;
      for (let left = Math.exp(-rate), product = random.next(); product > left; product *= random.next())
        people += 1;
      return unseen(day) ? 0 : people;
    }),
  }));
}

const CASES: [string, Shop, [number[], string, string][]][] = [
  [
    'a supermarket that is closed on Sunday',
    (day) =>
      day < 6
        ? [
            [8, 20, 6],
            [17, 19, 12],
          ]
        : [],
    [[[1, 2, 3, 4, 5, 6], '08:00', '20:00']],
  ],
  [
    'shorter on Saturday, somebody who cleans at six',
    (day) =>
      day < 5
        ? [
            [9, 18.5, 4],
            [6, 6.25, 1],
          ]
        : day === 5
          ? [[9, 14, 5]]
          : [],
    [
      [[1, 2, 3, 4, 5], '09:00', '18:30'],
      [[6], '09:00', '14:00'],
    ],
  ],
  [
    'a break at noon',
    (day) =>
      day < 5
        ? [
            [8, 12, 3],
            [14, 18, 3],
          ]
        : [],
    [
      [[1, 2, 3, 4, 5], '08:00', '12:00'],
      [[1, 2, 3, 4, 5], '14:00', '18:00'],
    ],
  ],
  [
    'a bar, until after midnight',
    (day) => [...(day > 2 ? [[18, 24, 4]] : []), ...(day > 3 || day === 0 ? [[0, 2, 4]] : [])] as never,
    [[[4, 5, 6, 7], '18:00', '02:00']],
  ],
  [
    'day and night',
    () => [
      [0, 24, 2],
      [7, 22, 4],
    ],
    [[[1, 2, 3, 4, 5, 6, 7], '00:00', '00:00']],
  ],
];

test.each(CASES)('%s', (_name, shop, expected) => {
  for (const seed of [1, 2, 3]) {
    const { windows, reason } = proposeHours(daysOf(shop, { seed }));
    expect([reason, windows?.map(({ days, start, end }) => [days, start, end])]).toEqual([null, expected]);
  }
});

test('days without frames and holidays change nothing; few days or people say nothing', () => {
  const shop: Shop = (day) => (day < 6 ? [[8, 20, 6]] : []);
  const days = daysOf(shop, { unseen: (day) => day === 3 || day === 12 });
  const holiday = { ...days[8]!, arrivals: Array.from({ length: 96 }, () => 0) };
  expect(proposeHours(days.with(8, holiday)).windows).toEqual([
    { days: [1, 2, 3, 4, 5, 6], start: '08:00', end: '20:00' },
  ]);
  expect(proposeHours(daysOf(shop, { days: 13 })).reason).toBe('tooFewDays');
  expect(proposeHours(daysOf(() => [[8, 20, 0.1]])).reason).toBe('tooFewPeople');
  expect(proposeHours([]).reason).toBe('tooFewDays');
});
