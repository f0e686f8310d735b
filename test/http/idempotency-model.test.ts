import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { z } from 'zod';
import { ApiError, notFound } from '../../src/http/errors.ts';
import { beginCall } from '../../src/http/idempotency/begin-call.ts';
import { FirstCall } from '../../src/http/idempotency/first-call.ts';
import { route } from '../../src/http/route.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Context } from '../../src/platform/context.ts';
import { Sealer } from '../../src/platform/crypto.ts';
import type { Tx } from '../../src/platform/database/db.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { fc } from '../support/property.ts';

/** How a call goes on: to its end, or until its process dies. */
type Course = 'succeeds' | 'is refused' | 'fails' | 'dies before the commit' | 'dies after the commit';

type Step =
  | { readonly kind: 'call'; readonly slot: number; readonly body: number; readonly course: Course }
  /** A process that was taken for dead goes on and tries to commit. */
  | { readonly kind: 'resume'; readonly slot: number }
  | { readonly kind: 'lapse' }
  | { readonly kind: 'rotate' };

/** What one user and key should be. */
interface Slot {
  readonly userId: string;
  readonly key: string;
  state: 'free' | 'under way' | 'kept';
  body: number;
  answer: string;
  made: number;
  /** Attempts whose process seemed dead; the last one may still commit unless another was begun or kept. */
  stalled: { readonly first: FirstCall; isCurrent: boolean }[];
}

let database: TestDatabase;
let context: Context;
const users: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await db.$executeRaw`CREATE TABLE made (slot text NOT NULL)`;
  for (const email of ['one@example.com', 'two@example.com'])
    users.push((await db.user.create({ data: { email } })).id);
  context = {
    config: loadConfig({ NODE_ENV: 'test' }),
    db,
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    sealer: new Sealer([{ id: 'k0', key: Buffer.alloc(32) }]),
  } as Context;
});
afterAll(() => database.drop());

const creating = route({
  name: 'make',
  method: 'post',
  path: '/things',
  scope: 'scene:write',
  summary: 'make',
  idempotency: 'user',
  status: 201,
  response: z.strictObject({ id: z.string(), isFinished: z.boolean() }),
}).answers(async () => ({ id: '', isFinished: true }));

const begin = ({ userId, key }: Slot, body: number) =>
  beginCall({
    context,
    route: creating,
    caller: { userId, credentialId: 'any', keyId: 'any', sessionId: null, scopes: new Set() },
    key,
    request: { body },
    requestId: randomUUID(),
    check: undefined,
  });

const create = (first: FirstCall, { userId, key }: Slot, data: object) =>
  context.db.$transaction(async (tx: Tx) => {
    await tx.$executeRaw`INSERT INTO made VALUES (${userId + key})`;
    await first.keep(tx, data);
  });

/** Begins a call and follows its course. @returns what a client sees; null where its process died */
async function call(slot: Slot, body: number, course: Course): Promise<string | null> {
  const first = await begin(slot, body).catch((error: ApiError) => error);
  if (first instanceof ApiError) return first.code;
  if (!(first instanceof FirstCall)) return `again ${first.status} ${first.body}`;
  const data = { id: randomUUID(), isFinished: false };
  if (course === 'dies before the commit') {
    slot.stalled.push({ first, isCurrent: true });
    return null;
  }
  if (course === 'dies after the commit') {
    await create(first, slot, data);
    return null;
  }
  const answer = await first
    .run(async () => {
      if (course === 'is refused') throw notFound('Thing');
      if (course === 'fails') throw new Error('a fault of ours');
      await create(first, slot, data);
      return { ...data, isFinished: true };
    })
    .catch((error: Error) => error.message);
  return typeof answer === 'string' ? answer : `${answer.status} ${answer.body}`;
}

const madeBy = async ({ userId, key }: Slot) => {
  const [row] = await context.db.$queryRaw<{ made: bigint }[]>`
    SELECT count(*) AS made FROM made WHERE slot = ${userId + key}`;
  return Number(row!.made);
};

async function takeStep(step: Step, slots: readonly Slot[]): Promise<void> {
  const { db } = context;
  if (step.kind === 'lapse') {
    await db.$executeRaw`UPDATE "IdempotentCall" SET "claimedUntil" = clock_timestamp() - interval '1 s'`;
    for (const slot of slots) if (slot.state === 'under way') slot.state = 'free';
    return;
  }
  if (step.kind === 'rotate') {
    keyring = [{ id: `k${randomBytes(4).toString('hex')}`, key: randomBytes(32) }, ...keyring];
    context = { ...context, sealer: new Sealer(keyring) };
    return;
  }
  const slot = slots[step.slot]!;
  if (step.kind === 'resume') {
    const attempt = slot.stalled.pop();
    if (!attempt) return;
    const data = { id: randomUUID(), isFinished: false };
    const committed = await create(attempt.first, slot, data).then(
      () => true,
      (error: ApiError) => {
        expect(error.code).toBe('IDEMPOTENCY_KEY_IN_USE');
        return false;
      },
    );
    expect(committed).toBe(attempt.isCurrent);
    if (committed) Object.assign(slot, { state: 'kept', answer: 'of the dead', made: slot.made + 1 });
    return;
  }
  const { body, course } = step;
  const { state } = slot;
  const seen = await call(slot, body, course);
  if (state !== 'free') {
    if (body !== slot.body) expect(seen).toBe('IDEMPOTENCY_KEY_REUSED');
    else if (state === 'under way') expect(seen).toBe('IDEMPOTENCY_KEY_IN_USE');
    else if (slot.answer === 'of the dead') expect(seen).toMatch(/^again 201 /);
    else expect(seen).toBe(`again ${slot.answer}`);
    return;
  }
  slot.body = body;
  // Whoever was at work before has been replaced.
  const replaced = course === 'dies before the commit' ? slot.stalled.slice(0, -1) : slot.stalled;
  for (const attempt of replaced) attempt.isCurrent = false;
  switch (course) {
    case 'succeeds':
      expect(seen).toMatch(/^201 .*"isFinished":true/);
      Object.assign(slot, { state: 'kept', answer: seen, made: slot.made + 1 });
      break;
    case 'is refused':
      expect(seen).toMatch(/^404 /);
      Object.assign(slot, { state: 'kept', answer: seen });
      break;
    case 'fails':
      expect(seen).toBe('a fault of ours');
      break;
    case 'dies before the commit':
      slot.state = 'under way';
      break;
    case 'dies after the commit':
      Object.assign(slot, { state: 'kept', answer: 'of the dead', made: slot.made + 1 });
  }
}

let keyring = [{ id: 'k0', key: Buffer.alloc(32) }];

const slotIndex = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      slot: slotIndex,
      body: fc.nat(1),
      course: fc.constantFrom<Course>(
        'succeeds',
        'is refused',
        'fails',
        'dies before the commit',
        'dies after the commit',
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const), slot: slotIndex }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'lapse' }, { kind: 'rotate' }) },
);

test('random calls and crashes create exactly what the model predicts, and repetitions get the first answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const key = randomUUID();
      const slots = [
        { userId: users[0]!, key },
        { userId: users[1]!, key },
        { userId: users[0]!, key: randomUUID() },
      ].map((slot): Slot => ({ ...slot, state: 'free', body: 0, answer: '', made: 0, stalled: [] }));
      for (const each of steps) {
        await takeStep(each, slots);
        for (const slot of slots) expect(await madeBy(slot)).toBe(slot.made);
      }
    }),
  );
});
