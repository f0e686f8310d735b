import { expect, test } from '@jest/globals';
import { adviceSentence } from '../../../src/catalogue/advice/advice-words.ts';

const facts = (tills: number, waitSeconds: number) => ({
  tills,
  startsAt: '2026-11-20T10:22:00.000Z',
  endsAt: '2026-11-20T11:07:00.000Z',
  lateShare: 0.308,
  target: { waitSeconds },
});

test.each([
  [
    1,
    180,
    'Open one more till by 11:20, until about 12:10: otherwise 31% wait longer than 3 min',
    'Bis 11:20 eine weitere Kasse öffnen, etwa bis 12:10: sonst warten 31 % länger als 3 min',
  ],
  [
    4,
    90,
    'Open 4 more tills by 11:20, until about 12:10: otherwise 31% wait longer than 90 s',
    'Bis 11:20 4 weitere Kassen öffnen, etwa bis 12:10: sonst warten 31 % länger als 90 s',
  ],
  [-1, 180, 'One till can close until 12:05', 'Eine Kasse kann bis 12:05 schließen'],
  [-2, 180, 'Two tills can close until 12:05', 'Zwei Kassen können bis 12:05 schließen'],
])('%p tills at a wait of %p s', (tills, wait, english, german) => {
  expect(adviceSentence(facts(tills, wait), 'en', 'Europe/Berlin')).toBe(english);
  expect(adviceSentence(facts(tills, wait), 'de', 'Europe/Berlin')).toBe(german);
});
