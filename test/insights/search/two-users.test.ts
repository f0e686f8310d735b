import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import type { Bounds, Conditions, NamedPlace } from '../../../src/insights/search/filters.ts';
import { parseQuery } from '../../../src/insights/search/read/parse-query.ts';

// Questions of two people for each language: one is terse, one is chatty. The rules were tuned on the tuned half; the held
// half was first asked when they were done.

const ZONE = 'Europe/Berlin';
/** A Wednesday, 15:30 at the shop. */
const NOW = new Date('2026-11-18T14:30:00Z');
const DEVICES = [
  'Till 1',
  'Till 2',
  'Till 3',
  'Kasse 7',
  'Bakery',
  'Bäckerei Süd',
  'Main Entrance',
  'Information desk',
];
const SCENES = ['Checkout area', 'Pharmacy', 'Lobby'];
const PLACES: NamedPlace[] = [
  ...DEVICES.map((name) => ({ kind: 'device' as const, id: name, name })),
  ...SCENES.map((name) => ({ kind: 'scene' as const, id: name, name })),
];

const SIGNS = { moreThan: '>', atLeast: '>=', lessThan: '<', atMost: '<=' } as const;

function told(query: string, locale: string): string[] {
  const parsed = parseQuery(query, { now: NOW, timezone: ZONE, locale, places: PLACES });
  const { persons, queueLength, waitSeconds, serviceSeconds } = parsed.quantities;
  return [
    ...conditions(parsed),
    ...bounds('persons', persons),
    ...bounds('queue', queueLength),
    ...bounds('wait', waitSeconds),
    ...bounds('service', serviceSeconds),
    ...parsed.excluded.map((one) => `not (${conditions(one).join('; ')})`),
  ].sort();
}

const time = (at: Date) =>
  DateTime.fromJSDate(at, { zone: ZONE }).toFormat("yyyy-LL-dd'T'HH:mm").replace('T00:00', '');

const conditions = ({ startDate, endDate, severity, riskLevel, places, keywords }: Conditions): string[] => [
  ...(startDate ? [`from ${time(startDate)}`] : []),
  ...(endDate ? [`to ${time(endDate)}`] : []),
  ...(severity ? [severity] : []),
  ...(riskLevel.length > 0 ? [`risk ${riskLevel.join(',')}`] : []),
  ...places.map((place) => `at ${place.map(({ name }) => name).join(' | ')}`),
  ...(keywords.length > 0 ? [`words ${keywords.map(({ word }) => word).join(' ')}`] : []),
];

const bounds = (name: string, given: Bounds | undefined): string[] => {
  const said = (Object.keys(SIGNS) as (keyof typeof SIGNS)[]).flatMap((key) =>
    given?.[key] === undefined ? [] : [`${SIGNS[key]}${given[key]}`],
  );
  return said.length > 0 ? [`${name} ${said.join(' ')}`] : [];
};

const sections = readFileSync(new URL('two-users.txt', import.meta.url), 'utf8')
  .split(/^# /m)
  .slice(1);
const QUESTIONS = sections.flatMap((section) => {
  const [title, ...lines] = section.trim().split('\n');
  const locale = title!.split(' ')[2]!;
  return lines.map((line) => {
    const [query, meant] = line.split(' => ');
    return { title: title!, locale, query: query!, meant: meant!.split('; ').sort() };
  });
});

test('there are 120 questions, half of them held back', () => {
  expect(QUESTIONS).toHaveLength(120);
  expect(QUESTIONS.filter(({ title }) => title.includes('held'))).toHaveLength(60);
});

describe.each(QUESTIONS.map((question) => [question.title, question.query, question] as const))(
  '%s: “%s”',
  (_title, _query, { query, locale, meant }) => {
    test('has exactly the filters that it means', () => {
      expect(told(query, locale)).toEqual(meant);
    });
  },
);
