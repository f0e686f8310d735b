import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { beginSession } from '../../../../src/access/sessions/begin-session.ts';
import { WHOLE_ACCOUNT } from '../../../../src/access/sessions/grant.ts';
import { settleOldChecks } from '../../../../src/cameras/scenes/checks/run-check.ts';
import { openContent } from '../../../../src/delivery/notifications/delivery/content.ts';
import { checkImageStorage } from '../../../../src/images/check-storage.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { canFilter } from '../../../support/ffmpeg.ts';
import { addCheck } from '../../../support/rows/checks.ts';
import { withCookie } from '../../../support/rows/sessions.ts';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi({}, clock);
  user = await api.user();
  await checkImageStorage(api.context);
});
afterAll(() => api.drop());

/** A scene of its own with an open check. */
async function checked(ours: readonly number[]) {
  const { sceneId } = await shopOf(user);
  const { db } = api.context;
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  return addCheck(db, scene, { at: clock.now(), ours });
}

test('an answer is in the result or refused: one that comes while the check is finished is refused', async () => {
  const { db } = api.context;
  const { check, stills } = await checked([1, 2]);
  const put = (at: number) =>
    user.put(`/check-stills/${stills[at]!.id}/answer`, { waiting: [[0.5, 0.5]], served: 0 });
  expect((await put(0)).status).toBe(204);
  const waiting = async (least: number) => {
    const [row] = await db.$queryRaw<[{ n: number }]>`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.n >= least;
  };
  let finished: Promise<unknown> = Promise.resolve();
  let late: ReturnType<typeof put> | undefined;
  await db.$transaction(
    async (tx) => {
      // The end waits for this row when it erases the pictures.
      await tx.$queryRaw`SELECT 1 FROM "CheckStill" WHERE id = ${stills[0]!.id}::uuid FOR UPDATE`;
      finished = user.post(`/checks/${check.id}/finish`, {}).then((answer) => answer);
      await eventually('the end waits', () => waiting(1));
      late = put(1);
      late.catch(() => undefined);
      await eventually('the answer waits', () => waiting(2));
    },
    { timeout: 300_000 },
  );
  await finished;
  expect((await late)?.status).toBe(404);
  const { result, stills: after } = (await user.get(`/checks/${check.id}`)).body.data;
  expect([result.waiting.stills, after[1].answers]).toEqual([1, []]);
});

test.each<['code' | 'key' | 'password', number]>([
  ['password', 1],
  ['key', 1],
  ['code', 2],
])('whoever signs in again by a %s counts as %i', async (method, checkers) => {
  const { db } = api.context;
  const { userId } = user;
  const { check, still } = await checked([2]);
  const { id: keyId } = await db.apiKey.findFirstOrThrow({ where: { userId } });
  const apiKeyId = method === 'password' ? null : keyId;
  const seen: unknown[] = [];
  for (const waiting of [1, 2]) {
    const { session, token } = await db.$transaction((tx) =>
      beginSession(
        tx,
        { ...WHOLE_ACCOUNT, userId, apiKeyId, kind: 'person', method, label: null },
        { now: clock.now(), address: null, userAgent: null },
      ),
    );
    const { body } = await api.nobody.get(`/checks/${check.id}`).set(withCookie(token));
    seen.push(body.data.stills[0].mine);
    const put = api.nobody.put(`/check-stills/${still.id}/answer`, { waiting, served: 0 });
    expect((await put.set(withCookie(token))).status).toBe(204);
    await db.session.update({ where: { id: session.id }, data: { revokedAt: clock.now() } });
  }
  expect(seen).toEqual([null, checkers === 1 ? expect.objectContaining({ waiting: 1 }) : null]);
  await user.post(`/checks/${check.id}/finish`, {});
  const { stills } = (await user.get(`/checks/${check.id}`)).body.data;
  expect(stills[0].answers).toHaveLength(checkers);
});

test.each<[string, object]>([
  ['fewer than nobody', { waiting: -1, served: 0 }],
  ['half a person', { waiting: 1.5, served: 0 }],
  ['more than anybody counts', { waiting: 201, served: 0 }],
  ['a text', { waiting: '2', served: 0 }],
  ['a person beside the picture', { waiting: [[1.01, 0.5]], served: 0 }],
  ['a place with three numbers', { waiting: [[0.1, 0.5, 0.2]], served: 0 }],
  ['one number alone', { waiting: 1 }],
  ['a number that is skipped as well', { waiting: 1, served: 0, skipped: true }],
  ['nothing that is not skipped', { skipped: false }],
])('%s is no answer', async (_, body) => {
  const { still } = await checked([1]);
  expect(codeOf(await user.put(`/check-stills/${still.id}/answer`, body))).toEqual([400, 'VALIDATION_ERROR']);
  expect((await api.context.db.checkStill.findUniqueOrThrow({ where: { id: still.id } })).answers).toEqual(
    {},
  );
});

test('a check that cannot be finished keeps no picture of another one', async () => {
  const { db } = api.context;
  const { check } = await checked([1]);
  await user.post(`/checks/${check.id}/stop`);
  const broken = await checked([1]);
  await db.checkStill.update({
    where: { id: broken.still.id },
    data: { answers: { x: { waiting: 'many' } } },
  });
  const later = new TestClock();
  later.time = new Date(clock.now().getTime() + 30.1 * 86_400_000);
  await expect(settleOldChecks({ ...api.context, clock: later })).rejects.toThrow();
  expect(await db.checkStill.count({ where: { checkId: check.id, jpeg: { not: null } } })).toBe(0);
  await db.sceneCheck.delete({ where: { id: broken.check.id } });
});

describe('the view of the camera', () => {
  const RED = { create: { width: 64, height: 36, channels: 3, background: 'red' } } as const;
  const halfHour = 30 * 60_000;
  /** A check whose first stills show somebody in red who fills the picture. */
  const seen = async (red: number, { stills, everyMs }: { stills: number; everyMs: number }) => {
    const { db } = api.context;
    const { sceneId } = await shopOf(user);
    const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
    const ours = Array.from({ length: stills }, () => 0);
    const { check } = await addCheck(db, scene, { at: clock.now(), ours, everyMs });
    const jpeg = new Uint8Array(await sharp(RED).jpeg().toBuffer());
    await db.checkStill.updateMany({ where: { checkId: check.id, stratum: { lt: red } }, data: { jpeg } });
    return check.id;
  };
  const finish = async (id: string) => (await user.post(`/checks/${id}/finish`, {})).body.data;

  test('has nobody who was there for less than half of the stills, is sent on wish, and goes with the check', async () => {
    const { db, sealer } = api.context;
    const id = await seen(4, { stills: 9, everyMs: halfHour / 8 });
    const hasMedian = await canFilter('tmedian');
    expect(await finish(id)).toMatchObject({ hasView: hasMedian });
    if (!hasMedian) return;
    const view = await user.get(`/checks/${id}/view`);
    expect([view.status, view.headers['content-type']]).toEqual([200, 'image/jpeg']);
    const { channels } = await sharp(view.body as Buffer).stats();
    expect(channels.map(({ mean }) => Math.round(mean / 10))).toEqual([13, 13, 13]);

    const channel = await db.notificationChannel.create({
      data: {
        ...{ userId: user.userId, kind: 'email', status: 'enabled' },
        ...{ address: 'ada@example.com', addressHash: new Uint8Array(32) },
      },
    });
    const pictures: number[] = [];
    for (const body of [{}, { withView: true }]) {
      expect((await user.post(`/checks/${id}/report`, body)).status).toBe(202);
      const { messageId, contentEncrypted } = await db.notification.findFirstOrThrow({
        where: { userId: user.userId },
        orderBy: { createdAt: 'desc' },
      });
      const content = openContent(sealer, messageId, contentEncrypted!);
      pictures.push('mail' in content ? content.mail.attachments.length : -1);
    }
    expect(pictures).toEqual([0, 1]);
    await db.notificationChannel.delete({ where: { id: channel.id } });
    expect((await user.delete(`/checks/${id}`)).status).toBe(204);
    expect(await db.checkView.count({ where: { checkId: id } })).toBe(0);
  });

  test.each([
    ['few stills', { stills: 8, everyMs: halfHour }, false],
    ['stills of some minutes', { stills: 9, everyMs: halfHour / 9 }, false],
    ['people whom other pictures hide', { stills: 9, everyMs: halfHour }, true],
  ])('is not made of %s', async (_, sample, showsPeople) => {
    const id = await seen(0, sample);
    await api.context.db.sceneCheck.update({ where: { id }, data: { showsPeople } });
    expect(await finish(id)).toMatchObject({ status: 'finished', hasView: false });
    expect((await user.get(`/checks/${id}/view`)).status).toBe(404);
  });
});
