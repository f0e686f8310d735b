import { describe, expect, test } from '@jest/globals';
import { mendJson } from '../../../src/platform/chat/mend-json.ts';

const MEANT = { summary: "It's busy: 6 {people}.", count: 6, list: ['a', 'b'], inner: { known: null } };
const json = JSON.stringify(MEANT);
const pretty = JSON.stringify(MEANT, null, 2);

describe('almost JSON is read', () => {
  test.each<[string, string]>([
    ['as it is', json],
    ['single quotes with an apostrophe', json.replaceAll('"', "'")],
    ['typographic quotes', json.replaceAll(/"([^"]*)"/g, '“$1”')],
    ['German quotes', json.replaceAll(/"([^"]*)"/g, '„$1“')],
    ['keys without quotes', json.replaceAll(/"(\w+)":/g, '$1: ')],
    ['commas before closing brackets', pretty.replaceAll(/\n(\s*[}\]])/g, ',\n$1')],
    ['no comma at the end of a line', pretty.replaceAll(',\n', '\n')],
    [
      'comments',
      pretty.replace('6,', '6, // as "counted" {here}').replace('"list"', '/* all, of them */ "list"'),
    ],
    ['comments of Python', pretty.replace('6,', '6, # counted')],
    ['words of Python', json.replace('null', 'None')],
    ['words of JavaScript', json.replace('null', 'undefined')],
    ['no number', json.replace('null', 'NaN')],
    ['an escape that JSON does not know', json.replace("It's", "It\\'s")],
    ['words after it', `${json} and {so} on`],
  ])('%s', (_name, text) => {
    expect(mendJson(text, 0).value).toEqual(MEANT);
  });

  test('quotes inside a text', () => {
    expect(mendJson('{"summary": "A sign says "closed" here."}', 0).value).toEqual({
      summary: 'A sign says "closed" here.',
    });
  });
});

test.each([
  '{',
  '{so} on',
  '{"a": ',
  '{"a": "b',
  "{'a': 'b",
  '{a: b}',
  '{1, 2}',
  '{"a": 1]',
  '{/* a',
  '{"a" | 1}',
])('nothing is made of %j', (text) => {
  const { value, end } = mendJson(text, 0);
  expect(value).toBeUndefined();
  expect(end).toBeGreaterThan(0);
});
