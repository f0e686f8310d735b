import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eraseUser } from '../../../../src/access/user.store.ts';
import { noteMovedViews } from '../../../../src/cameras/scenes/checks/check.store.ts';
import { writeCheckReport } from '../../../../src/cameras/scenes/checks/report/write-report.ts';
import { settleOldChecks } from '../../../../src/cameras/scenes/checks/run-check.ts';
import { takeStills } from '../../../../src/cameras/scenes/checks/take-stills.job.ts';
import { mailOf } from '../../../../src/delivery/notifications/messages/mail-message.ts';
import { checkImageStorage } from '../../../../src/images/check-storage.ts';
import { EXPORTED_ROWS } from '../../../../src/privacy/ranged-rows.store.ts';
import { workOnNext } from '../../../../src/privacy/work-on-jobs.ts';
import {
  type ApiUser,
  codeOf,
  QUEUE_ZONE,
  shopOf,
  type TestApi,
  TestClock,
  testApi,
} from '../../../support/api.ts';
import { addCheck, addTimesCheck } from '../../../support/rows/checks.ts';

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
async function checked(ours: readonly number[], owner = user) {
  const { sceneId } = await shopOf(owner);
  const { db } = api.context;
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const film = await addTimesCheck(db, scene, { at: clock.now() });
  return { scene, sceneId, film, ...(await addCheck(db, scene, { at: clock.now(), ours })) };
}
const read = async (id: string) => (await user.get(`/checks/${id}`)).body.data;
const moveZone = async (sceneId: string) => {
  const [x, ...others] = QUEUE_ZONE.points;
  const queueZone = { ...QUEUE_ZONE, points: [[x![0]! + 0.05, x![1]!], ...others] };
  expect((await user.patch(`/scenes/${sceneId}`, { config: { zones: { queueZone } } })).status).toBe(200);
};
const isErased = async (checkId: string) =>
  (await api.context.db.checkStill.findMany({ where: { checkId }, orderBy: { stratum: 'asc' } })).map(
    ({ jpeg }) => jpeg === null,
  );

test('pictures on which the counts are equal are erased at the end, and those that nobody has counted; others after 30 days', async () => {
  const { check, stills, sceneId, scene } = await checked([1, 2, 3, 4]);
  const answers = [{ waiting: 1, served: 5 }, { waiting: 0, served: 0 }, { skipped: true }];
  for (const [at, answer] of answers.entries())
    await user.put(`/check-stills/${stills[at]!.id}/answer`, answer);
  await user.post(`/checks/${check.id}/finish`, {});
  // Those who are served do not count: the scene has no checkout zone.
  expect(await isErased(check.id)).toEqual([true, false, true, true]);
  const { result, checkedBy } = await read(check.id);
  expect([result.skipped, result.waiting.stills, result.served, checkedBy]).toEqual([1, 2, null, null]);
  expect((await user.get(`/check-stills/${stills[0]!.id}/picture`)).status).toBe(404);

  // The picture of the other stays for 30 days.
  expect((await user.get(`/check-stills/${stills[1]!.id}/picture`)).status).toBe(200);
  const later = new TestClock();
  for (const days of [29.9, 30.1]) {
    later.time = new Date(clock.now().getTime() + days * 86_400_000);
    await settleOldChecks({ ...api.context, clock: later });
    expect((await isErased(check.id))[1]).toBe(days > 30);
  }
  expect((await user.delete(`/checks/${check.id}`)).status).toBe(204);
  const noted = await api.context.db.auditEntry.findMany({
    where: { userId: user.userId, targetId: { in: [sceneId, scene.deviceId] } },
    orderBy: { at: 'asc' },
  });
  const actions = noted.map(({ action }) => action);
  for (const action of ['check_finished', 'pictures_viewed', 'check_deleted'])
    expect(actions).toContain(action);
});

test('what nobody finishes is finished after 14 days with what it has', async () => {
  const { check, film, still } = await checked([2]);
  await user.put(`/check-stills/${still.id}/answer`, { waiting: 2, served: 0 });
  clock.forward(13.9 * 86_400);
  await settleOldChecks(api.context);
  expect(await read(check.id)).toMatchObject({ status: 'open' });
  clock.forward(0.2 * 86_400);
  await settleOldChecks(api.context);
  expect(await read(check.id)).toMatchObject({ status: 'finished', endReason: 'expired' });
  expect(await isErased(check.id)).toEqual([true]);
  expect(await read(film.id)).toMatchObject({ status: 'finished', endReason: 'expired' });
  expect(await api.context.db.checkFilm.count({ where: { checkId: film.id } })).toBe(0);
});

