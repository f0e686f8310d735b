import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { type Traced, traced } from '../tracing/tracing.ts';
import type { ChatAnswer, ChatMessage, ChatQuestion } from './chat.ts';
import {
  bodyIn,
  FULL,
  isImage,
  type Manner,
  messagesIn,
  type Refusal,
  roomOf,
  shortcomings,
  stepDown,
  withMore,
} from './manner.ts';
import { errorIn, readReply, sentenceOf } from './read-reply.ts';
import { VlmFailure } from './vlm-failure.ts';

/** An answer is a few hundred words. A longer answer is refused without reading it to the end. */
const MOST_BYTES = 256 * 1024;

export interface ChatClientOptions {
  readonly clock: Clock;
  /** Including `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** The client of the configured model server; null where none is configured. */
export function openChat(
  { vlmUrl: url, vlmModel: model, vlmApiKey: apiKey }: Config,
  clock: Clock,
): ChatClient | null {
  return url && model ? new ChatClient({ url, model, apiKey, clock }) : null;
}

/** Client of a server with OpenAI's chat completions: vLLM, Ollama, llama.cpp, OpenAI. */
export class ChatClient {
  readonly model: string;
  /** Calls by their outcome (`done` or a code of VlmFailure) and their tokens, since the start of the process. */
  readonly counts = { calls: {} as Record<string, number>, tokens: { input: 0, output: 0 } };
  readonly #options: ChatClientOptions;
  /** How the server last answered. */
  #manner: Manner = FULL;
  /** Formats in which the server has answered, with the schema. */
  readonly #proven = new Set<string>();

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.model = options.model;
  }

  /** What the server has turned out not to accept. */
  get shortcomings(): string[] {
    return shortcomings(this.#manner);
  }

  /** How many times the tokens of a question its answer may have. */
  get room(): number {
    return roomOf(this.#manner);
  }

  /** @throws VlmFailure */
  async ask(question: ChatQuestion): Promise<ChatAnswer> {
    const { calls, tokens: sums } = this.counts;
    const count = (outcome: string) => {
      calls[outcome] = (calls[outcome] ?? 0) + 1;
    };
    try {
      const answer = await this.#traced(question);
      count('done');
      for (let one: ChatAnswer | null = answer; one; one = one.before) {
        sums.input += one.inputTokens ?? 0;
        sums.output += one.outputTokens ?? 0;
      }
      return answer;
    } catch (error) {
      count((error as VlmFailure).code);
      throw error;
    }
  }

  #traced(question: ChatQuestion): Promise<ChatAnswer> {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': this.model };
    return traced({ name: 'chat', kind: 'client', attributes }, async (span) => {
      const answer = await this.#ask(question, span);
      const { inputTokens, outputTokens } = answer;
      span.add({
        'gen_ai.usage.input_tokens': inputTokens ?? undefined,
        'gen_ai.usage.output_tokens': outputTokens ?? undefined,
      });
      return answer;
    });
  }

  async #ask(question: ChatQuestion, span: Traced): Promise<ChatAnswer> {
    const { timeoutSeconds, signal } = question;
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const either = AbortSignal.any([signal, timeout]);
    try {
      let manner = this.#manner;
      let before: ChatAnswer | null = null;
      for (;;) {
        const sent = messagesIn(manner, question.messages);
        const body = bodyIn(manner, this.model, question, sent);
        const response = await this.#post(body, { signal: either, traceparent: span.traceparent });
        const text = await readBounded(response);
        const proof = `${manner.format} ${question.schema.name}`;
        const refusal = response.ok ? errorIn(text) : { status: response.status, body: text };
        if (!refusal) {
          const reply = readReply(text);
          if (!reply) throw new VlmFailure('VLM_PARSE_FAILURE', 'The server answered no chat completion.');
          // Only what led to an answer is learnt: a server that is ill may refuse anything.
          if (!(before && reply.isCut)) this.#manner = manner;
          this.#proven.add(proof);
          const answer: ChatAnswer = { ...reply, sent, before };
          const more = reply.isCut && !question.isReadable(reply) && withMore(manner);
          if (!more) return answer;
          [before, manner] = [answer, more];
          continue;
        }
        // The server gives no more tokens: the cut answer is all there is.
        if (before) return before;
        const less = stepDown(manner, refusal, { images: imagesIn(sent), isProven: this.#proven.has(proof) });
        if (!less) throw this.#failureOf(refusal, response.headers);
        manner = less;
      }
    } catch (error) {
      if (error instanceof VlmFailure) throw error;
      if (timeout.aborted) throw new VlmFailure('VLM_TIMEOUT', `No answer within ${timeoutSeconds} s.`);
      throw new VlmFailure('VLM_CONNECTION', `The server cannot be reached (${reasonOf(error)}).`);
    }
  }

  #post(
    body: object,
    { signal, traceparent }: { signal: AbortSignal; traceparent: string | null },
  ): Promise<Response> {
    const { url, apiKey } = this.#options;
    return fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
        ...(traceparent && { traceparent }),
      },
      body: JSON.stringify(body),
    });
  }

  #failureOf({ status, body: text }: Refusal, headers: Headers): VlmFailure {
    const message = `The server answered ${status}: ${sentenceOf(text)}`;
    const afterSeconds = retryAfterSeconds(
      headers.get('retry-after') ?? delayIn(text),
      this.#options.clock.now(),
    );
    if (status === 429) return new VlmFailure('VLM_RATE_LIMITED', message, afterSeconds);
    if (status === 408 || status >= 500) return new VlmFailure('VLM_SERVER_ERROR', message, afterSeconds);
    // A wrong key, address or model may be corrected soon, so the request is retried.
    if ([401, 402, 403, 404].includes(status)) return new VlmFailure('VLM_CONNECTION', message);
    // A repeated request would get the same answer.
    return new VlmFailure('VLM_REQUEST_REFUSED', message);
  }
}

/** @throws VlmFailure when the answer is too long */
async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MOST_BYTES) {
      throw new VlmFailure('VLM_PARSE_FAILURE', `The answer is longer than ${MOST_BYTES / 1024} KB.`);
    }
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The seconds to wait, where a server names them in the body. */
const delayIn = (body: string): string | null => /"retryDelay"\s*:\s*"(\d+)/.exec(body)?.[1] ?? null;

const imagesIn = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? 0 : content.filter(isImage).length),
    0,
  );

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
