import { expect, test } from '@jest/globals';
import { allOf, anyOf } from '../../../src/insights/search/tsquery.ts';

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
])('%j becomes %s', (words, expected) => {
  expect(allOf(words)).toBe(expected);
});

test('any of them', () => {
  expect(anyOf(['queue', 'fight'])).toBe('queu:* | fight:*');
});
