import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { ChatQuestion } from '../../../src/platform/chat/chat.ts';
import { ChatClient } from '../../../src/platform/chat/chat-client.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { dearCases, fc } from '../../support/property.ts';
import { type VlmRefusal, type VlmRequest, VlmServer } from '../../support/servers/vlm-server.ts';

let server: VlmServer;
let question: ChatQuestion;
beforeAll(async () => {
  server = await VlmServer.start();
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer();
  const url = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const image = { type: 'image_url' as const, image_url: { url } };
  question = {
    messages: [
      { role: 'system', content: 'The rules.' },
      { role: 'user', content: [{ type: 'text', text: 'The facts.' }, image, image, image] },
    ],
    schema: {
      name: 'insight',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['summary'],
        properties: { summary: { type: 'string' } },
      },
    },
    maxOutputTokens: 100,
    timeoutSeconds: 20,
    signal: new AbortController().signal,
    isReadable: () => true,
  };
});
afterAll(() => server.stop());
afterEach(() => {
  server.refuses = () => null;
  server.requests.length = 0;
  server.refused.length = 0;
});

const client = () => new ChatClient({ url: server.url, model: 'm', apiKey: server.key, clock: systemClock });
const error = (message: string) => ({ error: { message, type: 'invalid_request_error' } });
const has = (name: string) => (request: VlmRequest) => request.parameters.includes(name);
const hasImages = (most: number) => (request: VlmRequest) => request.pictures.length > most;
const inFormat =
  (...formats: (string | null)[]) =>
  (request: VlmRequest) =>
    formats.includes(request.format);

interface Family {
  readonly name: string;
  readonly refuses: (request: VlmRequest) => boolean;
  readonly refusal: VlmRefusal;
  /** What the request that is answered is like. */
  readonly answered: object;
}

/** As whole families of servers refuse requests, in their words. */
const FAMILIES: readonly Family[] = [
  {
    name: 'the pictures do not fit into the context',
    refuses: hasImages(1),
    refusal: {
      status: 400,
      body: error(
        "This model's maximum context length is 4096 tokens. Please reduce the length of the messages.",
      ),
    },
    answered: { format: 'json_schema' },
  },
  {
    name: 'the request is too large for a proxy',
    refuses: hasImages(1),
    refusal: { status: 413, body: '<html><title>413 Request Entity Too Large</title></html>' },
    answered: { format: 'json_schema' },
  },
  {
    name: 'a gateway finds no model that sees',
    refuses: hasImages(0),
    refusal: { status: 404, body: error('No endpoints found that support image input') },
    answered: { pictures: [] },
  },
  {
    name: 'a gateway finds no model with formats',
    refuses: inFormat('json_schema', 'json_object'),
    refusal: { status: 404, body: error('No endpoints found that can handle the requested parameters.') },
    answered: { format: null },
  },
  {
    name: 'a refusal with status 200',
    refuses: inFormat('json_schema'),
    refusal: { status: 200, body: { error: { message: 'response_format is not supported', code: 400 } } },
    answered: { format: 'json_object' },
  },
  {
    name: 'a template of the model knows two roles',
    refuses: (request) => request.messageCount > 1,
    refusal: { status: 500, body: error('Only user and assistant roles are supported!') },
    answered: { messageCount: 1 },
  },
  {
    name: 'max_tokens is another parameter',
    refuses: has('max_tokens'),
    refusal: {
      status: 400,
      body: error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
    },
    answered: { parameters: expect.arrayContaining(['max_completion_tokens']) },
  },
  {
    name: 'only the default temperature',
    refuses: has('temperature'),
    refusal: {
      status: 400,
      body: error(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      ),
    },
    answered: { parameters: expect.not.arrayContaining(['temperature']) },
  },
  {
    name: 'no other fields',
    refuses: (request) =>
      has('temperature')(request) || has('max_tokens')(request) || has('max_completion_tokens')(request),
    refusal: {
      status: 422,
      body: {
        detail: ['max_tokens', 'max_completion_tokens', 'temperature'].map((name) => ({
          loc: ['body', name],
          msg: 'extra fields not permitted',
        })),
      },
    },
    answered: { parameters: ['messages', 'model', 'response_format'] },
  },
  {
    name: 'no schema, 422',
    refuses: inFormat('json_schema'),
    refusal: {
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'response_format', 'type'],
            msg: "unexpected value; permitted: 'text', 'json_object'",
          },
        ],
      },
    },
    answered: { format: 'json_object' },
  },
  {
    name: 'no format, 400 without a reason',
    refuses: inFormat('json_schema', 'json_object'),
    refusal: { status: 400, body: 'Bad Request' },
    answered: { format: null },
  },
  {
    name: 'no format, 500 without a reason',
    refuses: inFormat('json_schema', 'json_object'),
    refusal: { status: 500, body: 'Internal Server Error' },
    answered: { format: null },
  },
  {
    name: 'one image',
    refuses: hasImages(1),
    refusal: {
      status: 400,
      body: { object: 'error', message: 'At most 1 image(s) may be provided in one prompt.' },
    },
    answered: { pictures: [{ width: 8, height: 8 }] },
  },
  {
    name: 'no images',
    refuses: hasImages(0),
    refusal: {
      status: 500,
      body: error(
        'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      ),
    },
    answered: {
      pictures: [],
      texts: ['The rules.', expect.stringMatching(/^The facts\.\n\nThe pictures could not be sent/)],
    },
  },
  {
    name: 'no system message',
    refuses: ({ roles }) => roles[0] === 'system',
    refusal: { status: 400, body: error('System role not supported') },
    answered: { roles: ['user'], texts: ['The rules.', 'The facts.'] },
  },
];

