import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ApiUser } from '../../support/api.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { addNode } from '../../support/rows/runs.ts';

let site: Site;
let admin: ApiUser;
let ada: ApiUser;
beforeAll(async () => {
  site = await startSite();
  const { db } = site.api.context;
  [admin, ada] = [await site.api.user(), await site.api.user()];
  await db.user.update({ where: { id: admin.userId }, data: { isAdmin: true } });
  await db.user.update({ where: { id: ada.userId }, data: { name: '<script>alert(1)</script>' } });
  await addNode(db, 'till-hall');
  const slow = await addNode(db, 'old-laptop');
  const healthReason = "The node's clock differs from the database's by 2.5 s.";
  await db.computeNode.update({
    where: { id: slow },
    data: { health: 'degraded', healthReason, clockSkewMs: 2500, activeDeviceCount: 1 },
  });
  const lost = await addNode(db, 'one-card');
  const { incarnation } = await db.computeNode.findUniqueOrThrow({ where: { id: lost } });
  const provider = { code: 'gpu_failed', detail: 'The device was lost: '.repeat(20).slice(0, 300) };
  await db.computeNode.update({
    where: { id: lost },
    data: { providerReason: 'The GPU failed.', causes: { incarnation, provider } },
  });
});
afterAll(() => site?.stop());

const open = (tab: string, options: Parameters<Site['openPage']>[0] = {}) =>
  site.openPage({ user: admin, path: `/admin?tab=${tab}`, ...options });
const emailOf = async ({ userId }: ApiUser) =>
  (await site.api.context.db.user.findUniqueOrThrow({ where: { id: userId } })).email;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('nodes show why they work badly, and take no more cameras when they are told to', async () => {
  const page = await open('nodes');
  const cards = page.getByRole('tabpanel').getByRole('listitem');
  const [slow, good] = [cards.filter({ hasText: 'old-laptop' }), cards.filter({ hasText: 'till-hall' })];
  await slow.getByText('clock differs from the database').waitFor();
  expect(await cards.first().getByRole('heading').textContent()).toBe('old-laptop');
  expect(await slow.textContent()).toContain('2.5 s ahead');
  await good.getByRole('button', { name: 'Take no more cameras' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take no more cameras' }).click();
  await good.getByText('takes no cameras').waitFor();
  await good.getByRole('button', { name: 'Take cameras again' }).click();
  await good.getByText('works').waitFor();
});

test('a node says in German why it uses no graphics card, with the words of the driver beside it', async () => {
  const page = await open('nodes', { locale: 'de' });
  const card = page.getByRole('listitem').filter({ hasText: 'one-card' });
  await card.getByText('Die Grafikkarte ist ausgefallen.').waitFor();
  expect(await card.textContent()).not.toContain('The GPU failed.');
  expect(await card.textContent()).toContain('The device was lost: The device was lost');
  await checkFitsPhone(page);
});

test('a user gets more of a quota for this month, and the log tells it', async () => {
  const email = await emailOf(ada);
  const page = await open('users', { width: 'wide', theme: 'dark' });
  await page.getByLabel('Search by e-mail or name').fill(email);
  const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: email });
  expect(await row.textContent()).toContain('<script>alert(1)</script>');
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await press(page, 'Add for this month');
  await dialog.getByLabel('What').selectOption('Alerts');
  await press(page, 'Save');
  await dialog.getByText('Enter a number.').waitFor();
  await dialog.getByLabel('Amount (alerts)').fill('7');
  await dialog.getByLabel('Reason (optional)').fill('They asked');
  await checkAccessible(page);
  await press(page, 'Save');
  await dialog.getByText('0 of 10,007 alerts').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByText('Changed limits: alerts: +7 (They asked)').waitFor();
});

test('an announcement reaches a user, until it is ended', async () => {
  const page = await open('announcements');
  await press(page, 'New announcement');
  await press(page, 'Announce');
  await page.getByText('Write something here.').first().waitFor();
  await page.getByLabel('Headline').fill('Update <b>tonight</b>');
  await page.getByLabel('Text').fill('A few minutes.');
  await checkFitsPhone(page);
  await press(page, 'Announce');
  await page.getByRole('heading', { name: 'Update <b>tonight</b>' }).waitFor();
  const shown = async () => (await ada.get('/announcements')).body.data.length;
  expect(await shown()).toBe(1);
  await press(page, 'End now');
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
  await page.getByText('ended', { exact: true }).waitFor();
  expect(await shown()).toBe(0);
});

test('somebody who is no administrator is told so', async () => {
  const page = await site.openPage({ user: ada, path: '/admin' });
  await page.getByText('Your sign-in lacks the right “admin”').waitFor();
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
});
