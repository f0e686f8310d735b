import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey } from '../../src/access/create-key.ts';
import { errorEnvelope } from '../../src/http/answer/envelope.ts';
import { SCOPES, type Scope } from '../../src/http/permission.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { fc } from '../support/property.ts';
import { CLIP } from '../support/rows/recordings.ts';
import { addNode } from '../support/rows/runs.ts';
import { addSession } from '../support/rows/sessions.ts';
import { answerFrames } from './answer-frames.ts';
import { type FuzzRequest, requestsTo } from './arbitrary.ts';
import { CASES } from './cases.ts';
import { type Answer, send } from './client.ts';
import { OPERATIONS } from './operations.ts';
import { addRows, type Kind, type Rows } from './rows.ts';

/** Sent at the same time. */
const AT_ONCE = 25;
/** Of the caller's rows, until there are new ones. */
const DELETED_AT_MOST = 5;
const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];
/** Calls that succeed only with a signature, password or code. */
const NEEDS_SECRET = [
  'GET /images/{day}/{name}',
  'POST /session',
  'GET /notifications/unsubscribe/{id}',
  'POST /notifications/unsubscribe/{id}',
  'GET /reports/unsubscribe/{id}',
  'POST /reports/unsubscribe/{id}',
];
export const LEAK = /node_modules|\.ts:\d+|\bat \S+ \(\S+:\d+|PrismaClient|"User"|ECONN|prisma\./;

let api: TestApi;
let server: RunningServer;
let key: string;
let session: string;
let mine: Rows;
let other: Rows;
let stopFrames: () => Promise<void>;

async function open(): Promise<void> {
  api = await testApi({
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    SEARCH_RATE_LIMIT_PER_MINUTE: '1000000000',
  });
  const { context } = api;
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  await addNode(context.db, 'alive');
  [mine, other] = [await addRows(context), await addRows(context)];
  key = (await createKey(context.db, { userId: mine.user, name: 'fuzz', scopes: SCOPE_NAMES })).key;
  await context.db.user.update({ where: { id: mine.user }, data: { isAdmin: true } });
  session = await beginSession();
  stopFrames = answerFrames(context);
}

async function close(): Promise<void> {
  await stopFrames?.();
  await server?.stop();
  await api?.drop();
}

const withIds = (text: string) =>
  text.replace(
    /ref(?::|%3A)(mine|other)(?::|%3A)(\w+)/g,
    (_all, whose: string, kind: string) => (whose === 'mine' ? mine : other)[kind as Kind],
  );

let fired = 0;
/** Sessions that requests have. */
const begun: string[] = [];

/** Every second request has the session instead of the key. */
async function fire({ method, path, headers, body, isClip }: FuzzRequest): Promise<Answer> {
  fired += 1;
  const hasSession = fired % 2 === 0;
  const answer = await send(server.url, {
    method,
    path: withIds(path),
    ...(hasSession ? { session } : { key }),
    headers,
    ...(body !== undefined && { text: withIds(body) }),
    ...(isClip && { file: CLIP }),
  });
  // Some requests end the session.
  if (hasSession && answer.status === 401) session = await beginSession();
  return answer;
}

/** Ends the one before, if no request has: a user may have so many that began with a code. */
async function beginSession(): Promise<string> {
  const { db, clock } = api.context;
  await db.session.updateMany({ where: { id: { in: begun.splice(0) } }, data: { revokedAt: clock.now() } });
  const { session: row, token } = await addSession(db, mine.user, SCOPE_NAMES, clock.now());
  begun.push(row.id);
  return token;
}

const statuses = new Map(OPERATIONS.map(({ name, statuses: documented }) => [name, documented]));

/** @returns what is wrong with an answer, or nothing */
function faultOf({ operation }: FuzzRequest, { status, text, isJson }: Answer): string | undefined {
  const mayBeAway = operation === 'GET /devices/{id}/frame' && status === 503;
  if (status >= 500 && !mayBeAway) return `answered ${status}: ${text}`;
  if (!statuses.get(operation)!.has(status)) return `answered ${status}, which is not documented: ${text}`;
  if (LEAK.test(text)) return `told too much: ${text}`;
  if (status < 400) return undefined;
  const parsed = errorEnvelope.safeParse(isJson ? JSON.parse(text) : text);
  return parsed.success ? undefined : `answered ${status} off the error's schema: ${text}`;
}

const any = fc.oneof(...OPERATIONS.map((operation) => requestsTo(operation, CASES[operation.name]?.path)));

/** A test that sends so many random requests; the same seed sends the same. */
export function sendsAnything(requests: number, seed: number): void {
  beforeAll(open);
  afterAll(close);
  test(
    `${requests} requests of seed ${seed}: no 5xx, nothing off its schema, no stack trace`,
    async () => {
      const seen = new Map<string, Set<number>>();
      let deleted = 0;
      const batch = fc.asyncProperty(
        fc.array(any, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (sent) => {
          const answers = await Promise.all(sent.map(fire));
          for (const [at, answer] of answers.entries()) {
            const request = sent[at]!;
            const fault = faultOf(request, answer);
            if (fault) throw new Error(`${request.method} ${withIds(request.path)} ${fault}`);
            seen.set(request.operation, (seen.get(request.operation) ?? new Set()).add(answer.status));
          }
          // What was deleted is made anew now and then, so that requests go on meeting something.
          deleted += answers.filter(({ status }) => status === 204).length;
          if (deleted < DELETED_AT_MOST) return;
          deleted = 0;
          // A user may have so many sessions that began with a code.
          const { db, clock } = api.context;
          await db.session.updateMany({ where: { id: mine.session }, data: { revokedAt: clock.now() } });
          mine = await addRows(api.context, mine.user);
        },
      );
      await fc.assert(batch, { numRuns: Math.ceil(requests / AT_ONCE), seed });
      // It is worth something only if requests come through, and to nearly every operation: some twelve need a body that chance
      // makes only now and then.
      if (requests < 10_000) return;
      const never = [...seen].filter(
        ([name, all]) =>
          (CASES[name]?.own ?? 200) < 300 &&
          !NEEDS_SECRET.includes(name) &&
          ![...all].some((status) => status < 300),
      );
      if (never.length > OPERATIONS.length / 10) expect(never.map(([name]) => name)).toEqual([]);
      expect(seen.size).toBe(OPERATIONS.length);
    },
    // Generous: it only ends a run that hangs.
    600_000 + requests * 200,
  );
}

/** The server that the requests go to, and a key for it. */
export const target = () => ({ url: server.url, key });