describe('a server is asked as it wants to be asked', () => {
  test.each(FAMILIES.map((family) => [family.name, family] as const))('%s', async (_name, family) => {
    server.refuses = (request) => (family.refuses(request) ? family.refusal : null);
    const chat = client();
    expect((await chat.ask(question)).text).toContain('Seven people');
    expect(server.requests).toEqual([expect.objectContaining(family.answered)]);
    server.refused.length = 0;
    await chat.ask(question);
    expect(server.refused).toEqual([]);
  });

  test('whatever it refuses together, it is asked at most ten times and then always once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...FAMILIES]), async (families) => {
        server.refuses = (request) => families.find(({ refuses }) => refuses(request))?.refusal ?? null;
        server.refused.length = 0;
        const chat = client();
        await chat.ask(question);
        expect(server.refused.length).toBeLessThan(10);
        server.refused.length = 0;
        await chat.ask(question);
        expect(server.refused).toEqual([]);
      }),
      { numRuns: dearCases(20) },
    );
  });
});

test('what a server refuses with a reason of its own is told in its sentence, and nothing is learnt', async () => {
  const chat = client();
  server.refuses = () => ({ status: 422, body: error('The moon is full.') });
  await expect(chat.ask(question)).rejects.toMatchObject({
    code: 'VLM_REQUEST_REFUSED',
    isPassing: false,
    message: 'The server answered 422: The moon is full.',
  });
  server.refuses = () => null;
  await chat.ask(question);
  expect(server.requests.at(-1)).toMatchObject({ format: 'json_schema' });
});

test('a server that once answered in a format has another trouble when it answers 500', async () => {
  const chat = client();
  await chat.ask(question);
  server.refuses = () => ({ status: 500, body: 'out of memory' });
  await expect(chat.ask(question)).rejects.toMatchObject({ code: 'VLM_SERVER_ERROR' });
  expect(server.refused).toHaveLength(1);
});

test('a number that is too large is refused once: no other name makes it smaller', async () => {
  server.refuses = () => ({
    status: 400,
    body: error('max_tokens is too large: 100000. This model supports at most 16384.'),
  });
  const chat = client();
  await expect(chat.ask(question)).rejects.toMatchObject({ code: 'VLM_REQUEST_REFUSED' });
  expect(server.refused.every(has('max_tokens'))).toBe(true);
});

describe('an error in the place of an answer', () => {
  test.each<[string, VlmRefusal, object]>([
    [
      'too many requests',
      { status: 200, body: { error: { message: 'Slow down', code: 429 } } },
      { code: 'VLM_RATE_LIMITED', isPassing: true },
    ],
    [
      'a server behind it',
      { status: 200, body: { error: { message: 'Provider returned error', code: 502 } } },
      { code: 'VLM_SERVER_ERROR', isPassing: true },
    ],
    [
      'a sentence alone',
      { status: 200, body: { error: 'the model crashed' } },
      { code: 'VLM_SERVER_ERROR', message: 'The server answered 500: the model crashed' },
    ],
    [
      'in the place of a choice',
      { status: 200, body: { choices: [{ error: { code: 502, message: 'Upstream died' } }] } },
      { code: 'VLM_SERVER_ERROR', message: 'The server answered 502: Upstream died' },
    ],
    [
      'with a delay in the body',
      { status: 429, body: [{ error: { message: 'Quota', details: [{ retryDelay: '34s' }] } }] },
      { code: 'VLM_RATE_LIMITED', retryAfterSeconds: 34 },
    ],
  ])('%s', async (_name, refusal, expected) => {
    server.refuses = () => refusal;
    await expect(client().ask(question)).rejects.toMatchObject(expected);
  });

  test('a wrong address is asked once', async () => {
    server.refuses = () => ({ status: 404, body: '<html><title>Not Found</title></html>' });
    await expect(client().ask(question)).rejects.toMatchObject({
      code: 'VLM_CONNECTION',
      message: 'The server answered 404: Not Found',
    });
    expect(server.refused).toHaveLength(1);
  });
});
