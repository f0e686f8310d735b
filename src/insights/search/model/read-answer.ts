import { DateTime } from 'luxon';
import { z } from 'zod';
import { type Said as Answered, objectsIn } from '../../../platform/chat/objects-in.ts';
import { RiskLevel, Severity } from '../../../platform/prisma-client/enums.ts';
import {
  type Conditions,
  describeExclusion,
  describeFilter,
  filtersOf,
  type NamedPlace,
  type ParsedQuery,
} from '../filters.ts';
import { keywordsIn, keywordsOf, MOST_KEYWORDS, readWords } from '../rules/keywords.ts';
import { readNames } from '../rules/names.ts';
import type { ParseContext } from '../rules/parse-query.ts';
import { Sentence } from '../rules/sentence.ts';

const KEYWORD_CHARACTERS = 60;
const NAME_CHARACTERS = 100;
const MOST_EXCLUDED = 10;
const MOST_UNUSED = 30;

const words = (most: number) => z.string().transform((text) => text.normalize('NFKC').slice(0, most));
const moment = z.string().max(40).nullish();
const people = z.int().min(0).max(100_000).nullish();
const measured = z.number().min(0).max(1_000_000).nullish();
const bounds = z
  .object({ moreThan: measured, atLeast: measured, lessThan: measured, atMost: measured })
  .nullish();

const conditions = {
  riskLevel: z.array(z.enum(RiskLevel)).max(10).nullish(),
  activityKeywords: z.array(words(KEYWORD_CHARACTERS)).max(100).nullish(),
  severity: z.enum(Severity).nullish(),
  startDate: moment,
  endDate: moment,
  deviceName: words(NAME_CHARACTERS).nullish(),
  sceneName: words(NAME_CHARACTERS).nullish(),
};
const group = z.object(conditions);

/** The fields of a model's answer. All others are ignored. */
export const filters = z.object({
  ...conditions,
  minPersons: z.int().min(1).max(10_000).nullish(),
  maxPersons: people,
  queueLength: bounds,
  waitSeconds: bounds,
  serviceSeconds: bounds,
  excluded: z.array(group).max(MOST_EXCLUDED).nullish(),
  unusedWords: z.array(words(KEYWORD_CHARACTERS)).max(100).nullish(),
});

type Said = z.output<typeof filters>;

/**
 * Reads a model's answer as the same filters that the rules give. Names are looked up among the user's devices and
 * scenes; unknown names become keywords.
 * @returns null when nothing in it fits
 */
export function readFilters(said: Answered, context: ParseContext): ParsedQuery | null {
  for (const object of objectsIn(said)) {
    // What stands inside filters is a part of them.
    if (!Object.keys(object).some((name) => Object.hasOwn(filters.shape, name))) continue;
    const parsed = filters.safeParse(object);
    if (!parsed.success) return null;
    const included = readConditions(parsed.data, context);
    const excluded = (parsed.data.excluded ?? []).map((one) => readConditions(one, context));
    if (!included || !excluded.every((one) => one !== null)) return null;
    const denied = excluded.filter((one) => filtersOf(one).length > 0);
    const told = [
      ...filtersOf(included).map(describeFilter),
      ...denied.map((one) => describeExclusion(filtersOf(one))),
    ];
    return {
      ...included,
      excluded: denied,
      understood: told.map((filter) => ({ text: null, filter })),
      unusedWords: (parsed.data.unusedWords ?? []).slice(0, MOST_UNUSED),
    };
  }
  return null;
}

/** @returns null where a time is invalid, or the end is not after the start */
function readConditions(said: Partial<Said>, { timezone, places }: ParseContext): Conditions | null {
  const startDate = readMoment(said.startDate, timezone);
  const endDate = readMoment(said.endDate, timezone);
  if (startDate === null || endDate === null) return null;
  if (startDate && endDate && startDate >= endDate) return null;
  const named = [said.deviceName, said.sceneName].map((name) => placesNamed(name ?? '', places));
  const keywords = [
    ...keywordsIn((said.activityKeywords ?? []).slice(0, MOST_KEYWORDS).join(' ; '), 'en'),
    ...named.flatMap(({ rest }) => rest),
  ];
  return {
    ...(said.severity && { severity: said.severity }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    riskLevel: [...new Set(said.riskLevel)],
    places: named.flatMap(({ mentions }) => mentions),
    keywords: [...new Map(keywords.map((keyword) => [keyword.word, keyword])).values()].slice(
      0,
      MOST_KEYWORDS,
    ),
    quantities: readQuantities(said),
  };
}

function readQuantities(said: Partial<Said>): Conditions['quantities'] {
  const persons = { atLeast: said.minPersons, atMost: said.maxPersons };
  const { queueLength, waitSeconds, serviceSeconds } = said;
  const all = Object.entries({ persons, queueLength, waitSeconds, serviceSeconds });
  return Object.fromEntries(
    all.flatMap(([measure, given]) => {
      const found = Object.entries(given ?? {}).filter(([, value]) => typeof value === 'number');
      return found.length > 0 ? [[measure, Object.fromEntries(found)]] : [];
    }),
  );
}

/** @returns undefined without a text, null for an invalid time */
function readMoment(text: string | null | undefined, zone: string): Date | undefined | null {
  if (!text) return undefined;
  const time = DateTime.fromISO(text, { zone });
  return time.isValid && time.year >= 1 && time.year <= 9999 ? time.toJSDate() : null;
}

/** The places that a name means, read as in a query after "at", and the remaining words. */
function placesNamed(name: string, places: readonly NamedPlace[]) {
  const sentence = new Sentence(`at ${name}`, 'en');
  readNames(sentence, places);
  const mentions = sentence.phrases.flatMap(({ filter }) => (filter.kind === 'place' ? [filter.places] : []));
  readWords(sentence);
  return { mentions, rest: keywordsOf(sentence) };
}
