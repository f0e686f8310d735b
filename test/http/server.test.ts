import { Agent, get } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { startServer } from '../../src/http/server/server.ts';
import { kit } from './support.ts';

/** Called when a request arrives; the answer waits for what it returns. */
let onBegun: () => Promise<void> = async () => undefined;

const app = kit([
  route({
    name: 'takesItsTime',
    method: 'get',
    path: '/slow',
    scope: 'scene:read',
    summary: 'takes its time',
    response: z.string(),
  }).answers(async () => {
    await onBegun();
    return 'done';
  }),
]);
const listen = () => startServer(app, { host: '127.0.0.1', port: 0, shutdownSeconds: 5 });

function call(
  url: string,
  agent: Agent,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/slow`, { agent, headers: { authorization: 'Bearer good' } }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    }).on('error', reject);
  });
}

test('stopping loses no request that is running or on its way on an open connection', async () => {
  const server = await listen();
  const agent = new Agent({ keepAlive: true });
  expect((await call(server.url, agent)).connection).toBe('keep-alive');
  let begin: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // The first request runs until the second one has arrived.
  let requests = 0;
  onBegun = async () => {
    requests += 1;
    (requests === 1 ? begin : end)();
    if (requests === 1) await ended;
  };
  const running = call(server.url, new Agent());
  await begun;
  const stopped = server.stop();
  const late = call(server.url, agent);
  expect(await running).toMatchObject({ status: 200 });
  expect(await late).toEqual({ status: 200, connection: 'close' });
  await stopped;
  onBegun = async () => undefined;
  await expect(call(server.url, new Agent())).rejects.toThrow('ECONNREFUSED');
});

test('requests and answers are created with the prototypes of Express, so that Express does not change them', async () => {
  const server = await listen();
  const isNew: boolean[] = [];
  const given = jest.spyOn(Object, 'setPrototypeOf').mockImplementation((object, prototype) => {
    if (prototype === app.request || prototype === app.response)
      isNew.push(Object.getPrototypeOf(object) !== prototype);
    Reflect.setPrototypeOf(object as object, prototype);
    return object;
  });
  try {
    await call(server.url, new Agent());
    expect(isNew).toEqual([false, false]);
  } finally {
    given.mockRestore();
    await server.stop();
  }
});

test('startServer names the port that is already taken', async () => {
  const server = await listen();
  const port = Number(new URL(server.url).port);
  await expect(startServer(app, { host: '127.0.0.1', port, shutdownSeconds: 1 })).rejects.toThrow(
    `127.0.0.1:${port} is already in use: set PORT to a free port`,
  );
  await server.stop();
});
