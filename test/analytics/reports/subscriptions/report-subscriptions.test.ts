import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createReportSubscription } from '../../../../src/analytics/reports/subscriptions/configure-subscription.ts';
import { claimDue } from '../../../../src/analytics/reports/subscriptions/due.store.ts';
import {
  removeOldReports,
  sendDueReports,
} from '../../../../src/analytics/reports/subscriptions/send-due.job.ts';
import type { ChannelStatus } from '../../../../src/platform/prisma-client/client.ts';
import { type ApiUser, codeOf, type TestApi, TestClock, testApi } from '../../../support/api.ts';
import { dearCases, fc } from '../../../support/property.ts';
import { addMailChannel, addPushChannel } from '../../../support/rows/channels.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday 23 November 2026, 06:00 in Berlin. */
const START = Date.parse('2026-11-23T05:00:00Z');

let api: TestApi;
let owner: ApiUser;
let siteId: string;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(START);
  api = await testApi({}, clock);
  owner = await api.user();
  siteId = await addSite();
});
afterAll(() => api?.drop());

const addSite = async (user = owner): Promise<string> =>
  (await user.post('/sites', { name: 'High Street', timezone: 'Europe/Berlin' })).body.data.id;

const addChannel = async (status: ChannelStatus = 'enabled', user = owner): Promise<string> =>
  (await addMailChannel(api.context, user.userId, { status })).id;

/** A body for a site and channel of their own. */
const daily = async (more: object = {}) => ({
  ...{ siteId: await addSite(), period: 'day', localTime: '07:30', channelIds: [await addChannel()] },
  ...more,
});
const create = async (body: object) => {
  const answer = await owner.post('/reports/subscriptions', body);
  expect([answer.status, answer.body.message ?? '']).toEqual([201, '']);
  return answer.body.data;
};
const read = async (id: string) => (await owner.get(`/reports/subscriptions/${id}`)).body.data;
const recordsOf = (subscriptionId: string) =>
  api.context.db.sentReport.findMany({ where: { subscriptionId }, orderBy: { dueAt: 'asc' } });
const messagesTo = (channelId: string) =>
  api.context.db.notification.count({ where: { channelId, kind: 'report' } });

