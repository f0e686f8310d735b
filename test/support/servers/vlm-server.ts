import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';

/** What the server does with one request; without any it answers well. */
export type VlmScript =
  | { readonly fault: 'slow'; readonly ms: number }
  | { readonly fault: 'rateLimited'; readonly retryAfter: string }
  | { readonly fault: 'status'; readonly status: number; readonly body?: string }
  | {
      readonly fault:
        | 'cutStream'
        | 'notJson'
        | 'fencedJson'
        | 'talk'
        | 'offSchema'
        | 'tooLong'
        | 'empty'
        | 'megabyte';
    }
  | { readonly fault: 'says' | 'cut'; readonly text: string }
  /** Never answers. */
  | { readonly fault: 'silent' }
  /** Answers well after `release()`. */
  | { readonly fault: 'held' }
  | { readonly fault: 'message'; readonly message: object };

/** One request as the server understood it. */
export interface VlmRequest {
  readonly model: string;
  readonly texts: readonly string[];
  /** Sizes of the pictures, decoded. */
  readonly pictures: readonly { readonly width: number; readonly height: number }[];
  readonly format: string | null;
  readonly messageCount: number;
  /** The most tokens of the answer; null without a bound. */
  readonly bound: number | null;
  readonly roles: readonly string[];
  /** Names of all parameters. */
  readonly parameters: readonly string[];
}

export interface VlmRefusal {
  readonly status: number;
  readonly body: unknown;
}

export const GOOD_ANSWER = {
  summary: 'Seven people wait in front of one open till.',
  personCount: 7,
  riskLevel: 'high',
  activities: ['waiting in line', 'paying'],
  suggestions: ['Open a second till'],
  environment: 'supermarket checkout',
};

const KEY = 'vlm-test-key';
const USAGE = { prompt_tokens: 900, completion_tokens: 120 };

/**
 * An OpenAI-compatible chat-completions server that is as strict as the real ones about what it is sent (400 with what is
 * wrong, 401 for a wrong key) and misbehaves by script.
 */
export class VlmServer {
  readonly key = KEY;
  readonly requests: VlmRequest[] = [];
  /** Requests that `refuses` has refused. */
  readonly refused: VlmRequest[] = [];
  /** One for each request to come. */
  readonly scripts: VlmScript[] = [];
  /** Formats it does not know: 400, as old servers answer. */
  unknownFormats: readonly string[] = [];
  /** What a family of servers does not accept. */
  refuses: (request: VlmRequest) => VlmRefusal | null = () => null;
  answer: unknown = GOOD_ANSWER;
  usage: object | null = USAGE;
  /** Tokens of an answer: one with fewer is cut off. */
  needs = 0;
  /** Most requests that were open at once. */
  mostOpen = 0;
  /** Each answers one request that is held. */
  readonly held: (() => void)[] = [];
  #open = 0;
  readonly #server = createServer((request, response) => {
    this.#open++;
    this.mostOpen = Math.max(this.mostOpen, this.#open);
    response.once('close', () => this.#open--);
    this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  static async start(): Promise<VlmServer> {
    const server = new VlmServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  release(): void {
    for (const answer of this.held.splice(0)) answer();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return fail(response, 404, 'not found');
    if (request.headers.authorization !== `Bearer ${KEY}`) return fail(response, 401, 'invalid api key');
    const seen = await understand(Buffer.concat(chunks).toString()).catch((error: Error) => error.message);
    if (typeof seen === 'string') return fail(response, 400, seen);
    if (seen.format && this.unknownFormats.includes(seen.format)) {
      return fail(response, 400, `response_format ${seen.format} is not supported`);
    }
    const refusal = this.refuses(seen);
    if (refusal) {
      this.refused.push(seen);
      response.writeHead(refusal.status, { 'content-type': 'application/json' });
      response.end(typeof refusal.body === 'string' ? refusal.body : JSON.stringify(refusal.body));
      return;
    }
    this.requests.push(seen);
    const isCut = seen.bound !== null && seen.bound < this.needs;
    const script =
      this.scripts.shift() ?? (isCut ? { fault: 'cut' as const, text: '{"summary": "Sev' } : null);
    await this.#act(script, response);
  }

  async #act(script: VlmScript | null, response: ServerResponse): Promise<void> {
    const good = JSON.stringify(this.answer);
    switch (script?.fault) {
      case undefined:
        return this.#say(response, good);
      case 'held':
        this.held.push(() => this.#say(response, good));
        return;
      case 'slow':
        await pause(script.ms);
        return this.#say(response, good);
      case 'rateLimited':
        response.setHeader('retry-after', script.retryAfter);
        return fail(response, 429, 'too many requests');
      case 'status':
        return fail(response, script.status, script.body ?? 'it failed');
      case 'cutStream':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
        response.write('{"choices":[{"message":{"content":"{');
        await pause(20);
        response.destroy();
        return;
      case 'notJson':
        return this.#say(response, 'I see seven people in a shop.');
      case 'fencedJson':
        return this.#say(response, `Here it is:\n\`\`\`json\n${good}\n\`\`\`\nAnything else?`);
      case 'talk':
        return this.#say(response, `Certainly! ${good} I hope this helps.`);
      case 'offSchema':
        return this.#say(
          response,
          JSON.stringify({
            summary: 'Busy.',
            personCount: '6',
            riskLevel: 'unheard of',
            activities: 'waiting',
            extra: 1,
          }),
        );
      case 'tooLong':
        return this.#say(
          response,
          JSON.stringify({
            ...GOOD_ANSWER,
            summary: 'ä'.repeat(5_000),
            activities: Array.from({ length: 50 }, (_, at) => `activity ${at}`),
            suggestions: Array.from({ length: 50 }, (_, at) => `suggestion ${at}`),
            environment: 'e'.repeat(500),
          }),
        );
      case 'empty':
        return this.#say(response, '');
      case 'megabyte':
        return this.#say(response, 'x'.repeat(1024 * 1024));
      case 'says':
        return this.#say(response, script.text);
      case 'cut':
        return this.#say(response, script.text, { finish: 'length' });
      case 'silent':
        return;
      case 'message':
        return this.#say(response, null, { message: script.message });
    }
  }

  #say(
    response: ServerResponse,
    content: string | null,
    { finish = 'stop', message = {} }: { finish?: string; message?: object } = {},
  ): void {
    const choices = [
      { index: 0, finish_reason: finish, message: { role: 'assistant', content, ...message } },
    ];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        choices,
        ...(this.usage && { usage: this.usage }),
      }),
    );
  }
}

