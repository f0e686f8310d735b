import { expect, test } from '@jest/globals';
import { parseQuery } from '../../../src/insights/search/rules/parse-query.ts';
import { anyCharacter, fc } from '../../support/property.ts';
import { NOW, PLACES, told } from './told.ts';

test('blanks mean nothing', () => {
  expect(told('   ', { places: PLACES, tellsUnused: true })).toEqual([]);
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
      const parsed = parseQuery(text, { now: NOW, timezone: 'Europe/Berlin', places: PLACES });
      expect(parsed.keywords.length).toBeLessThanOrEqual(10);
      for (const date of [parsed.startDate, parsed.endDate]) {
        if (date) expect(date.toISOString()).toMatch(/^\d{4}-/);
      }
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
      const parsed = parseQuery(words.join(' '), { now: NOW, timezone: 'UTC', places: PLACES });
      const all = [...parsed.understood.map(({ text }) => text), ...parsed.unusedWords].join(' ').split(' ');
      for (const one of words) if (!SILENT.test(one)) expect([one, all.includes(one)]).toEqual([one, true]);
    }),
  );
});

test('a query that is longer than anybody asks is read at its beginning; the words after it are told as unused', () => {
  const parse = (query: string) => parseQuery(query, { now: NOW, timezone: 'UTC', places: [] });
  const padding = 'zebra '.repeat(64);
  expect(parse(`fights yesterday ${padding}`).understood.map(({ filter }) => filter)).toEqual(
    expect.arrayContaining([expect.stringContaining('time from 2026-11-17')]),
  );
  const { understood, unusedWords } = parse(`${padding} fights yesterday`);
  expect(understood.filter(({ text }) => text?.includes('yesterday'))).toEqual([]);
  expect(unusedWords).toEqual(['fights', 'yesterday']);
});
