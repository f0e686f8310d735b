import { z } from 'zod';
import { parseJson } from '../../platform/chat/parse-json.ts';
import { RiskLevel } from '../../platform/prisma-client/enums.ts';

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

/** Small errors are corrected. Only an answer without a summary is refused. */
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
 * Reads the answer from a model's text: plain JSON, JSON in a code fence, or JSON between other words.
 * @param personCount used where the model does not count
 * @returns null when the text has no answer
 */
export function readAnswer(text: string, personCount: number): StructuredResult | null {
  for (const candidate of candidates(text)) {
    const parsed = answer.safeParse(parseJson(candidate));
    if (parsed.success) return { ...parsed.data, personCount: parsed.data.personCount ?? personCount };
  }
  return null;
}

/** The parts of a text that may be its JSON, the most likely first. */
export function* candidates(text: string): Generator<string> {
  yield text;
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1];
  if (fenced) yield fenced;
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from >= 0 && to > from) yield text.slice(from, to + 1);
}

/** Applies the same bounds to a result of the built-in writer. */
export const bounded = (result: StructuredResult): StructuredResult => ({
  ...answer.parse(result),
  personCount: result.personCount,
});
