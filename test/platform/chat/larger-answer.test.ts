import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatQuestion } from '../../../src/platform/chat/chat.ts';
import { ChatClient } from '../../../src/platform/chat/chat-client.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type VlmRequest, type VlmScript, VlmServer } from '../../support/servers/vlm-server.ts';

let server: VlmServer;
beforeAll(async () => {
  server = await VlmServer.start();
});
afterAll(() => server.stop());
afterEach(() => {
  server.refuses = () => null;
  server.scripts.length = 0;
  server.requests.length = 0;
  server.refused.length = 0;
  server.needs = 0;
});

const question: ChatQuestion = {
  messages: [{ role: 'user', content: 'The facts.' }],
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
  isReadable: ({ text }) => text.includes('}'),
};
const CUT: VlmScript = { fault: 'cut', text: '<think>First I count' };

const client = () => new ChatClient({ url: server.url, model: 'm', apiKey: server.key, clock: systemClock });
const bounds = () => server.requests.map(({ bound }) => bound);

describe('an answer that was cut off', () => {
  test('is asked for once with more tokens, and both calls are counted', async () => {
    server.needs = 300;
    const chat = client();
    const answer = await chat.ask(question);
    expect(answer).toMatchObject({ isCut: false, text: expect.stringContaining('Seven people') });
    expect(answer.before).toMatchObject({ isCut: true });
    expect(bounds()).toEqual([100, 400]);
    expect(chat.counts.tokens).toEqual({ input: 1800, output: 240 });
    expect(chat.counts.calls).toEqual({ done: 1 });
  });

  test('is learnt: the next question has the room from the start', async () => {
    server.needs = 300;
    const chat = client();
    await chat.ask(question);
    server.requests.length = 0;
    const answer = await chat.ask(question);
    expect(bounds()).toEqual([400]);
    expect(answer.before).toBe(null);
    expect(chat.shortcomings).toEqual([expect.stringMatching(/cuts .* off/)]);
  });

  test('stays cut where more tokens do not help, and nothing is learnt', async () => {
    server.needs = 10_000;
    const chat = client();
    expect(await chat.ask(question)).toMatchObject({ isCut: true });
    server.needs = 0;
    await chat.ask(question);
    expect(bounds()).toEqual([100, 400, 100]);
  });

  test('is taken where it can be read', async () => {
    server.scripts.push({ fault: 'cut', text: '{"summary":"Busy."} And so' });
    expect(await client().ask(question)).toMatchObject({ isCut: true, text: '{"summary":"Busy."} And so' });
    expect(bounds()).toEqual([100]);
  });

  test('is all there is where the server gives no more tokens', async () => {
    server.scripts.push(CUT);
    const tooMany = ({ bound }: VlmRequest) => (bound ?? 0) > 100;
    server.refuses = (request) =>
      tooMany(request) ? { status: 400, body: { error: { message: 'max_tokens is too large' } } } : null;
    const answer = await client().ask(question);
    expect(answer).toMatchObject({ isCut: true, text: '<think>First I count' });
    expect(server.refused).toHaveLength(1);
  });

  test('is asked for within the same time', async () => {
    server.scripts.push(CUT, { fault: 'silent' });
    await expect(client().ask({ ...question, timeoutSeconds: 1 })).rejects.toMatchObject({
      code: 'VLM_TIMEOUT',
    });
    expect(bounds()).toEqual([100, 400]);
  });

  test('has no bound to raise where the server knows none', async () => {
    server.refuses = ({ parameters }) =>
      parameters.some((name) => name.startsWith('max_'))
        ? { status: 400, body: { error: { message: 'unsupported: max_tokens, max_completion_tokens' } } }
        : null;
    server.scripts.push(CUT);
    expect(await client().ask(question)).toMatchObject({ isCut: true });
    expect(bounds()).toEqual([null]);
  });
});

test('a learnt room that a longer question does not leave is given up', async () => {
  server.needs = 300;
  const chat = client();
  await chat.ask(question);
  server.needs = 0;
  server.requests.length = 0;
  server.refuses = ({ bound }) =>
    (bound ?? 0) > 100
      ? {
          status: 400,
          body: {
            error: {
              message: "This model's maximum context length is 4096 tokens. However, you requested 4200.",
            },
          },
        }
      : null;
  expect(await chat.ask(question)).toMatchObject({ isCut: false });
  expect(bounds()).toEqual([100]);
});
