import { expect, test } from '@jest/globals';
import { chipWords } from '../../../src/page/feed/search/part-words.ts';
import { chipsOf, type SearchPart, withoutChip } from '../../../src/page/feed/search/search-chips.ts';
import { duration } from '../../../src/page/kit/numbers.ts';
import { feed as german } from '../../../src/page/text/de/feed.ts';
import { feed as english } from '../../../src/page/text/en/feed.ts';

const CRITICAL: SearchPart = { field: 'severity', operator: 'is', value: 'critical' };
const LOW: SearchPart = { field: 'riskLevel', operator: 'oneOf', value: ['low', 'medium'], excludeGroup: 0 };
const TILL: SearchPart = {
  field: 'place',
  operator: 'oneOf',
  value: { deviceIds: [], sceneIds: ['0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d02'], names: ['Till 3'] },
  excludeGroup: 0,
};
const WORD: SearchPart = { field: 'word', operator: 'contains', value: '<b>hat</b>', excludeGroup: 1 };
const OPTIONS = { locale: 'en-GB', timezone: 'Europe/Berlin' };

test('parts that exclude together are one condition, and are removed together', () => {
  const parts: readonly SearchPart[] = [CRITICAL, LOW, TILL, WORD];
  const chips = chipsOf(parts);
  expect(chips.map(({ parts: [...of], isExcluded }) => [of.length, isExcluded])).toEqual([
    [1, false],
    [2, true],
    [1, true],
  ]);
  expect(withoutChip(parts, chips[1]!)).toEqual([CRITICAL, WORD]);
  expect(chips.reduce((left, chip) => withoutChip(left, chip), parts)).toEqual([]);
});

test('conditions are said in words', () => {
  const words = (part: SearchPart, texts = english) => chipWords(chipsOf([part])[0]!, texts, OPTIONS);
  expect(words(CRITICAL)).toBe('critical alerts');
  expect(words({ field: 'persons', operator: 'moreThan', value: 3 })).toBe('more than 3 people');
  expect(words({ field: 'waitSeconds', operator: 'atLeast', value: 300 })).toBe(
    `wait at least ${duration(300, 'en-GB')}`,
  );
  expect(words({ field: 'waitSeconds', operator: 'atLeast', value: 300 }, german)).toMatch(
    /^Wartezeit mindestens 5/,
  );
  const time = { from: '2026-01-31T23:00:00.000Z', before: null };
  expect(words({ field: 'time', operator: 'within', value: time })).toMatch(/^from Sun,? 1 Feb.* 00:00$/);
  expect(words(WORD)).toBe('not: “<b>hat</b>”');
  expect(chipWords(chipsOf([LOW, TILL])[0]!, english, OPTIONS)).toBe('not: risk low or medium and Till 3');
});
