import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { overrideQuota } from '../../src/billing/admin/administer-quota.ts';
import { createWriter } from '../../src/insights/create-writer.ts';
import { type DescribeJobContext, describeDue, sweepInsights } from '../../src/insights/describe.job.ts';
import { claimDue } from '../../src/insights/describe.store.ts';
import { describeInsight } from '../../src/insights/describe-insight.ts';
import type { InsightWriter } from '../../src/insights/writer.ts';
import { openChat } from '../../src/platform/chat/chat-client.ts';
import { VlmFailure } from '../../src/platform/chat/vlm-failure.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { TestClock } from '../support/api.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type AddedRule, addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { GOOD_ANSWER, VlmServer } from '../support/servers/vlm-server.ts';

let database: TestDatabase;
let server: VlmServer;
let clock: TestClock;
let jpeg: Buffer;
beforeAll(async () => {
  database = await testDatabase();
  server = await VlmServer.start();
  jpeg = await sharp({ create: { width: 960, height: 540, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  await database.db.user.deleteMany();
  clock = new TestClock();
  clock.time = new Date('2026-01-05T10:00:00Z');
  server.requests.length = 0;
  server.mostOpen = 0;
});

const NEVER = new AbortController().signal;

function contextOf(changes: Record<string, string> = {}, writer?: InsightWriter) {
  const config = loadConfig({
    VLM_PROVIDER: 'openai',
    VLM_URL: server.url,
    VLM_MODEL: 'test-vlm',
    VLM_API_KEY: server.key,
    ...changes,
  });
  return {
    config,
    db: database.db,
    clock,
    images: new LocalImages(database.imagesDir),
    logger: createLogger({ level: 'silent', program: 'test' }),
    writer: writer ?? createWriter({ config, db: database.db, chat: openChat(config, clock) }),
    // An insight that is due is found without its job; these tests have a clock of their own.
    queue: { send: async () => null },
    random: () => 0.5,
  };
}

async function newRule(): Promise<AddedRule> {
  const { scene } = await queueScene(database.db, await addDevice(database.db));
  return addRule(database.db, { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id });
}

let alertsFired = 0;

/** Creates an alert that has just fired. A rule fires once at a time. */
async function pendingAlert(rule: AddedRule, { withPicture = true } = {}) {
  const now = clock.now();
  const triggeredAt = new Date(now.getTime() + ++alertsFired);
  const alert = await addAlert(database.db, rule, {
    event: { triggeredAt },
    insight: { vlmDueAt: now, vlmDeadlineAt: new Date(now.getTime() + 30 * 60_000) },
  });
  if (!withPicture) return alert;
  const objectKey = newImageKey(now, rule.userId);
  await new LocalImages(database.imagesDir).put(objectKey, jpeg);
  await database.db.storedImage.create({
    data: {
      userId: rule.userId,
      alertEventId: alert.event.id,
      kind: 'clean',
      objectKey,
      width: 960,
      height: 540,
      sizeBytes: jpeg.length,
      capturedAt: now,
    },
  });
  return alert;
}

const insightOf = (id: string) => database.db.insight.findUniqueOrThrow({ where: { id } });
async function tokensUsed(userId: string): Promise<number> {
  const { _sum } = await database.db.usageEvent.aggregate({
    where: { userId, feature: 'vlm' },
    _sum: { quantity: true },
  });
  return Number(_sum.quantity ?? 0);
}

describe('an insight', () => {
  test('an insight is written by the model, and the used tokens are paid once', async () => {
    const rule = await newRule();
    const { insight } = await pendingAlert(rule);
    const context = contextOf();
    await Promise.all([describeDue(context, NEVER), describeDue(context, NEVER)]);
    expect(await insightOf(insight.id)).toMatchObject({
      vlmStatus: 'completed',
      vlmSummary: GOOD_ANSWER.summary,
      riskLevel: 'high',
      personCount: 7,
      vlmProvider: 'openai',
      vlmModel: 'test-vlm',
      vlmTokensUsed: 1020,
      vlmAttempts: 1,
    });
    expect(server.requests).toHaveLength(1);
    expect(await tokensUsed(rule.userId)).toBe(1020);
  });

  test('an insight in progress is handed back when its program stops: the next one makes the same attempt, paid once', async () => {
    const rule = await newRule();
    const { insight } = await pendingAlert(rule);
    const stopping = new AbortController();
    const jobs: unknown[] = [];
    const queue: DescribeJobContext['queue'] = {
      send: async (_type, payload, options) => {
        jobs.push({ payload, ...options });
        return null;
      },
    };
    let described = Promise.resolve();
    await new Promise<void>((asked) => {
      const writer: InsightWriter = {
        ...contextOf().writer,
        write: (_material, signal) =>
          new Promise((_written, reject) => {
            signal.addEventListener('abort', () => reject(new VlmFailure('VLM_CONNECTION', 'aborted')));
            asked();
          }),
      };
      described = describeDue({ ...contextOf({}, writer), queue }, stopping.signal);
    });
    stopping.abort();
    await described;
    const untried = { vlmStatus: 'pending', vlmAttempts: 0, vlmError: null, vlmClaimedUntil: null };
    expect(await insightOf(insight.id)).toMatchObject(untried);
    expect(jobs).toEqual([{ payload: { insightId: insight.id }, startAfter: clock.now() }]);

    await describeDue(contextOf(), NEVER);
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'completed', vlmAttempts: 1 });
    expect(await tokensUsed(rule.userId)).toBe(1020);
  });

  const schedule = { timezone: 'Europe/Berlin', windows: [{ days: [1], start: '09:00', end: '17:00' }] };
  test.each([
    ['the camera', { timezone: 'Asia/Kolkata', schedule }, 'since 15:30.'],
    ['its timetable', { schedule }, 'since 11:00.'],
    ['the account', {}, 'since 05:00.'],
  ])('times are by the clock of %s', async (_, columns, expected) => {
    const rule = await newRule();
    const { db } = database;
    await db.user.update({ where: { id: rule.userId }, data: { timezone: 'America/New_York' } });
    await db.device.update({ where: { id: rule.deviceId }, data: columns });
    const { insight } = await pendingAlert(rule);
    await describeDue(contextOf({ VLM_PROVIDER: 'rules' }), NEVER);
    expect((await insightOf(insight.id)).vlmSummary).toContain(expected);
  });

  test('an insight is attempted again after 10 s, 60 s, 5 min and 10 min, and then fails; nothing is paid', async () => {
    const rule = await newRule();
    const { insight } = await pendingAlert(rule);
    const context = contextOf();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      server.scripts.push({ fault: 'status', status: 503 });
      await describeDue(context, NEVER);
      const row = await insightOf(insight.id);
      expect(row.vlmAttempts).toBe(attempt);
      if (row.vlmStatus !== 'pending') break;
      const wait = (row.vlmDueAt.getTime() - clock.now().getTime()) / 1000;
      waits.push(wait);
      clock.forward(wait - 0.001);
      await describeDue(context, NEVER);
      clock.forward(0.001);
    }
    expect(waits).toEqual([10, 60, 300, 600]);
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'failed', vlmError: 'VLM_SERVER_ERROR' });
    expect(server.requests).toHaveLength(5);
    expect(await tokensUsed(rule.userId)).toBe(0);
  });

  test('an insight waits as long as the server asks for', async () => {
    const { insight } = await pendingAlert(await newRule());
    server.scripts.push({ fault: 'rateLimited', retryAfter: '240' });
    await describeDue(contextOf(), NEVER);
    const { vlmDueAt, vlmError } = await insightOf(insight.id);
    expect(vlmDueAt.getTime() - clock.now().getTime()).toBe(240_000);
    expect(vlmError).toBe('VLM_RATE_LIMITED');
  });

  test('an insight fails at once when its image has a row but no object', async () => {
    const { event, insight } = await pendingAlert(await newRule());
    const objectKey = newImageKey(clock.now(), randomUUID());
    await database.db.storedImage.updateMany({ where: { alertEventId: event.id }, data: { objectKey } });
    await describeDue(contextOf(), NEVER);
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'failed', vlmError: 'SNAPSHOT_MISSING' });
  });

  test('without an image an insight fails at once with a model, and is written by the built-in writer', async () => {
    const rule = await newRule();
    const { insight } = await pendingAlert(rule, { withPicture: false });
    await describeDue(contextOf(), NEVER);
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'failed', vlmError: 'SNAPSHOT_MISSING' });
    const other = await pendingAlert(rule, { withPicture: false });
    await describeDue(contextOf({ VLM_PROVIDER: 'rules' }), NEVER);
    expect(await insightOf(other.insight.id)).toMatchObject({ vlmStatus: 'completed', vlmTokensUsed: 0 });
  });

  test('an insight fails without a request to the model when no tokens are left', async () => {
    const rule = await newRule();
    const owner = { userId: rule.userId, scope: 'user', scopeId: rule.userId } as const;
    await overrideQuota(database.db, { ...owner, limits: { vlm: 100 }, now: clock.now() });
    const { insight } = await pendingAlert(rule);
    await describeDue(contextOf(), NEVER);
    expect(await insightOf(insight.id)).toMatchObject({
      vlmStatus: 'failed',
      vlmError: 'VLM_QUOTA_EXCEEDED',
    });
    expect(server.requests).toHaveLength(0);
    expect(await tokensUsed(rule.userId)).toBe(0);
  });

  test('an insight of a worker that died is continued by another, with the same reservation', async () => {
    const rule = await newRule();
    const { insight } = await pendingAlert(rule);
    const dying = contextOf(
      {},
      {
        ...contextOf().writer,
        write: () => Promise.reject(new Error('killed')),
      },
    );
    await expect(describeDue(dying, NEVER)).rejects.toThrow('killed');
    expect(await tokensUsed(rule.userId)).toBeGreaterThan(1020);
    await describeDue(contextOf(), NEVER);
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'pending' });
    // Claims of dead workers do not block the limits for long.
    clock.forward(19);
    const one = contextOf({ VLM_CONCURRENCY: '1' });
    const other = await pendingAlert(await newRule());
    await describeDue(one, NEVER);
    expect(await insightOf(other.insight.id)).toMatchObject({ vlmStatus: 'pending' });
    clock.forward(1);
    await describeDue(one, NEVER);
    expect(await insightOf(other.insight.id)).toMatchObject({ vlmStatus: 'completed' });
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'completed', vlmAttempts: 1 });
    expect(await tokensUsed(rule.userId)).toBe(1020);
  });

  test('an insight that takes long is not claimed by another worker while its own renews the claim', async () => {
    await pendingAlert(await newRule());
    let mostHeld = 0;
    const slow = contextOf(
      {},
      {
        ...contextOf().writer,
        async write() {
          for (let turn = 0; turn < 4; turn++) {
            clock.forward(15);
            const vlmClaimedUntil = new Date(clock.now().getTime() + 20_000);
            await eventually('the claim is renewed', () =>
              database.db.insight.findFirst({ where: { vlmClaimedUntil } }),
            );
            const limits = { concurrency: 4, userConcurrency: 4, claimSeconds: 20 };
            if (await claimDue(database.db, { now: clock.now(), ...limits })) mostHeld++;
          }
          return { result: GOOD_ANSWER as never, inputTokens: 900, outputTokens: 120 };
        },
      },
    );
    await describeDue({ ...slow, renewMs: 10 }, NEVER);
    expect(mostHeld).toBe(0);
    expect(await database.db.insight.count({ where: { vlmStatus: 'completed' } })).toBe(1);
  });

  test('an insight that two workers write because one was thought dead is paid once', async () => {
    const rule = await newRule();
    const { writer } = contextOf();
    for (const used of [1020, writer.reservedTokens, writer.reservedTokens + 50]) {
      const before = await tokensUsed(rule.userId);
      await pendingAlert(rule);
      const claimed = await claimDue(database.db, {
        ...{ now: clock.now(), concurrency: 4, userConcurrency: 4, claimSeconds: 20 },
      });
      const context = contextOf(
        {},
        {
          ...writer,
          write: async () => ({ result: GOOD_ANSWER as never, inputTokens: used, outputTokens: 0 }),
        },
      );
      const first = await describeInsight(context, claimed!, NEVER);
      const second = await describeInsight(context, claimed!, NEVER);
      expect([first.outcome, second.outcome]).toEqual(['completed', 'superseded']);
      expect((await tokensUsed(rule.userId)) - before).toBe(used);
    }
  });

  test('an insight does not stay pending past its deadline, and its reservation is given back', async () => {
    const rule = await newRule();
    const { insight } = await pendingAlert(rule);
    const dying = contextOf({}, { ...contextOf().writer, write: () => Promise.reject(new Error('killed')) });
    await expect(describeDue(dying, NEVER)).rejects.toThrow('killed');
    clock.forward(30 * 60);
    await sweepInsights(contextOf());
    expect(await insightOf(insight.id)).toMatchObject({ vlmStatus: 'failed', vlmError: 'VLM_TIMEOUT' });
    expect(await tokensUsed(rule.userId)).toBe(0);
  });
});

