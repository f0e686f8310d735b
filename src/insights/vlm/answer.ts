import { z } from 'zod';
import { objectsIn, type Said } from '../../platform/chat/objects-in.ts';
import { RiskLevel } from '../../platform/prisma-client/enums.ts';
import { isEcho, riskOf } from './risk-words.ts';

/** The text and fields of an insight, within their bounds. */
export interface StructuredResult {
  readonly summary: string;
  readonly personCount: number;
  readonly riskLevel: RiskLevel;
  readonly activities: readonly string[];
  readonly suggestions: readonly string[];
  readonly environment: string;
}

const MAX_SUMMARY = 500;
const MAX_ITEM = 200;
const MAX_ENVIRONMENT = 50;
const MAX_ACTIVITIES = 5;
const MAX_SUGGESTIONS = 3;
const MOST_PEOPLE = 10_000;

/** The JSON schema for servers that support one. Strict mode has no bounds: texts are cut afterwards. */
export const ANSWER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'personCount', 'riskLevel', 'activities', 'suggestions', 'environment'],
  properties: {
    summary: { type: 'string', description: 'What is seen and why it matters, at most 500 characters' },
    personCount: { type: 'integer', description: 'People visible in the first picture' },
    riskLevel: { type: 'string', enum: Object.values(RiskLevel) },
    activities: { type: 'array', items: { type: 'string' }, description: 'At most 5, a few words each' },
    suggestions: { type: 'array', items: { type: 'string' }, description: 'At most 3, what staff should do' },
    environment: { type: 'string', description: 'The place in at most 50 characters' },
  },
} as const;

const cut = (text: string, max: number): string => {
  const clean = text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  const characters = [...clean];
  return clean.length <= max ? clean : `${cutToUnits(characters, max - 1).trimEnd()}…`;
};

/** As many whole characters as fit. */
function cutToUnits(characters: readonly string[], max: number): string {
  let text = '';
  for (const character of characters) {
    if (text.length + character.length > max) break;
    text += character;
  }
  return text;
}

/** A text, or the texts of an object, as in `{"action": "Open till 2"}`. */
const textsIn = (value: unknown): string[] =>
  (typeof value === 'object' && value !== null ? Object.values(value) : [value]).filter(
    (text): text is string => typeof text === 'string',
  );

const textList = (most: number) =>
  z
    .unknown()
    .optional()
    .transform((value) =>
      (Array.isArray(value) ? value : [value])
        .flatMap((item: unknown) => textsIn(item).slice(0, 1))
        .map((item) => cut(item, MAX_ITEM))
        .filter((item) => item !== '')
        .slice(0, most),
    );

/** A whole number of people, also in quotes; null for anything else. */
function countOf(said: unknown): number | null {
  const count = typeof said === 'string' && /^\s*\d+(\.0+)?\s*$/.test(said) ? Number(said) : said;
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MOST_PEOPLE ? Number(count) : null;
}

/** Small errors are corrected. Only an answer without a summary is refused. */
const answer = z.object({
  summary: z
    .string()
    .transform((text) => cut(text, MAX_SUMMARY))
    .refine((text) => text !== ''),
  personCount: z.unknown().optional().transform(countOf),
  riskLevel: z
    .unknown()
    .optional()
    .transform((value) => textsIn(value).join(' ')),
  activities: textList(MAX_ACTIVITIES),
  suggestions: textList(MAX_SUGGESTIONS),
  environment: z
    .string()
    .catch('')
    .transform((text) => cut(text, MAX_ENVIRONMENT)),
});

const plainKey = (key: string): string => key.replace(/[_\s-]/g, '').toLowerCase();
const KEYS = new Map(ANSWER_SCHEMA.required.map((key) => [plainKey(key), key]));

/** An object with our keys also where the model writes `risk_level` or `RiskLevel`. */
const inOurNames = (object: object): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [KEYS.get(plainKey(key)) ?? key, value]));

/**
 * Reads the answer of a model: the last object that has a summary, and no list of all levels in place of one.
 * @param personCount used where the model does not count
 * @param acceptsEcho whether such a list is taken for a medium risk, because the model has been asked twice
 * @returns null without such an object
 */
export function readAnswer(
  said: Said,
  personCount: number,
  { acceptsEcho = false } = {},
): StructuredResult | null {
  for (const object of objectsIn(said)) {
    const { success, data } = answer.safeParse(inOurNames(object));
    if (!success || (isEcho(data.riskLevel) && !acceptsEcho)) continue;
    return { ...data, personCount: data.personCount ?? personCount, riskLevel: riskOf(data.riskLevel) };
  }
  return null;
}

/** Applies the same bounds to a result of the built-in writer. */
export const bounded = (result: StructuredResult): StructuredResult => ({
  ...answer.parse(result),
  personCount: result.personCount,
  riskLevel: result.riskLevel,
});
