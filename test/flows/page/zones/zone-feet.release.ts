import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeFeet, type FootPoint } from '../../../../src/metrics/floor/feet/encode-feet.ts';
import { type ApiUser, shopOf } from '../../../support/api.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../../support/page/browser.ts';
import { cameraPicture } from '../../../support/page/camera-picture.ts';

let site: Site;
let user: ApiUser;
beforeAll(async () => {
  site = await startSite({ still: await cameraPicture() });
  user = await site.api.user();
});
afterAll(() => site?.stop());

const CHECKOUT = [
  [0.5, 0.6],
  [0.85, 0.6],
  [0.85, 0.85],
  [0.5, 0.85],
];
const ZONES = {
  queueZone: {
    type: 'polygon',
    points: [
      [0.1, 0.6],
      [0.45, 0.6],
      [0.45, 0.9],
      [0.1, 0.9],
    ],
  },
  checkoutZone: { type: 'polygon', points: CHECKOUT },
};

/** People of each minute of the last hour. */
async function addFeet(sceneId: string, kinds: readonly (readonly [FootPoint['feet'], number, number])[]) {
  const minute = Math.floor(Date.now() / 60_000) - 1;
  const points = kinds.flatMap(([feet, x, y]) =>
    Array.from({ length: 50 }, (_, at) => ({
      ...{ minute: minute - at, feet, isStanding: true, isShort: true },
      ...{ x: x + 0.012 * ((at % 7) - 3), y: y + 0.008 * ((at % 5) - 2) },
    })),
  );
  const row = { until: new Date((minute + 1) * 60_000), points: encodeFeet(points, minute) };
  await site.api.context.db.sceneFeet.create({ data: { sceneId, ...row } });
}

async function till(kinds: Parameters<typeof addFeet>[1]) {
  const { deviceId, sceneId } = await shopOf(user);
  expect((await user.patch(`/scenes/${sceneId}`, { config: { zones: ZONES } })).status).toBe(200);
  await addFeet(sceneId, kinds);
  return { deviceId, sceneId };
}

const zonesOf = async (sceneId: string) => (await user.get(`/scenes/${sceneId}`)).body.data.config.zones;

test('the editor shows where people stood, and takes a better zone with one tap', async () => {
  const { deviceId, sceneId } = await till([
    ['seen', 0.3, 0.75],
    ['estimated', 0.7, 0.7],
    ['unknown', 0.68, 0.52],
  ]);
  const page = await site.openPage({ user, path: `/cameras/${deviceId}?tab=zones` });
  await page.getByText('of the people at “Service” stand just outside of it').waitFor();
  for (const kind of ['feet seen', 'feet hidden, estimated here', 'body ends here, feet unknown'])
    await page.getByText(kind).waitFor();
  await checkAccessible(page);
  await checkFitsPhone(page);
  const marks = page.getByRole('application').locator('g[aria-hidden] > *');
  expect(await marks.count()).toBe(150);
  await page.getByLabel('Where people were in the last hour').tap();
  expect(await marks.count()).toBe(0);

  const take = page.getByRole('button', { name: 'Take the dashed zone' });
  await take.tap();
  await page.getByRole('button', { name: 'Undo' }).tap();
  await take.tap();
  expect(await take.count()).toBe(0);
  const { proposal } = (await user.get(`/analytics/scenes/${sceneId}/feet`)).body.data;
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).tap();
  expect((await saved).ok()).toBe(true);
  expect(await zonesOf(sceneId)).toEqual({ ...ZONES, checkoutZone: proposal.polygon });
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await take.count()).toBe(0);
});

test('a proposal that was left does not come back with the next load', async () => {
  const { deviceId } = await till([['unknown', 0.68, 0.52]]);
  const page = await site.openPage({ user, path: `/cameras/${deviceId}?tab=zones`, locale: 'de-DE' });
  await page.getByText('der Menschen bei „Bedienung“ stehen knapp außerhalb').waitFor();
  await page.getByText('Wo die Füße der Menschen hier sind, ist nicht bekannt').waitFor();
  await checkFitsPhone(page);
  const take = page.getByRole('button', { name: 'Gestrichelte Zone übernehmen' });
  await page.getByRole('button', { name: 'So lassen' }).tap();
  await take.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Wo die Füße der Menschen hier sind, ist nicht bekannt').waitFor();
  expect(await take.count()).toBe(0);
});