describe('many insights', () => {
  test('one user’s many alerts do not delay another user, and the limits hold over all workers', async () => {
    const [storm, quiet] = [await newRule(), await newRule()];
    for (let n = 0; n < 12; n++) await pendingAlert(storm);
    clock.forward(1);
    const late = await pendingAlert(quiet);
    const context = contextOf({ VLM_CONCURRENCY: '3', VLM_USER_CONCURRENCY: '2' });
    server.scripts.push(...Array.from({ length: 3 }, () => ({ fault: 'held' }) as const));
    const described = Promise.all(Array.from({ length: 6 }, () => describeDue(context, NEVER)));
    await eventually('three are in progress', () => server.held.length === 3);
    const claimed = await database.db.insight.findMany({ where: { vlmClaimedUntil: { not: null } } });
    expect(claimed).toHaveLength(3);
    expect(claimed.map(({ id }) => id)).toContain(late.insight.id);
    server.release();
    await described;
    expect(server.mostOpen).toBe(3);
    const rows = await database.db.insight.findMany();
    expect(rows.every(({ vlmStatus }) => vlmStatus === 'completed')).toBe(true);
  });

  // One alert each second is the long form: VLM_AWAY_EVERY_SECONDS=1.
  const everySeconds = Number(process.env.VLM_AWAY_EVERY_SECONDS ?? 30);
  test('after ten minutes without the model all insights are written within fifteen minutes', async () => {
    const rule = await newRule();
    let second = 0;
    const writer: InsightWriter = {
      ...contextOf({ VLM_PROVIDER: 'rules' }).writer,
      async write() {
        if (second < 600) throw new VlmFailure('VLM_CONNECTION', 'away');
        return { result: GOOD_ANSWER as never, inputTokens: 0, outputTokens: 0 };
      },
    };
    const context = { ...contextOf({}, writer), random: Math.random };
    const limits = { concurrency: 4, userConcurrency: 4, claimSeconds: 180 };
    let done = 0;
    let dueMs: number[] = [];
    for (; second < 1_500 && (second < 600 || done < 600 / everySeconds); second++) {
      if (second < 600 && second % everySeconds === 0) {
        await pendingAlert(rule, { withPicture: false });
        dueMs.push(0);
      }
      const nowMs = clock.now().getTime();
      const isDue = dueMs.some((atMs) => atMs <= nowMs);
      dueMs = dueMs.filter((atMs) => atMs > nowMs);
      // Each answer takes 200 ms, and four are in progress at once.
      for (let n = 0; isDue && n < 20; n++) {
        const claimed = await claimDue(database.db, { now: clock.now(), ...limits });
        if (!claimed) break;
        const described = await describeInsight(context, claimed, NEVER);
        if (described.outcome === 'completed') done++;
        if (described.outcome === 'later') dueMs.push(described.dueAt.getTime());
        if (n === 19) dueMs.push(0);
      }
      clock.forward(1);
    }
    expect(await database.db.insight.groupBy({ by: ['vlmStatus'], _count: true })).toEqual([
      { vlmStatus: 'completed', _count: 600 / everySeconds },
    ]);
    expect(second).toBeLessThan(1_500);
  }, 1_800_000);
});
