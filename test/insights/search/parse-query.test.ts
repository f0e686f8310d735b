import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '../../../src/insights/search/rules/parse-query.ts';
import { anyCharacter, fc } from '../../support/property.ts';
import { NOW, PLACES, told } from './told.ts';

test('blanks mean nothing', () => {
  expect(told('   ', { places: PLACES, tellsUnused: true })).toEqual([]);
});

describe('a time zone', () => {
  // The day of the change has 23 hours.
  const afterChange = new Date('2026-03-30T10:00:00Z');
  test.each<[string, string, Date | undefined, string[]]>([
    ['yesterday evening', 'America/New_York', undefined, ['from 2026-11-17T18:00', 'to 2026-11-18']],
    ['today', 'Asia/Tokyo', new Date('2026-11-18T20:00:00Z'), ['from 2026-11-19', 'to 2026-11-20']],
    ['yesterday', 'Europe/Berlin', afterChange, ['from 2026-03-29', 'to 2026-03-30']],
    ['yesterday morning', 'Europe/Berlin', afterChange, ['from 2026-03-29T06:00', 'to 2026-03-29T12:00']],
    ['on 28 March at 15:00', 'Europe/Berlin', afterChange, ['from 2026-03-28T15:00', 'to 2026-03-28T16:00']],
  ])('%s in %s is by the local clock, also when clocks change', (query, zone, now, expected) => {
    expect(told(query, { places: PLACES, zone, ...(now && { now }) })).toEqual(expected);
  });
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
