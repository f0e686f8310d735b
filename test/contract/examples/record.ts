import { createKey } from '../../../src/access/create-key.ts';
import { makeSetupCode } from '../../../src/access/sign-in/set-up.ts';
import { API_ROUTES } from '../../../src/app.ts';
import { EXAMPLE_ID } from '../../../src/http/openapi/example-shop.ts';
import type { RecordedCall } from '../../../src/http/openapi/examples.ts';
import { SCOPES, type Scope } from '../../../src/http/permission.ts';
import { startServer } from '../../../src/http/server/server.ts';
import { TestClock, testApi } from '../../support/api.ts';
import { callOf, idsOf, requiredOf } from '../call-of.ts';
import { CASES } from '../cases.ts';
import { type Call, send } from '../client.ts';
import { OPERATIONS, type Operation } from '../operations.ts';
import { addRows } from '../rows.ts';
import { BODIES, SENT } from './bodies.ts';
import { OWN, readable } from './readable.ts';
import { fillShop, NAMES, NOW, WHEN } from './shop.ts';

const EVERY_SCOPE = Object.keys(SCOPES) as Scope[];
const PASSWORD = 'seven tills on a rainy day';
/** What is written is there before it is read. */
const ORDER = ['PUT', 'POST', 'PATCH', 'GET', 'DELETE'];
const ROUTES = new Map(API_ROUTES.map((route) => [route.name, route]));
/** Takes away nothing that another call needs: the check is finished, and read. */
const KEPT = new Set(['finishCheck']);
/** Answered where nobody is set up. */
const AT_FIRST = new Set(['getSetup', 'setUp', 'signIn']);

/** Makes every call of the API in a small shop at a standing clock. @returns what was sent and answered, by operationId */
export async function recordExamples(): Promise<Record<string, RecordedCall>> {
  const clock = new TestClock();
  clock.time = NOW;
  const { app, context, drop } = await testApi({}, clock);
  const server = await startServer(app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  const recorded = new Map<string, RecordedCall>();
  const clean = readable();

  async function record(id: string, call: Call): Promise<void> {
    const headers = { 'x-request-id': EXAMPLE_ID.request, ...call.headers };
    const { status, text, isJson } = await send(server.url, { ...call, headers });
    if (status >= 400) throw new Error(`${id}: ${status} ${text}`);
    const known = recorded.get(id);
    const answer = text !== '' && { [isJson ? 'application/json' : 'text/csv']: clean.answer(text, isJson) };
    recorded.set(id, {
      ...known,
      ...(call.body !== undefined && { body: clean.value(call.body) }),
      ...(answer && { answer: { ...known?.answer, ...answer } }),
    });
  }

  try {
    const code = await makeSetupCode(context);
    const owner = { email: 'ada@example.com', password: PASSWORD };
    const setUp = { code, ...owner, name: 'Ada', timezone: 'Europe/Berlin' };
    await record('getSetup', { method: 'GET', path: '/setup' });
    await record('setUp', { method: 'POST', path: '/setup', body: setUp });
    await record('signIn', { method: 'POST', path: '/session', body: owner });
    /** A user with one of each, and a key; other users are spent. */
    const shopOf = async (owner?: string) => {
      const rows = await addRows(context, owner, { named: (kind) => NAMES[kind]!, at: WHEN });
      clean.know(rows, owner ? undefined : OWN);
      const { key } = await createKey(context.db, {
        userId: rows.user,
        name: 'Dashboard',
        scopes: EVERY_SCOPE,
      });
      return { rows, key };
    };
    const { id: userId } = await context.db.user.findFirstOrThrow();
    const mine = await shopOf(userId);
    await fillShop(context, mine.rows);
    const operations = OPERATIONS.filter(({ id }) => !AT_FIRST.has(id)).toSorted(
      (a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method) || (a.id < b.id ? -1 : 1),
    );
    for (const operation of operations) {
      const { spends, before, own } = CASES[operation.name]!;
      const { rows, key } = spends && !KEPT.has(operation.id) ? await shopOf() : mine;
      const ids = [...idsOf(operation, rows)].filter(([{ where }]) => where !== 'body');
      const sent = { ...requiredOf(operation), ...sentIn(operation) };
      const parameters = { ...Object.fromEntries(ids.map(([{ name }, id]) => [name, id])), ...sent };
      if (Object.keys(parameters).length > 0)
        recorded.set(operation.id, { parameters: clean.value(parameters) });
      // Bytes and endless answers are no examples, and what a signature is for is answered where it was sent.
      const { produces, events, csv } = ROUTES.get(operation.id)!;
      if (operation.method === 'DELETE' || produces || events || own >= 400) continue;
      await before?.(context, rows);
      const needed = new Map(ids.filter(([{ required }]) => required));
      const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));
      const call = { ...callOf(operation, rows, needed, texts), key };
      const better = BODIES[operation.id] && { body: BODIES[operation.id]!(rows) };
      await record(operation.id, { ...call, ...better });
      if (operation.id === 'markCheckTimes')
        await record('finishCheck', {
          method: 'POST',
          path: `/checks/${rows.timesCheck}/finish`,
          body: {},
          key,
        });
      if (csv) await record(operation.id, { ...call, headers: { accept: 'text/csv' } });
    }
    return Object.fromEntries([...recorded].sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await server.stop();
    await drop();
  }
}

/** What is sent beside ids: a list without a range has what was stored by the clock of the database, too. */
const sentIn = ({ id, parameters }: Operation) =>
  Object.fromEntries(
    parameters.flatMap(({ name, required }) => {
      const value = SENT[`${id} ${name}`] ?? SENT[name];
      return value === undefined || (name.endsWith('Date') && !required) ? [] : [[name, value]];
    }),
  );
