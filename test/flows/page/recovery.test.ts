import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ApiUser, TestClock } from '../../support/api.ts';
import { type Site, startSite } from '../../support/page/browser.ts';
import { type AddedCheckout, addCheckout, writeNumbers } from '../../support/page/shop-rows.ts';

const clock = new TestClock();
let site: Site;
let user: ApiUser;
let till: AddedCheckout;
beforeAll(async () => {
  site = await startSite({ clock, heartbeatMs: 50 });
  user = await site.api.user();
  till = await addCheckout(site.api, user, { inQueue: 2 });
}, 60_000);
afterAll(() => site?.stop());

const OFFLINE = /No connection to the service/;
const write = (inQueue: number) => writeNumbers(site.api.context, till.sceneId, { inQueue });
const shows = (page: Page, inQueue: number) => page.getByText(String(inQueue), { exact: true }).waitFor();
const isStream = (request: { url(): string }) => request.url().endsWith('/api/v1/stream');

/** Says to the page that its tab is in the background, or in front again. */
const setVisible = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

test('while the API is away the page says so; it comes back by itself, with the newest numbers', async () => {
  const page = await site.openPage({ user });
  await shows(page, 2);
  await site.server.stop();
  await page.getByText(OFFLINE).waitFor();
  await shows(page, 2);
  await write(31);
  await site.server.start();
  await shows(page, 31);
  await page.getByText(OFFLINE).waitFor({ state: 'detached' });
  await page.context().close();
});

test('a hidden tab has no connection; in front again it shows the present numbers', async () => {
  await write(4);
  const page = await site.openPage({ user });
  await shows(page, 4);
  const closed = page.waitForEvent('requestfailed', isStream);
  await setVisible(page, 'hidden');
  await closed;
  const opened: string[] = [];
  page.on('request', (request) => opened.push(request.url()));
  await write(32);
  expect(opened).toEqual([]);
  await setVisible(page, 'visible');
  await shows(page, 32);
  expect(opened.filter((url) => isStream({ url: () => url }))).toHaveLength(1);
  await page.context().close();
});

test('when the session is revoked the page asks to sign in, and what was typed stays', async () => {
  const page = await site.openPage({ user, path: '/cameras/new' });
  const field = page.locator('main input').first();
  await field.fill('rtsp://192.168.1.20/stream1');
  const sessions = (await user.get('/sessions')).body.data as { id: string }[];
  for (const { id } of sessions) expect((await user.delete(`/sessions/${id}`)).status).toBe(204);
  clock.forward(11);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await dialog.getByRole('tab', { name: 'API key' }).click();
  await dialog.getByLabel('API key').last().fill(user.key);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('rtsp://192.168.1.20/stream1');
  await page.context().close();
});
