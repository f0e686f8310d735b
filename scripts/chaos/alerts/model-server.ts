import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { closeServer, listen } from '../../support/loopback.ts';

/** The usage that the fake model reports for each answer. */
export const TOKENS_PER_ANSWER = 120;
const ANSWER_MS = 200;

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

/** A chat-completions server that gives the same answer each time. It waits first, so that the caller may be killed meanwhile. */
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
    await pause(ANSWER_MS);
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get calls() {
      return calls;
    },
    stop: () => closeServer(server),
  };
}
