import { z } from 'zod';
import { RiskLevel } from '../../platform/prisma-client/enums.ts';

/** What an insight says, within its bounds. */
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

/** For servers that hold their model to a JSON schema. Bounds are not part of strict mode: they are cut afterwards. */
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

/** Whole characters, as many as fit. */
function cutToUnits(characters: readonly string[], max: number): string {
  let text = '';
  for (const character of characters) {
    if (text.length + character.length > max) break;
    text += character;
  }
  return text;
}

const textList = (most: number) =>
  z
    .unknown()
    .optional()
    .transform((value) =>
      (Array.isArray(value) ? value : [value])
        .filter((item): item is string => typeof item === 'string')
        .map((item) => cut(item, MAX_ITEM))
        .filter((item) => item !== '')
        .slice(0, most),
    );

/** Slightly wrong is made right; only without a summary there is nothing to keep. */
const answer = z.object({
  summary: z
    .string()
    .transform((text) => cut(text, MAX_SUMMARY))
    .refine((text) => text !== ''),
  personCount: z.coerce
    .number()
    .transform((count) => Math.min(MOST_PEOPLE, Math.max(0, Math.round(count))))
    .nullable()
    .catch(null),
  riskLevel: z
    .string()
    .transform((level) => level.trim().toLowerCase())
    .pipe(z.enum(RiskLevel))
    .catch('medium'),
  activities: textList(MAX_ACTIVITIES),
  suggestions: textList(MAX_SUGGESTIONS),
  environment: z
    .string()
    .catch('')
    .transform((text) => cut(text, MAX_ENVIRONMENT)),
});

/**
 * The answer in a model's text: plain JSON, JSON in a code fence, or JSON with talk around it.
 * @param personCount where the model does not count
 * @returns null when there is none
 */
export function readAnswer(text: string, personCount: number): StructuredResult | null {
  for (const candidate of candidates(text)) {
    const parsed = answer.safeParse(parseJson(candidate));
    if (parsed.success) return { ...parsed.data, personCount: parsed.data.personCount ?? personCount };
  }
  return null;
}

/** Every place where a text may hold its JSON, the likeliest first. */
export function* candidates(text: string): Generator<string> {
  yield text;
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1];
  if (fenced) yield fenced;
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from >= 0 && to > from) yield text.slice(from, to + 1);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same bounds for what we write ourselves. */
export const bounded = (result: StructuredResult): StructuredResult => ({
  ...result,
  summary: cut(result.summary, MAX_SUMMARY),
  activities: result.activities.slice(0, MAX_ACTIVITIES).map((item) => cut(item, MAX_ITEM)),
  suggestions: result.suggestions.slice(0, MAX_SUGGESTIONS).map((item) => cut(item, MAX_ITEM)),
  environment: cut(result.environment, MAX_ENVIRONMENT),
});
