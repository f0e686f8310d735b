import { z } from 'zod';
import { valueIn } from './event-stream.ts';
import { parseJson } from './parse-json.ts';

const tokens = z.int().min(0).max(10_000_000).nullish().catch(null);
const part = z.object({ type: z.string().nullish().catch(null), text: z.string().nullish().catch(null) });
/** A text, parts of a text, or the object that was asked for. */
const content = z
  .union([z.string(), z.array(z.union([z.string(), part])), z.looseObject({})])
  .nullish()
  .catch(null);
const call = z
  .object({ arguments: z.union([z.string(), z.looseObject({})]).nullish() })
  .nullish()
  .catch(null);

const message = z.object({
  content,
  reasoning_content: content,
  reasoning: content,
  tool_calls: z
    .array(z.object({ function: call }))
    .nullish()
    .catch(null),
  function_call: call,
  /** The object that a server has made of its text. */
  parsed: z
    .union([z.string(), z.looseObject({})])
    .nullish()
    .catch(null),
  refusal: z.string().nullish().catch(null),
});

const completion = z.object({
  choices: z.array(z.object({ message, finish_reason: z.string().nullish().catch(null) })),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

/** What an empty body says. */
const NOTHING = { choices: [] };

/** An error in the place of an answer, as gateways send it with status 200. */
const failed = z.object({ error: z.union([z.string().min(1), z.looseObject({})]) });
const failedChoice = z.object({ choices: z.tuple([failed], z.unknown()) });

/** @returns the error that stands in the place of an answer, with the status that it names, else 500; null without */
export function errorIn(body: string): { readonly status: number; readonly body: string } | null {
  const parsed = valueIn(body);
  const error = failed.safeParse(parsed).data?.error ?? failedChoice.safeParse(parsed).data?.choices[0].error;
  if (!error) return null;
  const code = typeof error === 'string' ? null : Number(error.code ?? error.status);
  return {
    status: code && Number.isInteger(code) && code >= 400 && code < 600 ? code : 500,
    body: JSON.stringify({ error }),
  };
}

/** What a server says in one answer, wherever it says it. */
export interface Reply {
  readonly text: string;
  /** Thoughts that the server has kept apart. Some servers put the whole answer there. */
  readonly reasoning: string;
  /** Whether the answer ended at the bound of its length. */
  readonly isCut: boolean;
  /** Arguments of called tools, and the object that the server has parsed, as JSON. */
  readonly tools: readonly string[];
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** @returns null where it is no chat completion */
export function readReply(body: string): Reply | null {
  const parsed = completion.safeParse(body.trim() === '' ? NOTHING : valueIn(body));
  if (!parsed.success) return null;
  const { choices, usage } = parsed.data;
  const {
    content: said,
    reasoning_content: thought,
    reasoning,
    tool_calls: calls,
    function_call,
    parsed: object,
    refusal,
  }: Partial<z.output<typeof message>> = choices[0]?.message ?? {};
  const called = [...(calls ?? []).map((one) => one.function), function_call];
  return {
    text: textOf(said) || (refusal ?? ''),
    reasoning: textOf(thought) || textOf(reasoning),
    isCut: choices[0]?.finish_reason === 'length',
    tools: [object, ...called.map((one) => one?.arguments)].flatMap((one) => (one ? [asText(one)] : [])),
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
  };
}

const asText = (value: string | object): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function textOf(said: z.output<typeof content>): string {
  if (!said) return '';
  if (!Array.isArray(said)) return asText(said);
  return said
    .filter((one) => typeof one === 'string' || !/reason|think/i.test(one.type ?? ''))
    .map((one) => (typeof one === 'string' ? one : (one.text ?? '')))
    .join('');
}

/** The sentence with which a server refuses a request, as one line. */
export function sentenceOf(body: string): string {
  const parsed = parseJson(body);
  return (findSentence(parsed) ?? textOfPage(body))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
}

/** A page of a proxy without its tags: its title, else its text. */
function textOfPage(body: string): string {
  if (!/^\s*</.test(body)) return body;
  const title = /<title>([^<]*)/i.exec(body)?.[1]?.trim();
  return (
    title ||
    body
      .slice(0, 10_000)
      .replace(/<[^<>]*>/g, ' ')
      .replaceAll(/[<>]/g, ' ')
  );
}

const NAMES = ['message', 'detail', 'msg', 'error', 'errors', 'title', 'description'] as const;

function findSentence(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value !== 'object' || value === null || depth > 5) return null;
  if (Array.isArray(value)) {
    const all = value.slice(0, 3).flatMap((one) => findSentence(one, depth + 1) ?? []);
    return all.length > 0 ? all.join('; ') : null;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const place = Array.isArray(fields.loc) ? `${fields.loc.join('.')}: ` : '';
  for (const name of NAMES) {
    const found = findSentence(fields[name], depth + 1);
    if (found) return place + found;
  }
  return null;
}
