import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { noteMovedViews } from '../../../../src/cameras/scenes/checks/check.store.ts';
import { writeCheckReport } from '../../../../src/cameras/scenes/checks/report/write-report.ts';
import { settleOldChecks } from '../../../../src/cameras/scenes/checks/run-check.ts';
import { takeStills } from '../../../../src/cameras/scenes/checks/take-stills.job.ts';
import { mailOf } from '../../../../src/delivery/notifications/messages/mail-message.ts';
import { type ApiUser, QUEUE_ZONE, shopOf, type TestApi, TestClock, testApi } from '../../../support/api.ts';
import { addCheck } from '../../../support/rows/checks.ts';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi({}, clock);
  user = await api.user();
});
afterAll(() => api.drop());

/** A scene of its own with an open check. */
async function checked(ours: readonly number[]) {
  const { sceneId } = await shopOf(user);
  const { db } = api.context;
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  return { sceneId, ...(await addCheck(db, scene, { at: clock.now(), ours })) };
}
const read = async (id: string) => (await user.get(`/checks/${id}`)).body.data;
const isErased = async (checkId: string) =>
  (await api.context.db.checkStill.findMany({ where: { checkId }, orderBy: { stratum: 'asc' } })).map(
    ({ jpeg }) => jpeg === null,
  );

test('pictures on which the counts are equal are erased at the end, and those that nobody has counted', async () => {
  const { check, stills } = await checked([1, 2, 3, 4]);
  const answers = [{ waiting: 1, served: 5 }, { waiting: 0, served: 0 }, { skipped: true }];
  for (const [at, answer] of answers.entries())
    await user.put(`/check-stills/${stills[at]!.id}/answer`, answer);
  await user.post(`/checks/${check.id}/finish`, {});
  // Those who are served do not count: the scene has no checkout zone.
  expect(await isErased(check.id)).toEqual([true, false, true, true]);
  const { result, checkedBy } = await read(check.id);
  expect([result.skipped, result.waiting.stills, result.served, checkedBy]).toEqual([1, 2, null, null]);
  expect((await user.get(`/check-stills/${stills[0]!.id}/picture`)).status).toBe(404);
});

test('what nobody finishes is finished after 14 days with what it has', async () => {
  const { check, still } = await checked([2]);
  await user.put(`/check-stills/${still.id}/answer`, { waiting: 2, served: 0 });
  clock.forward(13.9 * 86_400);
  await settleOldChecks(api.context);
  expect(await read(check.id)).toMatchObject({ status: 'open' });
  clock.forward(0.2 * 86_400);
  await settleOldChecks(api.context);
  expect(await read(check.id)).toMatchObject({ status: 'finished', endReason: 'expired' });
  expect(await isErased(check.id)).toEqual([true]);
});

test('new zones end a check that collects, and make one that is finished old; the scene takes its checks along', async () => {
  const { db } = api.context;
  const { check, sceneId } = await checked([2]);
  await user.post(`/checks/${check.id}/finish`, {});
  const started = await user.post(`/scenes/${sceneId}/checks`, { stills: 20, hours: 0.1 });
  const [x, ...others] = QUEUE_ZONE.points;
  const queueZone = { ...QUEUE_ZONE, points: [[x![0]! + 0.05, x![1]!], ...others] };
  expect((await user.patch(`/scenes/${sceneId}`, { config: { zones: { queueZone } } })).status).toBe(200);
  clock.forward(60);
  // It is not analysed either: there is no picture.
  expect(await takeStills(api.context)).toEqual({ done: 1, failed: 0 });
  expect(await read(started.body.data.id)).toMatchObject({
    ...{ status: 'open', endReason: 'zones_changed', takenStills: 0, outdated: 'zones_changed' },
  });
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
