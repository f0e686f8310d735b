import type { ChatClient } from '../../platform/chat/chat-client.ts';
import { VlmFailure } from '../../platform/chat/vlm-failure.ts';
import type { Context } from '../../platform/context.ts';
import { type TokenCount, tokensOf } from '../vlm/count-tokens.ts';
import type { ParsedQuery } from './filters.ts';
import { FILTER_SCHEMA, filterMessages } from './model/prompt.ts';
import { readFilters } from './model/read-answer.ts';
import { languageOf, queryLanguage } from './rules/language.ts';
import { type ParseContext, parseQuery } from './rules/parse-query.ts';
import { reserveForSearch, settleSearch } from './search-tokens.ts';
import { type Correction, corrected, correctSpelling, suspects } from './spelling.ts';

/** The deadline of the model: the caller waits, and the rules are always available. */
const MOST_SECONDS = 8;
const MAX_OUTPUT_TOKENS = 600;
/** Tokens of instructions and schema. A character of a query takes at most two tokens. */
const PROMPT_TOKENS = 1_600;
const TOKENS_PER_CHARACTER = 2;

export interface Interpretation extends TokenCount {
  readonly parsed: ParsedQuery;
  /** The same names as those of insight writers. */
  readonly by: 'rules' | 'openai';
  /** Corrected words. A model corrects without telling. */
  readonly corrections: readonly Correction[];
  /** Why a query in another language was read by rules, which know only English and German. */
  readonly limitedBy?: 'no_model' | 'model_failed';
}

export interface SearchedBy {
  readonly userId: string;
  readonly query: string;
  readonly signal: AbortSignal;
}

/**
 * Understands a query: by the model where SEARCH_PROVIDER is `openai`, or where the query is neither English nor German and
 * there is a model; by rules otherwise or where the model fails.
 * @throws ApiError QUOTA_EXCEEDED when the user has too few tokens left for the model
 */
export async function interpretQuery(
  context: Context,
  searched: SearchedBy,
  meant: ParseContext,
): Promise<Interpretation> {
  const { config, chat } = context;
  const isOther = queryLanguage(searched.query, meant) === 'other';
  const isForModel = config.searchProvider === 'openai' || isOther;
  const understood = isForModel && chat && (await askModel(context, chat, { searched, meant }));
  if (understood) return understood;
  const limited = isOther && { limitedBy: chat ? ('model_failed' as const) : ('no_model' as const) };
  return { ...(await interpretByRules(context, searched, meant)), ...limited };
}

/** Reads the query by rules. Unknown words are corrected to similar known words, and the query is read again. */
async function interpretByRules(
  { db, logger }: Context,
  { userId, query }: SearchedBy,
  meant: ParseContext,
): Promise<Interpretation> {
  const asWritten = parseQuery(query, meant);
  const asked = { words: suspects(asWritten), places: meant.places, language: languageOf(query) };
  const corrections = await correctSpelling(db, userId, asked).catch((error: unknown) => {
    logger.warn(
      { err: error },
      'The words of a search are not corrected: the lookup of similar words failed',
    );
    return [];
  });
  const parsed = corrections.length > 0 ? parseQuery(corrected(query, corrections), meant) : asWritten;
  return { parsed, by: 'rules', corrections, inputTokens: 0, outputTokens: 0 };
}

/**
 * Tokens are reserved before the request and settled after it; a failure gives all of them back.
 * @returns null when the model failed
 */
async function askModel(
  { config, db, clock, logger }: Context,
  client: ChatClient,
  { searched, meant }: { searched: SearchedBy; meant: ParseContext },
): Promise<Interpretation | null> {
  const { userId, query, signal } = searched;
  const quantity = PROMPT_TOKENS + TOKENS_PER_CHARACTER * query.length + MAX_OUTPUT_TOKENS;
  const sourceId = await reserveForSearch({ db, clock }, { userId, quantity });
  let used = 0;
  try {
    const messages = filterMessages(query, meant);
    const answer = await client.ask({
      messages,
      schema: { name: 'filters', schema: FILTER_SCHEMA },
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      timeoutSeconds: Math.min(config.vlmTimeoutSeconds, MOST_SECONDS),
      signal,
      isReadable: (reply) => readFilters(reply, meant) !== null,
    });
    const parsed = readFilters(answer, meant);
    if (!parsed) throw new VlmFailure('VLM_PARSE_FAILURE', 'The model gave no readable filters.');
    const tokens = tokensOf(answer);
    used = tokens.inputTokens + tokens.outputTokens;
    return { parsed, by: 'openai', corrections: [], ...tokens };
  } catch (error) {
    if (!(error instanceof VlmFailure)) throw error;
    logger.warn({ code: error.code }, `A search is understood by rules instead: ${error.message}`);
    return null;
  } finally {
    await settleSearch({ db, clock }, sourceId, used);
  }
}