test('nobody in view for a day is a result: every count is right, and there is no length to be wrong about', async () => {
  const { check, stills } = await checked(Array.from({ length: 40 }, () => 0));
  for (const { id } of stills) await user.put(`/check-stills/${id}/answer`, { waiting: [], served: [] });
  const { result } = (await user.post(`/checks/${check.id}/finish`, {})).body.data;
  expect(result).toMatchObject({
    waiting: {
      ...{ stills: 40, exactPercent: { value: 100, to: 100 }, bias: { value: 0 }, mostTheirs: 0 },
      ...{ lengthErrorPercent: null, lengthError: null, meanOurs: 0, meanTheirs: 0 },
    },
    conditions: { emptyPercent: 100, crowdedPercent: 0 },
  });
  // Forty moments do not prove that nobody is ever missed.
  expect(result.waiting.exactPercent.from).toBeLessThan(95);
});

test('two checkers are both kept, and how much they agree is told', async () => {
  const { check, stills } = await checked([2, 2, 2]);
  const { key } = (await user.post('/api-keys', { name: 'second', scopes: ['analysis:control'] })).body.data;
  for (const [at, theirs] of [2, 3, 5].entries()) {
    const path = `/check-stills/${stills[at]!.id}/answer`;
    await user.put(path, { waiting: 2, served: 0 });
    const second = await user.put(path, { waiting: theirs, served: 0 }).set('Authorization', `Bearer ${key}`);
    expect(second.status).toBe(204);
  }
  const { result } = (await user.post(`/checks/${check.id}/finish`, {})).body.data;
  expect(result.agreement).toEqual({
    ...{ stills: 3, exactPercent: expect.closeTo(100 / 3), withinOnePercent: expect.closeTo(200 / 3) },
  });
  // A still is right to the share of those who say so: 1, 1/2, 1/2.
  expect(result.waiting.exactPercent.value).toBeCloseTo(66.667, 1);
  expect((await read(check.id)).stills.map(({ answers }: { answers: object[] }) => answers.length)).toEqual([
    2, 2, 2,
  ]);
});

test.each<[string, (sceneId: string) => Promise<void>, object]>([
  [
    // Nobody analyses the camera.
    'the camera goes offline',
    async () => clock.forward(3_600),
    { endReason: 'complete', missedMoments: 57, outdated: null },
  ],
  [
    'the zones change',
    async (sceneId) => {
      await moveZone(sceneId);
      clock.forward(60);
    },
    { endReason: 'zones_changed', missedMoments: 0, outdated: 'zones_changed' },
  ],
])('where %s after some stills, a check ends with what it has', async (_, change, ended) => {
  const { db } = api.context;
  const { check, stills, sceneId } = await checked([2, 3]);
  const endsAt = new Date(clock.now().getTime() + 3_600_000);
  const collecting = { status: 'collecting', endReason: null, collectedAt: null, slot: 3 } as const;
  await db.sceneCheck.update({
    where: { id: check.id },
    data: { ...collecting, endsAt, nextAt: clock.now() },
  });
  await change(sceneId);
  expect(await takeStills(api.context)).toMatchObject({ failed: 0 });
  expect(await read(check.id)).toMatchObject({ status: 'open', takenStills: 2, ...ended });
  for (const { id, waiting } of stills) await user.put(`/check-stills/${id}/answer`, { waiting, served: 0 });
  const { data } = (await user.post(`/checks/${check.id}/finish`, {})).body;
  expect(data).toMatchObject({
    ...{ status: 'finished', ...ended },
    result: { waiting: { stills: 2, exactPercent: { value: 100 } } },
  });
});

test.each<[string, (owner: ApiUser, sceneId: string, deviceId: string) => Promise<unknown>]>([
  ['its device', (owner, _, deviceId) => owner.delete(`/devices/${deviceId}`)],
  ['its scene', (owner, sceneId) => owner.delete(`/scenes/${sceneId}`)],
  ['its user', ({ userId }) => eraseUser(api.context.db, userId)],
  [
    'an erasure of its range',
    async ({ userId }) => {
      const [from, to] = [-60_000, 60_000].map((ms) => new Date(clock.now().getTime() + ms));
      await api.context.db.dataJob.create({
        data: { userId, kind: 'erasure', rangeFrom: from!, rangeTo: to!, deviceIds: [] },
      });
      expect(await workOnNext(api.context, new AbortController().signal)).toBe(true);
    },
  ],
])('pictures, films, points and marks go with %s', async (_, erase) => {
  const { db } = api.context;
  const owner = await api.user();
  const { scene, check, film, still } = await checked([2], owner);
  await owner.put(`/check-stills/${still.id}/answer`, { waiting: [[0.5, 0.5]], served: 0 });
  const visit = { person: 'red', joinedAt: 1, servedAt: null, leftAt: 9 };
  expect((await owner.put(`/checks/${film.id}/times`, { visits: [visit] })).status).toBe(204);
  await erase(owner, scene.id, scene.deviceId);
  const checkId = { in: [check.id, film.id] };
  expect([
    await db.sceneCheck.count({ where: { id: checkId } }),
    await db.checkStill.count({ where: { checkId } }),
    await db.checkFilm.count({ where: { checkId } }),
    await db.checkMarks.count({ where: { checkId } }),
  ]).toEqual([0, 0, 0, 0]);
});

