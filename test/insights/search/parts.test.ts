import { describe, expect, test } from '@jest/globals';
import { searchPart } from '../../../src/insights/search/part-schema.ts';
import { NO_QUERY, partsOf, withParts } from '../../../src/insights/search/parts.ts';
import { parseQuery } from '../../../src/insights/search/rules/parse-query.ts';
import { QUESTIONS } from './questions.ts';
import { PLACES as NAMED, NOW } from './told.ts';

/** With ids as the database makes them. */
const PLACES = NAMED.map((place, at) => ({ ...place, id: `11111111-1111-4111-8111-11111111111${at}` }));

const meant = { now: NOW, timezone: 'UTC', places: PLACES };
const parse = (query: string) => parseQuery(query, meant);
const questions = QUESTIONS.map(({ query }) => query).filter((_, at) => at % 5 === 0);
/** What a search does with a query. */
const searched = ({ understood: _told, unusedWords: _unused, ...conditions }: ReturnType<typeof parse>) =>
  conditions;

test.each(questions)('%s: its parts, sent back alone, search the same', (query) => {
  const parsed = parse(query);
  const parts = partsOf(parsed);
  expect(searched(withParts(NO_QUERY, parts, PLACES))).toEqual(searched(parsed));
});

describe('the parts of a query', () => {
  const briefly = (query: string) =>
    partsOf(parse(query)).map(({ field, operator, value, text, excludeGroup }) => [
      ...[field, operator, typeof value === 'object' && 'names' in value ? value.names : value],
      ...[text, excludeGroup],
    ]);

  test('have the words from which they come', () => {
    expect(
      briefly('critical alerts at the main entrance yesterday evening with more than five people arguing'),
    ).toEqual([
      ['severity', 'is', 'critical', 'critical', null],
      [
        'time',
        'within',
        { from: '2026-11-17T18:00:00.000Z', before: '2026-11-18T00:00:00.000Z' },
        'yesterday evening',
        null,
      ],
      ['place', 'oneOf', ['Main Entrance'], 'main entrance', null],
      ['word', 'contains', 'arguing', 'arguing', null],
      ['persons', 'atLeast', 6, 'more than five people', null],
    ]);
  });

  test('that are excluded together have one number', () => {
    expect(briefly('except critical alerts at the main entrance, no warnings')).toEqual([
      ['severity', 'is', 'critical', expect.stringContaining('critical'), 0],
      ['place', 'oneOf', ['Main Entrance'], expect.stringContaining('main entrance'), 0],
      ['severity', 'is', 'warning', expect.stringContaining('warnings'), 1],
    ]);
  });

  test.each(questions)('%s: are accepted by a request', (query) => {
    const parts = partsOf(parse(query));
    expect(parts.map((part) => searchPart.safeParse(part).error)).toEqual(parts.map(() => undefined));
    expect(parts.map((part) => searchPart.parse(part))).toEqual(parts);
  });
});

test('parts add to a query: the narrower bound and the shorter time hold', () => {
  const both = withParts(
    parse('yesterday, waits longer than 5 minutes'),
    [
      searchPart.parse({ field: 'waitSeconds', operator: 'moreThan', value: 600 }),
      searchPart.parse({
        field: 'time',
        operator: 'within',
        value: { from: '2026-11-17T12:00:00Z', before: null },
      }),
      searchPart.parse({ field: 'word', operator: 'contains', value: 'Schlange', excludeGroup: 7 }),
    ],
    PLACES,
  );
  expect(both.quantities.waitSeconds).toMatchObject({ moreThan: 600 });
  expect([both.startDate, both.endDate]).toEqual([
    new Date('2026-11-17T12:00:00Z'),
    new Date('2026-11-18T00:00:00Z'),
  ]);
  expect(both.excluded).toMatchObject([{ keywords: [{ word: 'queue' }] }]);
  expect(both.understood.at(-1)).toEqual({ text: null, filter: 'not (words queue)' });
});
