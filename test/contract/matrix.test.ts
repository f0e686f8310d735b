import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../src/access/create-key.ts';
import { API_ROUTES } from '../../src/app.ts';
import { SCOPES, type Scope, scopesOf } from '../../src/http/permission.ts';
import { ROLES } from '../../src/http/roles.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { addNode } from '../support/rows/runs.ts';
import { addSession } from '../support/rows/sessions.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { answerFrames } from './answer-frames.ts';
import { callOf, type Ids, idsOf, placesOf } from './call-of.ts';
import { CASES, imagePath, kindOf } from './cases.ts';
import { type Answer, send } from './client.ts';
import { type IdPlace, OPERATIONS, type Operation } from './operations.ts';
import { addRows, fingerprint, type Kind, REMOVE, type Rows } from './rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const MALFORMED = 'not-an-id';
const EVERY_SCOPE = Object.keys(SCOPES) as Scope[];

let api: TestApi;
let server: RunningServer;
/** Somebody else: nobody but an administrator may see or touch a row of it. */
let other: Rows;
let otherBefore: Record<string, string>;
/** Of whoever calls: rows that are only read, rows that calls change, and rows that were deleted. */
let mine: Rows;
let changed: Rows;
let deleted: Rows;
let stopFrames: () => Promise<void>;

beforeAll(async () => {
  // The rows of each operation that takes some away are one user's.
  api = await testApi({ MAX_CHANNELS_PER_USER: '500' });
  const { context } = api;
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  await addNode(context.db, 'alive');
  [other, mine] = [await addRows(context), await addRows(context)];
  changed = await addRows(context, mine.user);
  deleted = { ...(await addRows(context, mine.user)), user: (await addRows(context)).user };
  for (const kind of Object.keys(deleted) as Kind[]) await REMOVE[kind](context, deleted[kind]);
  otherBefore = await fingerprint(context.db, other.user);
  stopFrames = answerFrames(context);
});
afterAll(async () => {
  await stopFrames?.();
  await server?.stop();
  await api?.drop();
});

/** What else goes with a row: calls that take one of these away share rows as long as those are there. */
const GOES_WITH: { readonly [K in Kind]?: readonly Kind[] } = {
  ...{ endedTask: [], check: [], rule: [], reportSubscription: [], subscription: [], session: [] },
  ...{ apiKey: [], export: [], erasure: [], announcement: [], recording: ['filmCheck'] },
  ...{ alert: ['insight'], channel: ['subscription'], site: ['reportSubscription'] },
};
const shared: { readonly rows: Rows; readonly taken: Set<Kind> }[] = [];

/** Rows for a call; of a new user where what it takes away is no row with an id. */
async function rowsFor({ name, method, ids }: Operation): Promise<Rows> {
  if (method === 'GET') return mine;
  if (method !== 'DELETE' && !CASES[name]!.spends) return changed;
  const kind = ids.length === 1 ? kindOf(name, ids[0]!) : null;
  const goes = kind && GOES_WITH[kind] && [kind, ...GOES_WITH[kind]];
  if (!goes) return addRows(api.context, ids.length > 0 ? mine.user : undefined);
  let found = shared.find(({ taken }) => !taken.has(kind));
  if (!found) {
    found = { rows: await addRows(api.context, mine.user), taken: new Set() };
    shared.push(found);
  }
  for (const each of goes) found.taken.add(each);
  return found.rows;
}

/** How a call is authenticated. */
type Kinds = 'key' | 'cookie';
type Credential = { readonly key: string } | { readonly session: string };

/** How foreign ids are asked for: what finds a row is given the user alone, however that was told. */
const WAYS: readonly Kinds[] = IS_THOROUGH ? ['key', 'cookie'] : ['key'];

const credentials = new Map<string, Promise<Credential>>();

/** A key or session of the user with exactly these scopes. */
function credentialWith(kind: Kinds, userId: string, scopes: readonly Scope[]): Promise<Credential> {
  const name = `${kind} ${userId} ${scopes.join()}`;
  const known = credentials.get(name);
  if (known) return known;
  const { db, clock } = api.context;
  const made =
    kind === 'key'
      ? createKey(db, { userId, name: 'matrix', scopes }).then(({ key }) => ({ key }))
      : addSession(db, userId, scopes, clock.now()).then(({ token }) => ({ session: token }));
  credentials.set(name, made);
  return made;
}

