import { expect, test } from '@jest/globals';
import { doubtInWords } from '../../../src/catalogue/words/doubt.ts';

/** Hours of a day with these expected errors, from midnight on. */
const hours = (...errors: (number | null)[]) =>
  errors.map((expectedErrorPercent, at) => ({ fromMs: at, toMs: at + 1, expectedErrorPercent }));
const told = (language: 'en' | 'de', ...errors: (number | null)[]) =>
  doubtInWords(hours(...errors), {
    ...{ language, locale: language },
    nameOf: ({ fromMs, toMs }) => `${fromMs}–${toMs} h`,
  });

test('nothing is told of times that are right, or of which nobody knows', () => {
  expect(told('en')).toBeNull();
  expect(told('en', 20, null, 0)).toBeNull();
});

test.each([
  [
    'en',
    [5, 21, 35, null],
    'Numbers of 1–3 h are doubtful: the line was too dense, or seen too badly. Its length may be wrong by 35%.',
  ],
  [
    'de',
    [5, 21, 35, null],
    /^Die Zahlen von 1–3 h sind unsicher: Die Schlange war zu dicht oder zu schlecht zu sehen\. .* um 35\s% falsch sein\.$/,
  ],
  ['en', [90, 2, 90], /^Numbers of 0–1 h and 2–3 h are doubtful/],
  ['en', [90, 2, 90, 2, 90, 90, 2, 90, 90, 90], /^Numbers of 0–1 h, 4–6 h, 7–10 h and more are doubtful/],
  ['de', [90, 2, 90, 2, 90, 90, 2, 90], /^Die Zahlen von .* und weiteren sind unsicher/],
] as const)(
  'in %s of %j neighbours are one span, and the longest are named',
  (language, errors, sentence) => {
    const found = told(language, ...errors);
    if (typeof sentence === 'string') expect(found).toBe(sentence);
    else expect(found).toMatch(sentence);
  },
);
