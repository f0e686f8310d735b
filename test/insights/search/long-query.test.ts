import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '../../../src/insights/search/rules/parse-query.ts';

const parse = (query: string) =>
  parseQuery(query, { now: new Date('2026-11-26T10:00:00Z'), timezone: 'UTC', places: [] });

describe('a query that is longer than anybody asks', () => {
  test('is read at its beginning; the words after it are told as unused', () => {
    const padding = 'zebra '.repeat(64);
    expect(parse(`fights yesterday ${padding}`).understood.map(({ filter }) => filter)).toEqual(
      expect.arrayContaining([expect.stringContaining('time from 2026-11-25')]),
    );
    const { understood, unusedWords } = parse(`${padding} fights yesterday`);
    expect(understood.filter(({ text }) => text?.includes('yesterday'))).toEqual([]);
    expect(unusedWords).toEqual(['fights', 'yesterday']);
  });

  test('leaves a weekday to the week that is said', () => {
    const alone = parse('monday last week');
    expect(alone.startDate?.toISOString()).toBe('2026-11-16T00:00:00.000Z');
    expect(alone.endDate?.toISOString()).toBe('2026-11-17T00:00:00.000Z');
  });
});
