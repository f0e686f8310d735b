import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { API_ROUTES } from '../../src/app.ts';
import { ApiError } from '../../src/http/errors.ts';
import { type Authenticate, type Caller, SCOPES, type Scope, scopesOf } from '../../src/http/permission.ts';
import type { Route } from '../../src/http/route.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { kit } from '../http/support.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { type Call, HOSTILE, send } from './client.ts';

// Every route is assembled here as in the service, but that it notes when something looks at its ids, query or body. What
// is refused before is refused for any ids: contract/matrix tries one each.

const ID = '11111111-1111-1111-1111-111111111111';
/** Of the shape of a session. */
const TOKEN = 'a'.repeat(40);
const callerWith = (scopes: readonly Scope[]): Caller => ({
  ...{ userId: ID, credentialId: ID, keyId: ID, sessionId: null, scopes: new Set(scopes) },
});

/** What the latest call has reached. */
let reached: string[] = [];
let caller: Caller | null = null;
const authenticate: Authenticate = async () => {
  reached.push('authentication');
  return caller;
};

const noted = <Schema extends z.ZodType>(part: string, schema: Schema): Schema =>
  new Proxy(schema, {
    get(target, name) {
      if (name === 'safeParse') reached.push(part);
      return Reflect.get(target, name);
    },
  });

function handler(): never {
  reached.push('handler');
  throw new ApiError('NOT_FOUND', 'It is only about the way to here');
}

const watched = (route: Route): Route => ({
  ...route,
  ...{ handler, csv: handler, html: handler },
  ...(route.params && { params: noted('params', route.params) }),
  ...(route.query && { query: noted('query', route.query) }),
  ...(route.body && { body: noted('body', route.body) }),
});

let server: RunningServer;
beforeAll(async () => {
  const many = '1000000';
  const environment = { RATE_LIMIT_PER_MINUTE: many, AUTH_FAILURES_PER_MINUTE: many };
  const app = kit(API_ROUTES.map(watched), { authenticate, environment });
  server = await startServer(app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
});
afterAll(() => server?.stop());

interface Refusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly reached: readonly string[];
}

/** Calls a route with ids that are none; a body that is no JSON would be seen if it were read. */
async function ask({ method, path, upload }: Route, how: Partial<Call>): Promise<Refusal> {
  reached = [];
  const isWrite = method !== 'get';
  const { status, code } = await send(server.url, {
    method: method.toUpperCase() as Call['method'],
    path: path.replaceAll(/\{\w+\}/g, 'no-id'),
    ...(isWrite && { text: '{' }),
    ...how,
    headers: {
      ...(isWrite && { 'content-type': upload ? 'application/octet-stream' : 'application/json' }),
      ...how.headers,
    },
  });
  return { status, code, reached };
}

const keyed = API_ROUTES.filter(({ scope }) => scope !== null);
const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

test('whoever has no key or session, or not the scope, is refused before anything of the request is read', async () => {
  const wrong: object[] = [];
  const expectRefusal = (route: Route, answer: Refusal, expected: Refusal) => {
    if (JSON.stringify(answer) !== JSON.stringify(expected)) wrong.push({ route: nameOf(route), ...answer });
  };
  for (const route of keyed) {
    caller = null;
    const unknown = { status: 401, code: 'UNAUTHORIZED', reached: ['authentication'] };
    expectRefusal(route, await ask(route, {}), unknown);
    expectRefusal(route, await ask(route, { session: TOKEN }), unknown);
    const scopes = scopesOf(route.scope);
    if (scopes.length === 0) continue;
    caller = callerWith((Object.keys(SCOPES) as Scope[]).filter((scope) => !scopes.includes(scope)));
    const unscoped = { status: 403, code: 'INSUFFICIENT_SCOPE', reached: ['authentication'] };
    expectRefusal(route, await ask(route, { key: 'any' }), unscoped);
    expectRefusal(route, await ask(route, { session: TOKEN }), unscoped);
  }
  expect(wrong).toEqual([]);
});

test('a session from another page is refused before it is looked up', async () => {
  caller = callerWith(Object.keys(SCOPES) as Scope[]);
  const wrong: object[] = [];
  for (const [at, route] of keyed.entries()) {
    // An address that somebody types is read, and comes from no page.
    const hostile = route.method === 'get' ? HOSTILE.filter((each) => 'origin' in each) : HOSTILE;
    for (const headers of IS_THOROUGH ? hostile : [hostile[at % hostile.length]!]) {
      const answer = await ask(route, { session: TOKEN, headers });
      if (answer.code !== 'CROSS_ORIGIN' || answer.reached.length > 0)
        wrong.push({ route: nameOf(route), headers, ...answer });
    }
  }
  expect(wrong).toEqual([]);
});

test('whoever has the scope is heard: every route notes what it looks at', async () => {
  caller = callerWith(Object.keys(SCOPES) as Scope[]);
  const silent: object[] = [];
  for (const route of keyed) {
    const answer = await ask(route, { key: 'any', ...(route.method !== 'get' && { text: '{}' }) });
    if (answer.reached.length < 2) silent.push({ route: nameOf(route), ...answer });
  }
  expect(silent).toEqual([]);
});