describe('subscriptions', () => {
  test('are created, listed, changed and deleted', async () => {
    const body = { ...(await daily()), siteId };
    const made = await create(body);
    expect(made).toMatchObject({
      ...body,
      weekday: null,
      nextDueAt: '2026-11-23T06:30:00.000Z',
      lastReport: null,
    });
    const list = await owner.get(`/reports/subscriptions?siteId=${siteId}`);
    expect(list.body.data).toEqual([made]);
    expect((await owner.get(`/reports/subscriptions?siteId=${randomUUID()}`)).body.data).toEqual([]);
    const path = `/reports/subscriptions/${made.id}`;
    const weekly = await owner.patch(path, { period: 'week' });
    expect(weekly.body.data).toMatchObject({
      period: 'week',
      weekday: 1,
      nextDueAt: '2026-11-23T06:30:00.000Z',
    });
    const other = await addChannel();
    const moved = await owner.patch(path, { weekday: 7, localTime: '22:00', channelIds: [other] });
    expect(moved.body.data).toMatchObject({
      weekday: 7,
      channelIds: [other],
      nextDueAt: '2026-11-29T21:00:00.000Z',
    });
    // A day has no weekday.
    expect((await owner.patch(path, { period: 'day' })).body.data).toMatchObject({
      period: 'day',
      weekday: null,
    });
    expect((await owner.delete(path)).status).toBe(204);
    expect(codeOf(await owner.get(path))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.delete(path))).toEqual([404, 'NOT_FOUND']);
  });

  test('go with their site, and lose a channel that is removed', async () => {
    const body = await daily({ channelIds: [await addChannel(), await addChannel()] });
    const made = await create(body);
    await api.context.db.notificationChannel.delete({ where: { id: body.channelIds[0]! } });
    expect((await read(made.id)).channelIds).toEqual([body.channelIds[1]]);
    await owner.delete(`/sites/${body.siteId}`);
    expect(codeOf(await owner.get(`/reports/subscriptions/${made.id}`))).toEqual([404, 'NOT_FOUND']);
  });

  test.each([
    [{ localTime: '7:30' }, 400, 'VALIDATION_ERROR', 'must be a time like 07:30'],
    [{ localTime: '24:00' }, 400, 'VALIDATION_ERROR', 'must be a time like 07:30'],
    [{ period: 'month' }, 400, 'VALIDATION_ERROR', 'period: must be one of day, week'],
    [{ weekday: 1 }, 400, 'VALIDATION_ERROR', 'weekday: is only for reports of a week'],
    [{ period: 'week', weekday: 0 }, 400, 'VALIDATION_ERROR', 'Monday is 1, Sunday is 7'],
    [{ channelIds: [] }, 400, 'VALIDATION_ERROR', 'channelIds'],
    [{ channelIds: Array.from({ length: 11 }, () => randomUUID()) }, 400, 'VALIDATION_ERROR', 'channelIds'],
    [{ channelIds: [randomUUID()] }, 404, 'NOT_FOUND', 'Channel not found'],
    [{ siteId: randomUUID() }, 404, 'NOT_FOUND', 'Site not found'],
    [{ timezone: 'UTC' }, 400, 'VALIDATION_ERROR', 'timezone'],
  ])('%j is refused', async (change, status, code, message) => {
    const answer = await owner.post('/reports/subscriptions', await daily(change));
    expect(codeOf(answer)).toEqual([status, code]);
    expect(answer.body.message).toContain(message);
    if (status === 404) expect(answer.body.error.details).toMatchObject([{ path: Object.keys(change)[0] }]);
  });

  test('take confirmed e-mail channels only, and only where e-mail is set up', async () => {
    for (const [channel, code, message] of [
      [await addChannel('unconfirmed'), 'CHANNEL_NOT_ENABLED', 'confirm it by its code first'],
      [(await addPushChannel(api.context, owner.userId)).id, 'VALIDATION_ERROR', 'must be e-mail channels'],
      [await addChannel('enabled', await api.user()), 'NOT_FOUND', 'Channel not found'],
    ] as const) {
      const made = await create(await daily());
      const path = `/reports/subscriptions/${made.id}`;
      for (const answer of [
        await owner.post('/reports/subscriptions', await daily({ channelIds: [channel] })),
        await owner.patch(path, { channelIds: [channel] }),
      ]) {
        expect(codeOf(answer)[1]).toBe(code);
        expect(answer.body.message).toContain(message);
      }
      expect((await read(made.id)).channelIds).toEqual(made.channelIds);
    }
    const config = { ...api.context.config, smtpUrl: undefined };
    const body = await daily();
    await expect(
      createReportSubscription({ ...api.context, config }, owner.userId, body as never, async () => {}),
    ).rejects.toMatchObject({ code: 'EMAIL_NOT_CONFIGURED' });
  });

  test('send a preview that does not count as a report', async () => {
    const body = await daily();
    const made = await create(body);
    const path = `/reports/subscriptions/${made.id}/test`;
    const answer = await owner.post(path);
    expect([answer.status, answer.body.data]).toEqual([202, { channelIds: body.channelIds }]);
    expect(await messagesTo(body.channelIds[0]!)).toBe(1);
    expect(await read(made.id)).toMatchObject({ lastReport: null, nextDueAt: made.nextDueAt });
    await api.context.db.notificationChannel.updateMany({
      where: { id: body.channelIds[0]! },
      data: { status: 'disabled' },
    });
    expect(codeOf(await owner.post(path))).toEqual([409, 'CHANNEL_NOT_ENABLED']);
    expect(codeOf(await (await api.user()).post(path))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('reports that are due', () => {
  const programs = (count: number) =>
    Promise.all(Array.from({ length: count }, () => sendDueReports(api.context)));
  const goTo = (ms: number) => {
    clock.time = new Date(ms);
  };

  test('are stored once for each channel, however many programs send them', async () => {
    goTo(START);
    const body = await daily({ channelIds: [await addChannel(), await addChannel()] });
    const { id } = await create(body);
    await programs(1);
    expect(await recordsOf(id)).toEqual([]);
    goTo(START + 1.5 * HOUR_MS);
    await programs(4);
    for (const channel of body.channelIds) expect(await messagesTo(channel)).toBe(1);
    expect(await read(id)).toMatchObject({
      nextDueAt: '2026-11-24T06:30:00.000Z',
      lastReport: { date: '2026-11-22', status: 'sent', reason: null, dueAt: '2026-11-23T06:30:00.000Z' },
    });
    await programs(2);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('come later when the service was away, up to two days; older ones are skipped with a record', async () => {
    goTo(START);
    const body = await daily();
    const { id } = await create(body);
    goTo(START + 4 * DAY_MS);
    await programs(2);
    expect(
      (await recordsOf(id)).map(({ date, status, reason }) => [
        date.toISOString().slice(0, 10),
        status,
        reason !== null,
      ]),
    ).toEqual([
      ['2026-11-22', 'skipped', true],
      ['2026-11-23', 'skipped', true],
      ['2026-11-24', 'sent', false],
      ['2026-11-25', 'sent', false],
    ]);
    expect(await messagesTo(body.channelIds[0]!)).toBe(2);
    expect((await read(id)).nextDueAt).toBe('2026-11-27T06:30:00.000Z');
  });

  test('are sent by another program when the one that claimed them has died', async () => {
    goTo(START);
    const body = await daily();
    const { id } = await create(body);
    goTo(START + 2 * HOUR_MS);
    const claimed = await claimDue(api.context.db, {
      now: clock.now(),
      until: new Date(clock.now().getTime() + 60_000),
      limit: 100,
    });
    expect(claimed.map((each) => each.id)).toContain(id);
    await programs(2);
    expect(await messagesTo(body.channelIds[0]!)).toBe(0);
    clock.forward(60);
    await programs(2);
    expect([await messagesTo(body.channelIds[0]!), (await recordsOf(id)).length]).toEqual([1, 1]);
  });

  test('are tried again in a minute after a fault', async () => {
    goTo(START);
    const body = await daily();
    const { id } = await create(body);
    goTo(START + 2 * HOUR_MS);
    const { sealer } = api.context;
    const broken = Object.assign(Object.create(sealer) as typeof sealer, {
      seal: () => {
        throw new Error('no key');
      },
    });
    await sendDueReports({ ...api.context, sealer: broken });
    expect(await recordsOf(id)).toEqual([]);
    await programs(1);
    expect(await recordsOf(id)).toEqual([]);
    clock.forward(60);
    await programs(1);
    expect([await messagesTo(body.channelIds[0]!), (await recordsOf(id)).length]).toEqual([1, 1]);
  });

  test('are skipped where no channel can be used', async () => {
    goTo(START);
    const body = await daily();
    const { id } = await create(body);
    await api.context.db.notificationChannel.updateMany({
      where: { id: body.channelIds[0]! },
      data: { status: 'disabled' },
    });
    goTo(START + 2 * HOUR_MS);
    await programs(1);
    expect((await read(id)).lastReport).toMatchObject({
      status: 'skipped',
      reason: 'None of its channels can be used.',
    });
    expect(await messagesTo(body.channelIds[0]!)).toBe(0);
  });

  test('follow a change of the time zone of their site', async () => {
    goTo(START);
    const body = await daily();
    const { id } = await create(body);
    await owner.patch(`/sites/${body.siteId}`, { timezone: 'America/New_York' });
    goTo(START + 2 * HOUR_MS);
    await programs(1);
    expect(await recordsOf(id)).toEqual([]);
    expect((await read(id)).nextDueAt).toBe('2026-11-23T12:30:00.000Z');
    goTo(Date.parse('2026-11-23T12:30:00Z'));
    await programs(1);
    expect((await recordsOf(id)).map(({ status }) => status)).toEqual(['sent']);
  });

  test('of a week are those of the week that has ended', async () => {
    goTo(START);
    const { id } = await create(await daily({ period: 'week', weekday: 3 }));
    goTo(START + 3 * DAY_MS);
    await programs(1);
    expect(await read(id)).toMatchObject({
      lastReport: { date: '2026-11-16', dueAt: '2026-11-25T06:30:00.000Z' },
      nextDueAt: '2026-12-02T06:30:00.000Z',
    });
  });

  test('are sent once for each period, whatever programs die and clocks change', async () => {
    const { db } = api.context;
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 90, 400, 1500, 4500) }),
      fc.record({ kind: fc.constant('work' as const), programs: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('die' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('02:30', '00:00', '23:59'),
        fc.constantFrom('2026-10-23T10:00:00Z', '2026-03-27T10:00:00Z'),
        fc.array(step, { minLength: 4, maxLength: 14 }),
        async (localTime, start, steps) => {
          await db.reportSubscription.deleteMany();
          goTo(Date.parse(start));
          const body = await daily({ localTime });
          const { id } = await create(body);
          for (const each of steps) {
            if (each.kind === 'wait') clock.forward(each.minutes * 60);
            else if (each.kind === 'work') await programs(each.programs);
            else {
              const until = new Date(clock.now().getTime() + 5 * 60_000);
              await claimDue(db, { now: clock.now(), until, limit: 1 });
            }
          }
          clock.forward(6 * 60);
          await programs(2);
          const records = await recordsOf(id);
          const sent = records.filter(({ status }) => status === 'sent');
          expect(await messagesTo(body.channelIds[0]!)).toBe(sent.length);
          // One day after the other, up to the last that is due.
          const days = records.map(({ date }) => date.getTime() / DAY_MS);
          expect(days).toEqual(days.map((_, at) => days[0]! + at));
          expect(Date.parse((await read(id)).nextDueAt)).toBeGreaterThan(clock.now().getTime());
        },
      ),
      { numRuns: dearCases(4) },
    );
  });

  test('leave records that are removed after 400 days', async () => {
    goTo(START);
    const { id } = await create(await daily());
    goTo(START + 2 * HOUR_MS);
    await programs(1);
    await api.context.db.sentReport.updateMany({
      where: { subscriptionId: id },
      data: { createdAt: clock.now() },
    });
    clock.forward(399 * 86_400);
    await removeOldReports(api.context);
    expect(await recordsOf(id)).toHaveLength(1);
    clock.forward(2 * 86_400);
    await removeOldReports(api.context);
    expect(await recordsOf(id)).toEqual([]);
  });
});
