import { describe, expect, test } from '@jest/globals';
import { searchPart } from '../../../src/insights/search/part-schema.ts';
import { NO_QUERY, partsOf, withParts } from '../../../src/insights/search/parts.ts';
import { parseQuery } from '../../../src/insights/search/rules/parse-query.ts';
import { allOf, anyOf } from '../../../src/insights/search/tsquery.ts';
import { anyCharacter, fc } from '../../support/property.ts';
import { NOW, PLACES, QUESTIONS, told } from './questions.ts';

/** With ids as the database makes them. */
const places = PLACES.map((place, at) => ({ ...place, id: `11111111-1111-4111-8111-11111111111${at}` }));
const parse = (query: string) => parseQuery(query, { now: NOW, timezone: 'UTC', places });
const filtersIn = (query: string) => parse(query).understood.map(({ filter }) => filter);

// What people asked or might ask, with exactly the filters that it means. Most meanings were written before the rules.
test.each(QUESTIONS.map((question) => [question.query, question] as const))(
  '“%s” has exactly the filters that it means',
  (query, { asked, meant }) => {
    expect(told(query, asked)).toEqual(meant);
  },
);

test('blanks mean nothing', () => {
  expect(told('   ', { places, tellsUnused: true })).toEqual([]);
});

test('whatever is written, it is understood within bounds and never throws', () => {
  const words = fc.constantFrom(
    'yesterday', 'last', 'week', '3', '31.12.9999', '99:99', 'between', 'and', 'people', 'more than', 'at', 'end of',
    'till 3', 'risk', 'high', '0 days ago', '9999 years ago', 'past 9999 years', 'gestern', 'Anfang', '上', '前', 'ğß', '𝔘', '.*', '\\', '(',
  ); // biome-ignore format: a list of words
  const query = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 500 }),
    fc.array(words, { maxLength: 40 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(query, (text) => {
      const parsed = parseQuery(text, { now: NOW, timezone: 'Europe/Berlin', places });
      expect(parsed.keywords.length).toBeLessThanOrEqual(10);
      for (const date of [parsed.startDate, parsed.endDate])
        if (date) expect(date.toISOString()).toMatch(/^\d{4}-/);
    }),
  );
});

test('every word is understood, listed as unused, or a function word', () => {
  const word = fc.constantFrom(
    'no', 'except', 'critical', 'till', '3', 'queue', 'longer', 'than', '5', 'minutes', 'yesterday', 'people', 'zebras', 'or',
    'nobody', 'waiting', 'risk', 'high', 'between', 'and', 'at', 'most', 'hours', 'last', 'morning',
  ); // biome-ignore format: a list of words
  const SILENT = /^(or|and|at|people|between|than|most|queue)$/;
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 10 }), (words) => {
      const parsed = parse(words.join(' '));
      const all = [...parsed.understood.map(({ text }) => text), ...parsed.unusedWords].join(' ').split(' ');
      for (const one of words) if (!SILENT.test(one)) expect([one, all.includes(one)]).toEqual([one, true]);
    }),
  );
});

test('a query that is longer than anybody asks is read at its beginning; the words after it are told as unused', () => {
  const padding = 'zebra '.repeat(64);
  const yesterday = expect.stringContaining('time from 2026-11-17');
  expect(filtersIn(`fights yesterday ${padding}`)).toEqual(expect.arrayContaining([yesterday]));
  expect(filtersIn(`${padding} fights yesterday`)).not.toEqual(expect.arrayContaining([yesterday]));
  expect(parse(`${padding} fights yesterday`).unusedWords).toEqual(['fights', 'yesterday']);
});

describe('the parts of a query', () => {
  test('are accepted by a request and, sent back alone, search the same', () => {
    for (const { query } of QUESTIONS) {
      const { understood: _told, unusedWords: _unused, ...searched } = parse(query);
      const parts = partsOf(parse(query));
      expect([query, parts.map((part) => searchPart.parse(part))]).toEqual([query, parts]);
      expect([query, withParts(NO_QUERY, parts, places)]).toMatchObject([query, searched]);
    }
  });

  const briefly = (query: string) =>
    partsOf(parse(query)).map(({ field, operator, value, text, excludeGroup }) => [
      ...[field, operator, typeof value === 'object' && 'names' in value ? value.names : value],
      ...[text, excludeGroup],
    ]);

  test('have the words from which they come', () => {
    const evening = { from: '2026-11-17T18:00:00.000Z', before: '2026-11-18T00:00:00.000Z' };
    expect(
      briefly('critical alerts at the main entrance yesterday evening with more than five people arguing'),
    ).toEqual([
      ['severity', 'is', 'critical', 'critical', null],
      ['time', 'within', evening, 'yesterday evening', null],
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

  test('add to a query: the narrower bound and the shorter time hold', () => {
    const more = [
      { field: 'waitSeconds', operator: 'moreThan', value: 600 },
      { field: 'time', operator: 'within', value: { from: '2026-11-17T12:00:00Z', before: null } },
      { field: 'word', operator: 'contains', value: 'Schlange', excludeGroup: 7 },
    ].map((part) => searchPart.parse(part));
    const both = withParts(parse('yesterday, waits longer than 5 minutes'), more, places);
    expect(both).toMatchObject({
      quantities: { waitSeconds: { moreThan: 600 } },
      startDate: new Date('2026-11-17T12:00:00Z'),
      endDate: new Date('2026-11-18T00:00:00Z'),
      excluded: [{ keywords: [{ word: 'queue' }] }],
    });
    expect(both.understood.at(-1)).toEqual({ text: null, filter: 'not (words queue)' });
  });
});

test.each<[all: string, any: string, words: (string | string[])[]]>([
  ['fight:*', 'fight:*', ['fighting']],
  ['queu:* & crowd:*', 'queu:* | crowd:*', ['queues', 'crowded']],
  ['glass:* & glass:*', 'glass:* | glass:*', ['glass', 'glasses']],
  ['argu:* & argu:*', 'argu:* | argu:*', ['argue', 'arguing']],
  ['bus:*', 'bus:*', ['bus']],
  ['line:* & line:*', 'line:* | line:*', ['line', 'lines']],
  ['cafe:*', 'cafe:*', ['Café']],
  ['oneil:*', 'oneil:*', ["o'neil", '&|!']],
  ['', '', []],
  // A word with other forms finds any of them, also several words in a row.
  [
    '(tasch:* | bag:*) & left:* <-> behind:*',
    '(tasch:* | bag:*) | left:* <-> behind:*',
    [['tasche', 'bag'], ['left behind']],
  ],
])('words are searched as %s, or any of them', (all, any, words) => {
  const keywords = words.map((forms) => ({ word: String(forms), forms: [forms].flat() }));
  expect([allOf(keywords), anyOf(keywords)]).toEqual([all, any]);
});
