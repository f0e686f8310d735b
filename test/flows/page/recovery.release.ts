import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ApiUser, TestClock } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAccessible, type Site, startSite } from '../../support/page/browser.ts';
import { addLiveCamera, type LiveCamera } from '../../support/page/live-camera.ts';
import { type AddedCheckout, addCheckout, writeNumbers } from '../../support/page/shop-rows.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';

const clock = new TestClock();
let site: Site;
let user: ApiUser;
let till: AddedCheckout;
let camera: LiveCamera;
beforeAll(async () => {
  site = await startSite({ clock, heartbeatMs: 50 });
  user = await site.api.user();
  till = await addCheckout(site.api, user, { inQueue: 21 });
  camera = await addLiveCamera(site.api, user);
});
afterAll(() => site?.stop());

const OFFLINE = /No connection to the service/;
const write = (inQueue: number) => writeNumbers(site.api.context, till.sceneId, { inQueue });
const shows = (page: Page, inQueue: number) =>
  page
    // On a slow machine numbers of a minute ago are "last 21 waiting".
    .getByText(new RegExp(`^${inQueue}$|\\b${inQueue} waiting`))
    .first()
    .waitFor();
const holds = (what: string, paths: readonly string[]) =>
  eventually(what, () => JSON.stringify(site.held()) === JSON.stringify(paths));

/** A test says by `isHidden` whether a tab is in the background. */
const TABS = `Object.defineProperty(document, 'visibilityState', { get: () => (window.isHidden ? 'hidden' : 'visible') });`;
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`window.isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`);

test('while the API is away the page says so; it comes back by itself, and nothing was missed', async () => {
  const { db } = site.api.context;
  const [page, alerts] = [await site.openPage({ user }), await site.openPage({ user, path: '/feed' })];
  await shows(page, 21);
  await alerts.getByText('No alerts yet').waitFor();
  await site.server.stop();
  for (const each of [page, alerts]) await each.getByText(OFFLINE).waitFor();
  await shows(page, 21);
  await write(31);
  const rule = await addRule(db, { userId: user.userId, ...till }, { isFiring: true, name: 'Till is full' });
  await addAlert(db, rule, { event: { triggeredAt: new Date(), message: 'Fired meanwhile' } });
  await site.server.start();
  await shows(page, 31);
  await page.getByText('People waiting 7, limit 5').waitFor();
  await alerts.getByRole('listitem').getByText('people waiting 7, limit 5').waitFor();
  for (const each of [page, alerts]) {
    await each.getByText(OFFLINE).waitFor({ state: 'detached' });
    await each.context().close();
  }
});

test('a hidden tab has no connection, neither for events nor for pictures; in front again it has both', async () => {
  await holds('no page of before is connected', []);
  const page = await site.openPage({ user, path: `/scenes/${camera.sceneId}` });
  await page.addInitScript(TABS);
  await page.reload();
  const both = [`/devices/${camera.deviceId}/live`, '/stream'];
  await holds('it follows events and pictures', both);
  await setHidden(page, true);
  await holds('it has ended both', []);
  await setHidden(page, false);
  await holds('it follows both again', both);
  await page.context().close();
});

test('of eight tabs only the one in front has a connection; each shows the present numbers when it comes to the front', async () => {
  await holds('no page of before is connected', []);
  await write(40);
  const front = await site.openPage({ user });
  const context = front.context();
  await shows(front, 40);
  await context.addInitScript(`window.isHidden = true; ${TABS}`);
  const others = await Promise.all(
    Array.from({ length: 7 }, async () => {
      const tab = await context.newPage();
      await tab.goto(`${site.url}/#/`);
      await shows(tab, 40);
      return tab;
    }),
  );
  const asked: string[] = [];
  for (const tab of others) tab.on('request', (request) => asked.push(request.url()));
  await write(41);
  await shows(front, 41);
  // What a tab reads once when it is opened may still be on its way.
  const numbers = asked.filter((url) => /\/(overview|stream)/.test(url));
  expect([numbers, site.held()]).toEqual([[], ['/stream']]);
  await front.evaluate(TABS);
  let last = front;
  for (const [at, tab] of others.entries()) {
    await setHidden(last, true);
    await write(50 + at);
    await setHidden(tab, false);
    await shows(tab, 50 + at);
    await holds('only the tab in front is connected', ['/stream']);
    last = tab;
  }
  await context.close();
});

test('a screen that cannot be loaded while the API is away leaves the page as it is, and comes when asked again', async () => {
  await write(33);
  const page = await site.openPage({ user });
  await shows(page, 33);
  await site.server.stop();
  await page.evaluate(`location.hash = '/rules'`);
  await page.getByText('Something went wrong on this screen').waitFor();
  await page.getByText(OFFLINE).waitFor();
  await page.getByRole('link', { name: 'Now' }).first().click();
  await shows(page, 33);
  await page.evaluate(`location.hash = '/rules'`);
  await site.server.start();
  await page.getByText(OFFLINE).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Rules' }).waitFor();
  await page.context().close();
});

test('when the session is revoked its event stream ends, the page asks to sign in, and the rule that was begun can be saved', async () => {
  await holds('no page of before is connected', []);
  const page = await site.openPage({ user, path: '/rules/new', width: 'wide' });
  await page.getByLabel('Queue or area').selectOption({ label: 'Queue at till 3' });
  await page.getByLabel('Name').fill('Half a rule');
  await page.getByLabel('Limit').fill('12');
  await holds('it follows events', ['/stream']);
  const sessions = (await user.get('/sessions')).body.data as { id: string }[];
  for (const { id } of sessions) expect((await user.delete(`/sessions/${id}`)).status).toBe(204);
  // For ten seconds a process may know a session.
  clock.forward(11);
  await holds('its stream has ended', []);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await checkAccessible(page);
  await dialog.getByRole('tab', { name: 'API key' }).click();
  await dialog.getByLabel('API key').last().fill(user.key);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await holds('it follows events again', ['/stream']);
  expect(await page.getByLabel('Limit').inputValue()).toBe('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Half a rule' }).waitFor();
  const stored = (await user.get('/alerts/rules')).body.data as { name: string }[];
  expect(stored.find(({ name }) => name === 'Half a rule')).toMatchObject({
    sceneId: till.sceneId,
    conditions: [{ threshold: 12 }],
  });
  await page.context().close();
});
