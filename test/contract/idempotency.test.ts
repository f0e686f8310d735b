import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../src/access/create-key.ts';
import { API_ROUTES } from '../../src/app.ts';
import { SCOPES, type Scope } from '../../src/http/permission.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { addNode } from '../support/rows/runs.ts';
import { CASES, REQUIRED } from './cases.ts';
import { send } from './client.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { addRows, type Rows } from './rows.ts';

/** They only ask, or doing them twice is doing them once. */
const WITHOUT = [
  'POST /alerts/rules/preview',
  'POST /analysis/insights/search',
  'POST /checks/{id}/finish',
  'POST /checks/{id}/stop',
  'POST /devices/probe',
  'POST /devices/{id}/analysis/stop',
  'POST /notifications/channels/{id}/confirm',
  'POST /notifications/unsubscribe/{id}',
  'POST /reports/unsubscribe/{id}',
  'POST /session',
  'POST /setup',
];

const HEADER = 'Idempotency-Key';
const takesKey = ({ parameters }: Operation) =>
  parameters.some(({ in: where, name }) => where === 'header' && name === HEADER);
const creating = OPERATIONS.filter(takesKey);

let api: TestApi;
let server: RunningServer;
/** For calls that take nothing away. */
let shared: Rows;
beforeAll(async () => {
  api = await testApi();
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  await addNode(api.context.db, 'alive');
  shared = await addRows(api.context);
});
afterAll(async () => {
  await server?.stop();
  await api?.drop();
});

test('every POST accepts an Idempotency-Key, except those that create nothing', () => {
  const posts = API_ROUTES.filter(({ method }) => method === 'post');
  const names = posts.filter(({ idempotency }) => !idempotency).map(({ path }) => `POST ${path}`);
  expect(names.sort()).toEqual(WITHOUT);
  expect(creating.map(({ name }) => name).sort()).toEqual(
    posts
      .filter(({ idempotency }) => idempotency)
      .map(({ path }) => `POST ${path}`)
      .sort(),
  );
  expect(OPERATIONS.filter((one) => takesKey(one) && one.method !== 'POST')).toEqual([]);
});

test('the README of the idempotency room lists every POST', () => {
  const listed = readFileSync('src/http/idempotency/README.md', 'utf8');
  for (const { method, path } of API_ROUTES) if (method === 'post') expect(listed).toContain(`\`${path}\``);
});

describe.each(creating.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const { own, path: kind, body, file, before, spends } = CASES[name]!;

  test('is executed once per Idempotency-Key, and its answer is stored in the transaction that creates', async () => {
    const rows = spends ? await addRows(api.context) : shared;
    const scopes = Object.keys(SCOPES) as Scope[];
    const { key } = await createKey(api.context.db, { userId: rows.user, name: 'all', scopes });
    await before?.(api.context, rows);
    const needed = operation.parameters.flatMap(({ in: where, name, required }) =>
      where === 'query' && required ? [[name, REQUIRED[name]!] as [string, string]] : [],
    );
    const query = needed.length > 0 ? `?${new URLSearchParams(needed)}` : '';
    const path = (kind ? operation.path.replace(/\{\w+\}/, rows[kind]) : operation.path) + query;
    // Some bodies have random keys.
    const sent = body?.(rows);
    const call = () =>
      send(server.url, {
        method: operation.method,
        path,
        key,
        headers: { [HEADER]: 'once' },
        // Without a body the kit itself throws where a handler has not kept its answer (`checkResponses`).
        ...(sent !== undefined && { body: sent }),
        file,
      });
    const first = await call();
    expect([first.status, first.text]).toEqual([own, expect.any(String)]);
    expect(await call()).toEqual(first);
  });
});
