import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What the made-up model says an answer cost. */
export const TOKENS_PER_ANSWER = 120;
const THINKS_MS = 200;

export interface ModelServer {
  readonly url: string;
  readonly calls: number;
  stop(): Promise<void>;
}

const ANSWER = {
  summary: 'Six people wait in front of one open till.',
  personCount: 6,
  riskLevel: 'medium',
  activities: ['waiting in line'],
  suggestions: ['Open a second till'],
  environment: 'shop',
};

/** A chat-completions server that answers everybody the same after a moment, in which its caller may die. */
export async function startModelServer(): Promise<ModelServer> {
  let calls = 0;
  const body = JSON.stringify({
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify(ANSWER) } },
    ],
    usage: { prompt_tokens: TOKENS_PER_ANSWER - 20, completion_tokens: 20 },
  });
  const server = createServer(async (request, response) => {
    calls++;
    request.resume();
    await pause(THINKS_MS);
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get calls() {
      return calls;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
