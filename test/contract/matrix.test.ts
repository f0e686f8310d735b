import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../src/access/create-key.ts';
import { API_ROUTES } from '../../src/app.ts';
import { SCOPES, type Scope, scopesOf } from '../../src/http/permission.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { addNode } from '../support/rows/runs.ts';
import { answerFrames, CASES, imagePath, kindOf, REQUIRED } from './cases.ts';
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
/** Whoever calls: rows that are only read, and rows that were deleted. */
let mine: Rows;
let deleted: Rows;
let stopFrames: () => Promise<void>;

beforeAll(async () => {
  api = await testApi();
  const { context } = api;
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  await addNode(context.db, 'alive');
  [other, mine] = [await addRows(context), await addRows(context)];
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

/** Rows for a call that changes some; of a new user where what changes is no row with an id. */
const freshRows = ({ method, ids }: Operation): Promise<Rows> | Rows =>
  method === 'GET' ? mine : addRows(api.context, ids.length > 0 ? mine.user : undefined);

const keys = new Map<string, Promise<string>>();

/** A key of the user with exactly these scopes. */
function keyWith(userId: string, scopes: readonly Scope[]): Promise<string> {
  const name = `${userId} ${scopes.join()}`;
  const made =
    keys.get(name) ?? createKey(api.context.db, { userId, name: 'matrix', scopes }).then(({ key }) => key);
  keys.set(name, made);
  return made;
}

/** The ids of a call, one for each place that names something. */
type Ids = ReadonlyMap<IdPlace, string>;

const placesOf = ({ name, ids }: Operation) => ids.filter((place) => kindOf(name, place) !== null);

const idsOf = (operation: Operation, rows: Rows): Ids =>
  new Map(placesOf(operation).map((place) => [place, rows[kindOf(operation.name, place)!]]));

function call(operation: Operation, rows: Rows, { ids, key }: { ids: Ids; key?: string }): Promise<Answer> {
  let path = operation.path;
  const query = new URLSearchParams();
  const body = CASES[operation.name]!.body?.(rows) as Record<string, unknown> | undefined;
  for (const { in: where, name, required } of operation.parameters) {
    if (where === 'query' && required && REQUIRED[name]) query.set(name, REQUIRED[name]);
  }
  for (const [{ where, name, many }, id] of ids) {
    if (where === 'path') path = path.replace(`{${name}}`, id);
    if (where === 'query') query.set(name, id);
    if (where === 'body' && body && name in body) body[name] = many ? [id] : id;
  }
  const search = query.size > 0 ? `?${query}` : '';
  return send(server.url, { method: operation.method, path: `${path}${search}`, key, body });
}

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

const keyed = OPERATIONS.filter(({ isOpen }) => !isOpen);

describe.each(keyed.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const { scope: access } = API_ROUTES.find(
    (route) => `${route.method.toUpperCase()} ${route.path}` === name,
  )!;
  const scopes = scopesOf(access);
  const { own: expected, gone = {}, before } = CASES[name]!;

  test('401 without a key and 403 without the scope, for any ids', async () => {
    const wrong = await keyWith(
      mine.user,
      EVERY_SCOPE.filter((scope) => !scopes.includes(scope)),
    );
    const ids = idsOf(operation, mine);
    const any = [MALFORMED, ABSENT].map((id) => new Map([...ids.keys()].map((place) => [place, id])));
    const unknown = new Set<string>();
    const unscoped = new Set<string>();
    for (const some of [ids, idsOf(operation, other), idsOf(operation, deleted), ...any]) {
      unknown.add(content(await call(operation, mine, { ids: some })));
      unscoped.add(content(await call(operation, mine, { ids: some, key: wrong })));
    }
    expect([...unknown]).toEqual([expect.stringMatching(/"status":401.*"UNAUTHORIZED"/)]);
    expect([...unscoped]).toEqual([expect.stringMatching(/"status":403.*"INSUFFICIENT_SCOPE"/)]);
  });

  test.each(scopes)('with %s alone: own, foreign, deleted, absent and malformed ids', async (scope) => {
    const rows = await freshRows(operation);
    const key = await keyWith(rows.user, [scope]);
    for (const place of placesOf(operation)) await tryPlace(place, { rows, key, scope });
    await before?.(api.context, rows);
    const { status, text } = await call(operation, rows, { ids: idsOf(operation, rows), key });
    expect([status, status >= 400 ? text : '']).toEqual([expected, '']);
    if (scope === 'admin') return;
    for (const id of Object.values(other)) expect(text).not.toContain(id);
  });

  async function tryPlace(place: IdPlace, { rows, key, scope }: { rows: Rows; key: string; scope: Scope }) {
    const kind = kindOf(name, place)!;
    const at = (id: string) =>
      call(operation, rows, { ids: new Map([...idsOf(operation, rows), [place, id]]), key });
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
    if (scope !== 'admin') {
      const foreign = await at(other[kind]);
      expect([where, content(foreign, other[kind])]).toEqual([where, content(absent, ABSENT)]);
    }
    const answer = await at(deleted[kind]);
    expect([where, answer.status]).toEqual([where, absent.status]);
    // What once happened there may still be listed: history stays.
    if (!filters) expect([where, content(answer, deleted[kind])]).toEqual([where, content(absent, ABSENT)]);
  }
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
    const key = await keyWith(mine.user, scopes);
    const headers = { accept: 'text/csv' };
    const ask = (rows: Rows, query = '') => {
      const kind = CASES[name]!.path;
      const filled = kind ? path.replace('{id}', rows[kind]) : path;
      return send(server.url, { method: 'GET', path: filled + query, key, headers });
    };
    const all = await ask(mine);
    expect([all.status, all.isJson]).toEqual([200, false]);
    for (const id of Object.values(other)) expect(all.text).not.toContain(id);
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