function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

interface Body {
  model?: unknown;
  max_tokens?: unknown;
  max_completion_tokens?: unknown;
  messages?: {
    role: string;
    content: string | { type: string; text?: string; image_url?: { url: string } }[];
  }[];
  response_format?: {
    type: string;
    json_schema?: { name?: string; strict?: boolean; schema?: Record<string, unknown> };
  };
}

/** @throws Error naming what a real server would refuse */
async function understand(text: string): Promise<VlmRequest> {
  const body = JSON.parse(text) as Body;
  if (typeof body.model !== 'string') throw new Error('model is missing');
  const bound = body.max_tokens ?? body.max_completion_tokens ?? 1;
  if (!Number.isInteger(bound)) throw new Error('max_tokens is no integer');
  if (!Array.isArray(body.messages) || !/^(system|user)$/.test(body.messages[0]?.role ?? ''))
    throw new Error('messages are wrong');
  const format = body.response_format;
  if (format?.type === 'json_schema') {
    const { name, strict, schema } = format.json_schema ?? {};
    const keys = Object.keys((schema?.properties ?? {}) as object).sort();
    const isStrict = strict === true && schema?.additionalProperties === false;
    const required = [...((schema?.required ?? []) as string[])].sort();
    if (!name || !isStrict || keys.length === 0 || keys.join() !== required.join()) {
      throw new Error('json_schema: strict mode wants every property required and no others');
    }
  }
  const parts = body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  const pictures = [];
  for (const { type, image_url } of parts) {
    if (type !== 'image_url') continue;
    const encoded = /^data:image\/jpeg;base64,(.+)$/.exec(image_url?.url ?? '')?.[1];
    if (!encoded) throw new Error('an image is no JPEG data URL');
    const { width, height, format: kind } = await sharp(Buffer.from(encoded, 'base64')).metadata();
    if (kind !== 'jpeg') throw new Error('an image is no JPEG');
    pictures.push({ width, height });
  }
  return {
    model: body.model,
    texts: parts.flatMap(({ text: one }) => one ?? []),
    pictures,
    format: format?.type ?? null,
    messageCount: body.messages.length,
    bound: (body.max_tokens ?? body.max_completion_tokens ?? null) as number | null,
    roles: body.messages.map(({ role }) => role),
    parameters: Object.keys(body).sort(),
  };
}
