import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { workOnNext } from '../../../src/privacy/work-on-jobs.ts';
import type { ApiUser } from '../../support/api.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';

let site: Site;
let ada: ApiUser;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
});
afterAll(() => site?.stop());

test('an export is asked for, made and downloaded', async () => {
  const page = await site.openPage({ user: ada, path: '/privacy', width: 'wide' });
  const part = page.getByRole('region', { name: 'Take your data with you' });
  await part.getByRole('button', { name: 'Yesterday' }).click();
  await part.getByRole('button', { name: 'Prepare the file' }).click();
  await part.getByText('waits', { exact: true }).waitFor();
  expect(await workOnNext(site.api.context, new AbortController().signal)).toBe(true);
  const link = part.getByRole('link', { name: 'Download' });
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
});

test('an erasure needs its word, and can be cancelled before it begins', async () => {
  const page = await site.openPage({ user: ada, path: '/privacy', theme: 'dark' });
  const part = page.getByRole('region', { name: 'Erase a time for good' });
  await part.getByRole('button', { name: 'Erase …' }).click();
  await part.getByText('Choose a date and time.').waitFor();
  await part.getByRole('button', { name: 'Last 7 days' }).click();
  await part.getByRole('button', { name: 'Erase …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type ERASE to confirm').fill('erase');
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await dialog.getByText('Type the word ERASE in capital letters.').waitFor();
  expect(await site.api.context.db.dataJob.count({ where: { kind: 'erasure' } })).toBe(0);
  await checkFitsPhone(page);
  await dialog.getByLabel('Type ERASE to confirm').fill('ERASE');
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await part.getByRole('button', { name: 'Cancel the erasure' }).click();
  await part.getByText('cancelled').waitFor();
  await checkAccessible(page);
});

test('what pictures hide of people is chosen, and the log tells who did it', async () => {
  const page = await site.openPage({ user: ada, path: '/privacy?tab=pictures' });
  await page.getByRole('radio', { name: /Whole bodies/ }).check();
  await page.getByText('It holds for the next picture.').waitFor();
  expect((await ada.get('/users/me')).body.data.blurPeople).toBe('bodies');
  await page.getByRole('checkbox', { name: 'Estimate gender' }).uncheck();
  await page.getByText('It holds within seconds.').waitFor();
  expect((await ada.get('/users/me')).body.data.attributeGroups).toEqual(['age']);
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByText('Set what pictures hide of people: whole bodies').waitFor();
  await page.getByLabel('Action').selectOption('Pictures viewed');
  await page.getByText('There is no entry that matches.').waitFor();
});
