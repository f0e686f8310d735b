import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../../../src/delivery/events/catalogue.ts';
import { emit } from '../../../src/delivery/events/emit.ts';
import { eventsAfter, newestSequence } from '../../../src/delivery/events/event.store.ts';
import type { Tx } from '../../../src/platform/database/db.ts';
import type { Webhook } from '../../../src/platform/prisma-client/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let database: TestDatabase;
let userId: string;
let users = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  users += 1;
  ({ id: userId } = await database.db.user.create({ data: { email: `events${users}@example.com` } }));
});

const AT = new Date('2026-03-01T10:00:00.123Z');
const announcement = (dedupeKey: string, message = 'Hello') => ({
  userId,
  type: 'system_announcement' as const,
  data: { title: 'News', message },
  occurredAt: AT,
  dedupeKey,
});
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.db.$transaction(work);
const webhook = (changes: Partial<Webhook> = {}) =>
  database.db.webhook.create({
    data: { userId, url: 'https://example.com/hook', secretEncrypted: 'x', secretLast4: 'abcd', ...changes },
  });
const deliveries = () => database.db.webhookDelivery.findMany({ where: { userId } });
const stored = () => eventsAfter(database.db, { userId, types: EVENT_TYPES, after: 0n }, 100);

describe('emit', () => {
  test('stores the body exactly as it will be sent', async () => {
    const id = await inTransaction((tx) => emit(tx, announcement('bytes', 'Ümlaut “quotes” \u2028 😀')));
    const { body } = await database.db.event.findUniqueOrThrow({ where: { id: id! } });
    expect(Buffer.from(body).toString()).toBe(
      `{"id":"${id}","type":"system_announcement","timestamp":"2026-03-01T10:00:00.123Z",` +
        '"data":{"title":"News","message":"Ümlaut “quotes” \u2028 😀"}}',
    );
  });

  test('repeated or concurrent calls with one dedupe key store one event and one delivery', async () => {
    await webhook();
    const ids = await Promise.all([1, 2, 3].map(() => inTransaction((tx) => emit(tx, announcement('same')))));
    ids.push(await inTransaction((tx) => emit(tx, announcement('same', 'other words'))));
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
    expect(await deliveries()).toHaveLength(1);
  });

  test('a rolled-back transaction leaves no event', async () => {
    await webhook();
    const undone = inTransaction(async (tx) => {
      await emit(tx, announcement('undone'));
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await stored()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  test('schedules the first delivery with the settings of the webhook', async () => {
    const { id: webhookId } = await webhook({ maxRetries: 3 });
    const event = { ...announcement('attempt'), severity: 'warning' as const };
    const eventId = await inTransaction((tx) => emit(tx, event));
    expect(await deliveries()).toMatchObject([
      {
        userId,
        webhookId,
        webhookUrl: 'https://example.com/hook',
        eventId,
        notificationType: 'system_announcement',
        severity: 'warning',
        status: 'pending',
        attemptNumber: 1,
        maxAttempts: 4,
        isFinalAttempt: false,
        series: 1,
        isTest: false,
        attemptedAt: null,
      },
    ]);
  });

  test.each<[string, Partial<Webhook>, boolean]>([
    ['subscribed to all', { subscribedTypes: [] }, true],
    ['subscribed to it', { subscribedTypes: ['alert_triggered', 'system_announcement'] }, true],
    ['subscribed to others', { subscribedTypes: ['alert_triggered'] }, false],
    ['disabled', { status: 'disabled' }, false],
    ['deleted', { deletedAt: AT }, false],
  ])('a webhook that is %s', async (_which, changes, wants) => {
    await webhook(changes);
    await inTransaction((tx) => emit(tx, announcement(`which ${users}`)));
    expect(await stored()).toHaveLength(1);
    expect(await deliveries()).toHaveLength(wants ? 1 : 0);
  });

  test('the first attempt for a webhook without retries is marked as the final one', async () => {
    await webhook({ maxRetries: 0 });
    await inTransaction((tx) => emit(tx, announcement('final')));
    expect(await deliveries()).toMatchObject([{ maxAttempts: 1, isFinalAttempt: true }]);
  });

  test('schedules no delivery for webhooks of other users', async () => {
    await webhook();
    const other = await database.db.user.create({ data: { email: 'other@example.com' } });
    await inTransaction((tx) => emit(tx, { ...announcement('theirs'), userId: other.id }));
    expect(await deliveries()).toEqual([]);
  });

  test('events have the order of their commits, not of their inserts', async () => {
    let commitFirst: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      commitFirst = resolve;
    });
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = inTransaction(async (tx) => {
      await emit(tx, announcement('slow'));
      begun();
      await held;
    });
    await hasBegun;
    await inTransaction((tx) => emit(tx, announcement('quick')));
    const [quick] = await stored();
    const seen = await newestSequence(database.db, userId);
    expect(seen).toBe(quick!.sequence);
    commitFirst();
    await slow;
    expect(await eventsAfter(database.db, { userId, types: EVENT_TYPES, after: seen }, 100)).toHaveLength(1);
  });
});
