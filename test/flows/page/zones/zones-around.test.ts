import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

const box = (left: number, top: number, right: number, bottom: number) => ({
  type: 'polygon',
  points: [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ],
});

test('the editor and the scene say that the queue surrounds the service zone, until it is deleted', async () => {
  const { deviceId, sceneId } = await shopOf(user);
  const zones = { queueZone: box(0.1, 0.1, 0.9, 0.9), checkoutZone: box(0.3, 0.3, 0.7, 0.7) };
  expect((await user.patch(`/scenes/${sceneId}`, { config: { zones } })).status).toBe(200);

  const page = await site.openPage({ user, path: `/cameras/${deviceId}?tab=zones` });
  const notice = page.getByText('The queue surrounds the service zone.');
  await notice.waitFor();
  await checkAccessible(page);
  await checkFitsPhone(page);
  await page.getByRole('button', { name: 'Service', exact: true }).tap();
  await page.getByRole('button', { name: 'Delete Service' }).tap();
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).tap();
  await notice.waitFor();

  const german = await site.openPage({ user, path: `/scenes/${sceneId}`, locale: 'de-DE' });
  await german.getByText('„Warten“ umschließt „Bedienung“.').waitFor();
  await german.getByText('nur dort, wo Menschen warten').waitFor();
  await checkFitsPhone(german);
});
