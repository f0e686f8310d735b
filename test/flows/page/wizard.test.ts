import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { cameraPicture } from '../../support/page/camera-picture.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ still: await cameraPicture() });
});
afterAll(() => site?.stop());

test('the wizard refuses a wrong address at its field, and leads from a right one over its picture and name to the drawing', async () => {
  const user = await site.api.user();
  const page = await site.openPage({ user, path: '/cameras/new' });
  await page.getByLabel('Enter its address').fill('gopher://camera/x');
  await page.getByRole('button', { name: 'Show picture' }).click();
  await page.locator('[aria-invalid]').waitFor();
  const base64 = (await cameraPicture()).toString('base64');
  const data = {
    ...{ onlineStatus: 'online', fault: null, width: 1920, height: 1080, codec: 'h264', sourceFps: 25 },
    image: { contentType: 'image/jpeg', base64, width: 960, height: 540 },
    imageError: null,
  };
  await page.route('**/api/v1/devices/probe', (route) =>
    route.fulfill({ json: { success: true, statusCode: 200, data, meta: {} } }),
  );
  await page.getByLabel('Enter its address').fill('sim:shop?seed=7');
  await page.getByRole('button', { name: 'Show picture' }).click();
  await page.getByText('This camera works').waitFor();
  await page.getByRole('img', { name: 'What Simulated shop sees' }).waitFor();
  await checkFitsPhone(page);
  await page.getByRole('button', { name: 'Next: draw zones' }).click();
  await page.getByRole('heading', { name: 'Where do people wait?' }).waitFor();
  await page.getByRole('img', { name: 'Picture of the camera' }).waitFor();
  const made = await site.api.context.db.device.findFirstOrThrow({
    where: { userId: user.userId, name: 'Simulated shop' },
  });
  expect(page.url()).toContain(`/cameras/${made.id}/setup`);
  expect(made.timezone).toBe('Europe/Berlin');
});
