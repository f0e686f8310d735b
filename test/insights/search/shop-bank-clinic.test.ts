import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { placesOf, told } from './told.ts';

// What people of a shop, a bank and a clinic type. Nearly all of it was written before it was asked.

const DEVICES = [
  'Till 1',
  'Till 2',
  'Till 3',
  'Kasse 7',
  'Counter 1',
  'Counter 2',
  'Schalter 4',
  'Main Entrance',
  'Waiting room',
  'Wartezimmer',
];
const SCENES = ['Checkout area', 'Pharmacy', 'Reception'];
const PLACES = placesOf(DEVICES, SCENES);

const sections = readFileSync(new URL('shop-bank-clinic.txt', import.meta.url), 'utf8')
  .split(/^# /m)
  .slice(1);
const QUESTIONS = sections.flatMap((section) => {
  const [locale, ...lines] = section.trim().split('\n');
  return lines.map((line) => {
    const [query, meant] = line.split(' => ');
    return { locale: locale!, query: query!, meant: meant!.split('; ').sort() };
  });
});

test.each(QUESTIONS.map((question) => [question.locale, question.query, question] as const))(
  '%s: “%s” has exactly the filters that it means',
  (_locale, _query, { query, locale, meant }) => {
    expect(told(query, locale, PLACES)).toEqual(meant);
  },
);
