import { readFileSync } from 'node:fs';
import { type Asked, placesOf } from './told.ts';

/** A question with the filters that it means. */
export interface Question {
  readonly query: string;
  readonly meant: readonly string[];
  readonly asked: Asked;
}

// Two tables, each with a line of titles: where people ask, then what they ask and mean.
const [shops, asked] = readFileSync(new URL('questions.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .map((table) =>
    table
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')),
  );

const listed = (names: string | undefined) => (names ? names.split(', ') : []);
const SHOPS = new Map(
  shops!.map(([shop, zone, now, unused, devices, scenes]) => [
    shop,
    {
      zone: zone!,
      now: new Date(now!),
      tellsUnused: unused === 'yes',
      places: placesOf(listed(devices), listed(scenes)),
    },
  ]),
);

export const QUESTIONS = asked!.map(
  ([shop, language, query, meant]): Question => ({
    query: query!,
    asked: { ...SHOPS.get(shop)!, locale: language === '-' ? null : language! },
    meant: meant === 'nothing' ? [] : meant!.split('; ').sort(),
  }),
);
