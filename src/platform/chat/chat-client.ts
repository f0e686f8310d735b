import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { type Traced, traced } from '../tracing/tracing.ts';
import { parseJson } from './parse-json.ts';
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

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ChatPart[];
}

export interface ChatQuestion {
  readonly messages: readonly ChatMessage[];
  /** JSON schema of the answer. */
  readonly schema: { readonly name: string; readonly schema: object };
  readonly maxOutputTokens: number;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export interface ChatAnswer {
  readonly text: string;
  /** Null where the server does not count. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

const tokens = z.int().min(0).max(10_000_000).nullish().catch(null);
const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

/** The client of the configured model server; null where none is configured. */
export function openChat(
  { vlmUrl: url, vlmModel: model, vlmApiKey: apiKey }: Config,
  clock: Clock,
): ChatClient | null {
  return url && model ? new ChatClient({ url, model, apiKey, clock }) : null;
}

/** The strictest format first. A server that does not know a format answers 400; then the next one is used. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;

/** Client of a server with OpenAI's chat completions: vLLM, Ollama, llama.cpp, OpenAI. */
export class ChatClient {
  readonly model: string;
  /** Calls by their outcome (`done` or a code of VlmFailure) and their tokens, since the start of the process. */
  readonly counts = { calls: {} as Record<string, number>, tokens: { input: 0, output: 0 } };
  readonly #options: ChatClientOptions;
  /** Index of the strictest format that the server knows. */
  #format = 0;

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.model = options.model;
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
      sums.input += answer.inputTokens ?? 0;
      sums.output += answer.outputTokens ?? 0;
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
      for (;;) {
        const format = this.#format;
        const response = await this.#post(question, { signal: either, traceparent: span.traceparent });
        const text = await readBounded(response);
        if (response.ok) return readCompletion(text);
        const isFormatUnknown =
          response.status === 400 && /response_format|json_schema|json_object/.test(text);
        if (!isFormatUnknown || format === FORMATS.length - 1) throw this.#failureOf(response, text);
        this.#format = Math.max(this.#format, format + 1);
      }
    } catch (error) {
      if (error instanceof VlmFailure) throw error;
      if (timeout.aborted) throw new VlmFailure('VLM_TIMEOUT', `No answer within ${timeoutSeconds} s.`);
      throw new VlmFailure('VLM_CONNECTION', `The server cannot be reached (${reasonOf(error)}).`);
    }
  }

  #post(
    { messages, schema, maxOutputTokens }: ChatQuestion,
    { signal, traceparent }: { signal: AbortSignal; traceparent: string | null },
  ): Promise<Response> {
    const { url, model, apiKey } = this.#options;
    const format = FORMATS[this.#format]!;
    const responseFormat =
      format === 'json_schema'
        ? { type: format, json_schema: { ...schema, strict: true } }
        : format === 'json_object'
          ? { type: format }
          : null;
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
      body: JSON.stringify({
        model,
        messages,
        temperature: 0,
        max_tokens: maxOutputTokens,
        ...(responseFormat && { response_format: responseFormat }),
      }),
    });
  }

  #failureOf({ status, headers }: Response, text: string): VlmFailure {
    const message = `The server answered ${status}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`;
    const afterSeconds = retryAfterSeconds(headers.get('retry-after'), this.#options.clock.now());
    if (status === 429) return new VlmFailure('VLM_RATE_LIMITED', message, afterSeconds);
    if (status === 408 || status >= 500) return new VlmFailure('VLM_SERVER_ERROR', message, afterSeconds);
    // A wrong key, address or model may be corrected soon, so the request is retried.
    if ([401, 403, 404].includes(status)) return new VlmFailure('VLM_CONNECTION', message);
    // A repeated request would get the same answer.
    return new VlmFailure('VLM_PARSE_FAILURE', message);
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

function readCompletion(text: string): ChatAnswer {
  const parsed = completion.safeParse(parseJson(text));
  if (!parsed.success) throw new VlmFailure('VLM_PARSE_FAILURE', 'The server answered no chat completion.');
  const { choices, usage } = parsed.data;
  return {
    text: choices[0]!.message.content ?? '',
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
  };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