const call = (operation: Operation, rows: Rows, { ids, credential }: { ids: Ids; credential?: Credential }) =>
  send(server.url, { ...callOf(operation, rows, ids), ...credential });

/** The answer but for what may differ between any two: its time, its own id, the id that was asked for. */
function content({ status, text }: Answer, id?: string): string {
  const body = text === '' ? null : (JSON.parse(text) as { meta?: object });
  if (body?.meta) body.meta = { ...body.meta, timestamp: '', requestId: '' };
  const all = JSON.stringify({ status, body });
  return id === undefined ? all : all.replaceAll(id, 'ID');
}

test('every operation has a case and every case an operation', () => {
  expect(Object.keys(CASES).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});

const accessOf = (name: string) =>
  API_ROUTES.find((route) => `${route.method.toUpperCase()} ${route.path}` === name)!.scope;

const keyed = OPERATIONS.filter(({ isOpen }) => !isOpen);
const roomOf = ({ path }: Operation) => path.split('/')[1];
const firstOfRooms = new Set(
  keyed.filter((one, at) => keyed.findIndex((each) => roomOf(each) === roomOf(one)) === at),
);

describe.each(keyed.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const scopes = scopesOf(accessOf(name));
  const { own: expected, gone = {}, before } = CASES[name]!;

  // For every route, for all ids, keys and sessions, and from other pages: contract/order.
  if (IS_THOROUGH || firstOfRooms.has(operation))
    test('somebody else’s rows: 401 without a key or session, 403 without the scope', async () => {
      const ids = idsOf(operation, other);
      const codeWith = async (credential?: Credential) => {
        const { status, code } = await call(operation, mine, { ids, ...(credential && { credential }) });
        return [status, code];
      };
      expect(await codeWith()).toEqual([401, 'UNAUTHORIZED']);
      if (scopes.length === 0) return;
      const others = EVERY_SCOPE.filter((scope) => !scopes.includes(scope));
      const unscoped = await credentialWith('key', mine.user, others);
      expect(await codeWith(unscoped)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    });

  // A call that any key or session may make is tried with a scope that does not matter.
  test.each(scopes.length > 0 ? scopes : (['scene:read'] as const))(
    'with %s alone: own, foreign, deleted, absent and malformed ids',
    async (scope) => {
      const rows = await rowsFor(operation);
      // What an id is looked up by does not depend on which of several scopes allowed the call.
      for (const place of scopes.indexOf(scope) > 0 ? [] : placesOf(operation))
        await tryPlace(place, { rows, scope });
      await before?.(api.context, rows);
      const { status, text } = await call(operation, rows, {
        ids: idsOf(operation, rows),
        credential: await credentialWith(CASES[name]!.credential ?? 'key', rows.user, [scope]),
      });
      expect([status, status >= 400 ? text : '']).toEqual([expected, '']);
      if (scope === 'admin') return;
      for (const id of Object.values(other)) expect(text).not.toContain(id);
    },
  );

  async function tryPlace(place: IdPlace, { rows, scope }: { rows: Rows; scope: Scope }) {
    const kind = kindOf(name, place)!;
    const at = async (id: string, how: Kinds = 'key') => {
      const credential = await credentialWith(how, rows.user, [scope]);
      return call(operation, rows, { ids: new Map([...idsOf(operation, rows), [place, id]]), credential });
    };
    // Stands in place of `sceneId`, so not beside it: `test/alerts` tries it.
    if (place.where === 'body' && place.name === 'siteId' && name.includes('/alerts/rules')) return;
    const where = `${place.where} ${place.name}`;
    if (place.where === 'body' && !(place.name in (CASES[name]!.body?.(rows) ?? {}))) {
      throw new Error(`${name}: the body in test/contract/cases.ts lacks ${place.name}`);
    }

    expect([where, (await at(MALFORMED)).status]).toEqual([where, 400]);

    const absent = await at(ABSENT);
    const filters = place.where === 'query' && !place.required;
    expect([where, absent.status]).toEqual([where, gone[place.name] ?? (filters ? 200 : 404)]);
    const { data } = JSON.parse(absent.text) as { data?: unknown };
    if (filters && Array.isArray(data)) expect([where, data]).toEqual([where, []]);

    // An administrator's calls name anybody's rows.
    for (const how of scope === 'admin' ? [] : WAYS) {
      const foreign = await at(other[kind], how);
      expect([where, how, content(foreign, other[kind])]).toEqual([where, how, content(absent, ABSENT)]);
    }
    const answer = await at(deleted[kind]);
    expect([where, answer.status]).toEqual([where, absent.status]);
    // What once happened there may still be listed: history stays.
    if (!filters) expect([where, content(answer, deleted[kind])]).toEqual([where, content(absent, ABSENT)]);
  }
});

/** In `npm test` the first of each room: `contract/order` has keys and sessions of every route. */
const reads = keyed
  .filter(({ method }) => method === 'GET')
  .filter((one, at, all) => IS_THOROUGH || all.findIndex((each) => roomOf(each) === roomOf(one)) === at);

test.each(reads.map((operation) => [operation.name, operation] as const))(
  '%s answers a session as a key',
  async (name, operation) => {
    const [scope = 'scene:read'] = scopesOf(accessOf(name));
    // Not as an administrator: a session has `admin` only for one.
    if (scope === 'admin')
      await api.context.db.user.update({ where: { id: mine.user }, data: { isAdmin: true } });
    await CASES[name]!.before?.(api.context, mine);
    const ids = idsOf(operation, mine);
    const credential = await credentialWith('cookie', mine.user, [scope]);
    const { status, text } = await call(operation, mine, { ids, credential });
    expect([status, status >= 400 ? text : '']).toEqual([CASES[name]!.own, '']);
  },
);

/** Reads although its method is POST; ends the own session. */
const FOR_EVERYBODY = ['POST /analysis/insights/search', 'DELETE /session'];

test('a viewer has the scope of no call that writes', () => {
  const viewer: readonly Scope[] = ROLES.viewer.scopes;
  const writes = keyed.filter(({ method, name }) => method !== 'GET' && !FOR_EVERYBODY.includes(name));
  const allowed = writes.filter(({ name }) => {
    const scopes = scopesOf(accessOf(name));
    return scopes.length === 0 || scopes.some((scope) => viewer.includes(scope));
  });
  expect(allowed.map(({ name }) => name)).toEqual([]);
});

test('GET /images/{day}/{name}: a signed address opens only its own image, everything else is 404', async () => {
  const path = imagePath(api.context, mine.image);
  const get = (address: string) => send(server.url, { method: 'GET', path: address });
  expect((await get(path)).status).toBe(200);
  const absent = await get(`/images/2026-11-01/${ABSENT}.jpg`);
  expect(absent.status).toBe(404);
  for (const address of [
    path.replace(mine.image, other.image),
    `/images/${mine.image}`,
    '/images/not-a-day/%2e%2e%2fetc',
    imagePath(api.context, deleted.image),
  ]) {
    expect([address, content(await get(address))]).toEqual([address, content(absent)]);
  }
});

const lists = OPERATIONS.flatMap(({ name, path }) => {
  const route = API_ROUTES.find((each) => each.csv && name === `GET ${each.path}`);
  return route ? [{ name, path, scopes: scopesOf(route.scope) }] : [];
});

test.each(lists.map((list) => [list.name, list] as const))(
  '%s as CSV: its own rows, nobody else’s',
  async (name, { path, scopes }) => {
    const credential = await credentialWith('key', mine.user, scopes);
    const headers = { accept: 'text/csv' };
    const ask = (rows: Rows, query = '') => {
      const kind = CASES[name]!.path;
      const filled = kind ? path.replace(/\{\w+\}/, rows[kind]) : path;
      return send(server.url, { method: 'GET', path: filled + query, headers, ...credential });
    };
    const all = await ask(mine);
    expect([all.status, all.isJson]).toEqual([200, false]);
    // An administrator sees everybody's.
    if (!scopes.includes('admin')) for (const id of Object.values(other)) expect(all.text).not.toContain(id);
    if (CASES[name]!.path) expect((await ask(other)).code).toBe('NOT_FOUND');
    expect([(await ask(mine, '?unknown=1')).code, (await ask(mine, '?unknown=1')).isJson]).toEqual([
      'VALIDATION_ERROR',
      true,
    ]);
  },
);

test('none of these calls changed data of another user', async () => {
  expect(await fingerprint(api.context.db, other.user)).toEqual(otherBefore);
});