test('people whom the account hides are shown to those who check alone, and no picture of them stays', async () => {
  const { db } = api.context;
  const { check, film, still } = await checked([2]);
  const showsPeople = { id: { in: [check.id, film.id] } };
  await db.sceneCheck.updateMany({ where: showsPeople, data: { showsPeople: true } });
  const { key } = (await user.post('/api-keys', { name: 'screen', scopes: ['device:read'] })).body.data;
  for (const path of [`/check-stills/${still.id}/picture`, `/checks/${film.id}/film`]) {
    expect(codeOf(await user.get(path).set('Authorization', `Bearer ${key}`))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect((await user.get(path)).status).toBe(200);
  }
  const { sceneId } = await shopOf(user);
  const started = await user.post(`/scenes/${sceneId}/checks`, { showsPeople: true, keepsWrongStills: true });
  expect(started.body.data).toMatchObject({ showsPeople: true, keepsWrongStills: false });
  await user.delete(`/checks/${started.body.data.id}`);
  const { details } = await db.auditEntry.findFirstOrThrow({
    where: { userId: user.userId, action: 'check_started' },
    orderBy: { at: 'desc' },
  });
  expect(details).toMatchObject({ showsPeople: true });
  // An export has what was counted, and no picture.
  for (const name of ['checkStills', 'checkFilms']) {
    const { show } = EXPORTED_ROWS.find((rows) => rows.name === name)!;
    expect(show!({ checkId: 'x', jpeg: new Uint8Array([1]) } as never)).toEqual({
      checkId: 'x',
      hasPicture: true,
    });
  }
});

test('new zones make a finished check old; the scene takes its checks along', async () => {
  const { db } = api.context;
  const { check, sceneId } = await checked([2]);
  await user.post(`/checks/${check.id}/finish`, {});
  await moveZone(sceneId);
  expect(await read(check.id)).toMatchObject({ outdated: 'zones_changed' });
  expect((await user.delete(`/scenes/${sceneId}`)).status).toBe(204);
  expect(await db.sceneCheck.count({ where: { sceneId } })).toBe(0);
});

test('moments without a picture are counted, and after the last one people count', async () => {
  const { sceneId } = await shopOf(user);
  const { id } = (await user.post(`/scenes/${sceneId}/checks`, { stills: 20, hours: 1 })).body.data;
  clock.forward(3_600);
  await takeStills(api.context);
  expect(await read(id)).toMatchObject({
    ...{ status: 'open', endReason: 'complete', takenStills: 0, missedMoments: 60 },
  });
  const finished = await user.post(`/checks/${id}/finish`, {});
  expect(finished.body.data.result.waiting).toBeNull();
});

test('a view that has moved makes a check old for ever, and not one of later', async () => {
  const { db } = api.context;
  const { check, sceneId } = await checked([2]);
  await user.post(`/checks/${check.id}/finish`, {});
  const { deviceId } = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  clock.forward(60);
  const since = clock.now().toISOString();
  const warn = (warnings: object[]) => db.device.update({ where: { id: deviceId }, data: { warnings } });
  await warn([{ reason: 'view_changed', message: 'x', since }]);
  await noteMovedViews(api.context);
  clock.forward(60);
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const { check: later } = await addCheck(db, scene, { at: clock.now() });
  await noteMovedViews(api.context);
  await warn([]);
  expect(await read(check.id)).toMatchObject({ outdated: 'view_changed' });
  expect(await read(later.id)).toMatchObject({ outdated: null });
});

test.each<[string, object, string, RegExp]>([
  ['en-GB', { waiting: 2, served: 0 }, 'Check of', /Counts within one person in 100% .* of 1 moments/],
  ['de-DE', { skipped: true }, 'Prüfung von', /Niemand hat etwas geprüft/],
])(
  'the report of a check in %s tells its figures and links to them',
  async (locale, answer, title, sentence) => {
    const { check, still } = await checked([2]);
    await user.put(`/check-stills/${still.id}/answer`, answer);
    const { data } = (await user.post(`/checks/${check.id}/finish`, { checkedBy: '<b>Ada</b>' })).body;
    const written = writeCheckReport(data, { camera: 'Till', timezone: 'UTC', locale });
    expect(written.title).toContain(title);
    expect(written.sentence).toMatch(sentence);
    const mail = mailOf(written, { url: 'https://example.com', unsubscribeUrl: null, picture: null });
    expect(mail.html).toContain('&lt;b&gt;Ada&lt;/b&gt;');
    // Nobody has a confirmed address here.
    expect((await user.post(`/checks/${check.id}/report`, {})).body.error.code).toBe('CHANNEL_NOT_ENABLED');
  },
);

test.each([
  [{ stills: 19 }, 'stills'],
  [{ stills: 101 }, 'stills'],
  [{ hours: 49 }, 'hours'],
  [{ hours: 0 }, 'hours'],
  [{ keepsWrongStills: 'no' }, 'keepsWrongStills'],
])('%j cannot be started', async (body, path) => {
  const { sceneId } = await shopOf(user);
  const answer = await user.post(`/scenes/${sceneId}/checks`, body);
  expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
});
