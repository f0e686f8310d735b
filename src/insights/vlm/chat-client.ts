import { z } from 'zod';
import { parseJson } from './answer.ts';
import { VlmFailure } from './failure.ts';

/** An answer is a few hundred words; whoever sends more is not heard to the end. */
const MOST_BYTES = 256 * 1024;

export interface ChatClientOptions {
  /** Up to and with `/v1`. */
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
  /** What the answer has to be. */
  readonly schema: { readonly name: string; readonly schema: object };
  readonly maxOutputTokens: number;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export interface ChatAnswer {
  readonly text: string;
  /** Null where the server does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

const tokens = z.int().min(0).max(10_000_000).nullish().catch(null);
const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

/** From the strictest on; a server that knows less answers 400 and is asked more simply from then on. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;

/** Any server that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, OpenAI. */
export class ChatClient {
  readonly model: string;
  readonly #options: ChatClientOptions;
  #format = 0;

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.model = options.model;
  }

  /** @throws VlmFailure */
  async ask(question: ChatQuestion): Promise<ChatAnswer> {
    const { timeoutSeconds, signal } = question;
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const either = AbortSignal.any([signal, timeout]);
    try {
      for (;;) {
        const format = this.#format;
        const response = await this.#post(question, either);
        const text = await readBounded(response);
        if (response.ok) return readCompletion(text);
        const isFormatUnknown =
          response.status === 400 && /response_format|json_schema|json_object/.test(text);
        if (!isFormatUnknown || format === FORMATS.length - 1) throw failureOf(response, text);
        this.#format = Math.max(this.#format, format + 1);
      }
    } catch (error) {
      if (error instanceof VlmFailure) throw error;
      if (timeout.aborted) throw new VlmFailure('VLM_TIMEOUT', `No answer within ${timeoutSeconds} s.`);
      throw new VlmFailure('VLM_CONNECTION', `The server cannot be reached (${reasonOf(error)}).`);
    }
  }

  #post({ messages, schema, maxOutputTokens }: ChatQuestion, signal: AbortSignal): Promise<Response> {
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
}

/** @throws VlmFailure when there is more than anybody asked for */
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

/** Refusals that no repetition changes count as an answer that cannot be used. */
function failureOf(response: Response, text: string): VlmFailure {
  const { status } = response;
  const message = `The server answered ${status}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`;
  if (status === 429) {
    return new VlmFailure('VLM_RATE_LIMITED', message, retryAfter(response.headers.get('retry-after')));
  }
  if (status === 408 || status >= 500) {
    return new VlmFailure('VLM_SERVER_ERROR', message, retryAfter(response.headers.get('retry-after')));
  }
  // A wrong key, address or model: somebody has to correct it, which may be soon.
  if ([401, 403, 404].includes(status)) return new VlmFailure('VLM_CONNECTION', message);
  return new VlmFailure('VLM_PARSE_FAILURE', message);
}

const MOST_WAIT_SECONDS = 3_600;

/** Seconds, or a date. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(MOST_WAIT_SECONDS, Math.max(0, seconds)) : null;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
