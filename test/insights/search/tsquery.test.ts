import { expect, test } from '@jest/globals';
import type { Keyword } from '../../../src/insights/search/filters.ts';
import { allOf, anyOf } from '../../../src/insights/search/tsquery.ts';

const asWritten = (words: readonly string[]): Keyword[] => words.map((word) => ({ word, forms: [word] }));

test.each([
  [['fighting'], 'fight:*'],
  [['queues', 'crowded'], 'queu:* & crowd:*'],
  [['glass', 'glasses'], 'glass:* & glass:*'],
  [['argue', 'arguing'], 'argu:* & argu:*'],
  [['bus'], 'bus:*'],
  [['line', 'lines'], 'line:* & line:*'],
  [['Café'], 'cafe:*'],
  [["o'neil", '&|!'], 'oneil:*'],
  [[], ''],
])('the word %j is searched as %s', (words, expected) => {
  expect(allOf(asWritten(words))).toBe(expected);
});

test('any of them', () => {
  expect(anyOf(asWritten(['queue', 'fight']))).toBe('queu:* | fight:*');
});

test('a word with other forms finds any of them, also several words in a row', () => {
  const keywords = [
    { word: 'bag', forms: ['tasche', 'bag'] },
    { word: 'unattended', forms: ['unattended', 'left behind'] },
  ];
  expect(allOf(keywords)).toBe('(tasch:* | bag:*) & (unattend:* | left:* <-> behind:*)');
});
