import type { ChatClient } from '../../platform/chat/chat-client.ts';
import { VlmFailure } from '../../platform/chat/vlm-failure.ts';
import type { Context } from '../../platform/context.ts';
import { type TokenCount, tokensOf } from '../vlm/count-tokens.ts';
import type { ParsedQuery } from './filters.ts';
import { FILTER_SCHEMA, filterMessages } from './model/prompt.ts';
import { readFilters } from './model/read-answer.ts';
import { type ParseContext, parseQuery } from './read/parse-query.ts';
import { reserveForSearch, settleSearch } from './search-tokens.ts';
import { type Correction, corrected, correctSpelling, suspects } from './spelling.ts';

/** Somebody waits for the answer, and the parser is ready. */
const MOST_SECONDS = 8;
const MAX_OUTPUT_TOKENS = 600;
/** Instructions and schema; a character of a query may be two tokens. */
const PROMPT_TOKENS = 1_600;
const TOKENS_PER_CHARACTER = 2;

export interface Interpretation extends TokenCount {
  readonly parsed: ParsedQuery;
  /** Named as the writers of insights are. */
  readonly by: 'rules' | 'openai';
  /** Misspelt words and what they were read as; a model corrects without saying so. */
  readonly corrections: readonly Correction[];
}

export interface SearchedBy {
  readonly userId: string;
  readonly query: string;
  readonly signal: AbortSignal;
}

/**
 * Understands a query: by the model where one is switched on, by the parser where not, or where the model fails.
 * @throws ApiError QUOTA_EXCEEDED when the user has no tokens left for the model
 */
export async function interpretQuery(
  context: Context,
  searched: SearchedBy,
  meant: ParseContext,
): Promise<Interpretation> {
  const { config, chat } = context;
  const understood =
    config.searchProvider === 'openai' && chat && (await askModel(context, chat, { searched, meant }));
  return understood || interpretByRules(context, searched, meant);
}

/** Words that nothing knows are looked up among those like them, then the query is read once more. */
async function interpretByRules(
  { db, logger }: Context,
  { userId, query }: SearchedBy,
  meant: ParseContext,
): Promise<Interpretation> {
  const asWritten = parseQuery(query, meant);
  const asked = { words: suspects(asWritten), places: meant.places };
  const corrections = await correctSpelling(db, userId, asked).catch((error: unknown) => {
    logger.warn({ err: error }, 'The words of a search stay as they are written: looking up others failed');
    return [];
  });
  const parsed = corrections.length > 0 ? parseQuery(corrected(query, corrections), meant) : asWritten;
  return { parsed, by: 'rules', corrections, inputTokens: 0, outputTokens: 0 };
}

/** Tokens are reserved before and settled to what was used; a failure gives them all back. @returns null when it failed */
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
    });
    const parsed = readFilters(answer.text, meant);
    if (!parsed) throw new VlmFailure('VLM_PARSE_FAILURE', 'The model gave no readable filters.');
    const tokens = tokensOf(answer, messages);
    used = tokens.inputTokens + tokens.outputTokens;
    return { parsed, by: 'openai', corrections: [], ...tokens };
  } catch (error) {
    if (!(error instanceof VlmFailure)) throw error;
    logger.warn({ code: error.code }, `A search is understood by the parser instead: ${error.message}`);
    return null;
  } finally {
    await settleSearch({ db, clock }, sourceId, used);
  }
}
