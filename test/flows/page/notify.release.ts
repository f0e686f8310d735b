import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openContent } from '../../../src/delivery/notifications/delivery/content.ts';
import { type ApiUser, shopOf } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { addRule } from '../../support/rows/alert-rows.ts';

const MARKUP = '<b>Manager</b>';
let site: Site;
let ada: ApiUser;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
});
afterAll(() => site?.stop());

/** The code of the e-mail that waits to be sent. */
async function codeFor({ userId }: ApiUser): Promise<string> {
  const { db, sealer } = site.api.context;
  const waiting = await db.notification.findFirstOrThrow({
    where: { userId, kind: 'confirmation' },
    orderBy: { createdAt: 'desc' },
  });
  const content = openContent(sealer, waiting.messageId, waiting.contentEncrypted!);
  return 'code' in content ? content.code : '';
}

test('an e-mail address is confirmed by its code, and gets what a subscription says', async () => {
  const shop = { userId: ada.userId, ...(await shopOf(ada)) };
  const rule = await addRule(site.api.context.db, shop, { name: MARKUP });
  const page = await site.openPage({ user: ada, path: '/notifications' });
  await page.getByText('Nobody gets messages yet').waitFor();
  await page.getByRole('button', { name: 'Add e-mail address' }).click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('boss@example.com');
  await page.getByLabel(/^Name/).fill(MARKUP);
  await page.getByRole('button', { name: 'Send a code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A code was sent to boss@example.com').waitFor();
  await dialog.getByLabel('Code from the e-mail').fill('00000000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('This code is not right.').waitFor();
  await checkAccessible(page);
  await checkFitsPhone(page);
  await dialog.getByLabel('Code from the e-mail').fill(await codeFor(ada));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(`→ ${MARKUP}`).waitFor();

  await page.getByRole('button', { name: /^Alerts → / }).click();
  await dialog.getByLabel('Camera goes offline').check();
  await dialog.getByLabel('Severity of alerts').selectOption('critical');
  await dialog.getByLabel('Of which cameras').selectOption('devices');
  await dialog.getByText('Choose at least one.').waitFor();
  await dialog.getByLabel('Shop').check();
  await dialog.getByLabel('Only some rules').check();
  await dialog.getByRole('checkbox', { name: MARKUP }).check();
  await dialog.getByLabel('Quiet hours').check();
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
  await checkAccessible(page);
  await checkFitsPhone(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('quiet Mon–Sun 22:00–07:00', { exact: false }).waitFor();
  const [stored] = (await ada.get('/notifications/subscriptions')).body.data;
  expect(stored).toMatchObject({
    kinds: ['alert_triggered', 'device_offline'],
    severities: ['critical'],
    deviceIds: [shop.deviceId],
    ruleIds: [rule.id],
    quietHours: {
      timezone: 'Europe/Berlin',
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '22:00', end: '07:00' }],
    },
    minDistanceSeconds: 60,
  });
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('A test message is on its way.').waitFor();
  await page.getByRole('tab', { name: 'Sent' }).click();
  await page.getByText('Test', { exact: true }).waitFor();
  await checkAccessible(page);
});

test('a report of a site is sent at a local time, shown before, and removed', async () => {
  const bob = await site.api.user();
  const { deviceId } = await shopOf(bob);
  const page = await site.openPage({ user: bob, path: '/notifications', width: 'wide', theme: 'dark' });
  await page.getByRole('tab', { name: 'Reports' }).click();
  await page.getByText('Make a site of your cameras first').waitFor();
  const { id } = (
    await bob.post('/sites', { name: MARKUP, timezone: 'Europe/Berlin', deviceIds: [deviceId] })
  ).body.data;
  const { id: channelId } = (
    await bob.post('/notifications/channels', { kind: 'email', address: 'b@example.com' })
  ).body.data;
  await bob.post(`/notifications/channels/${channelId}/confirm`, { code: await codeFor(bob) });
  await page.reload();
  await page.getByRole('tab', { name: 'Reports' }).click();
  await page.getByRole('button', { name: 'Add report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('How often').selectOption('week');
  await dialog.getByLabel('Day').selectOption('Tuesday');
  await dialog.getByLabel('Time at the site').fill('06:30');
  await checkAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('every Tuesday at 06:30').waitFor();
  await checkAccessible(page);
  const [report] = (await bob.get('/reports/subscriptions')).body.data;
  expect(report).toMatchObject({
    siteId: id,
    period: 'week',
    weekday: 2,
    localTime: '06:30',
    channelIds: [channelId],
  });
  await page.getByRole('button', { name: 'Preview' }).click();
  await dialog.frameLocator('iframe').getByText(MARKUP).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('The report is on its way.').waitFor();
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No reports yet').waitFor();
});

/** This browser without a window has no push service and allows no notifications: keys are made here, and nobody is asked. */
async function withPushService(page: Page): Promise<void> {
  const keys = `crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    .then(({ publicKey }) => crypto.subtle.exportKey('raw', publicKey))
    .then((raw) => btoa(String.fromCharCode(...new Uint8Array(raw))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))`;
  await page.addInitScript(`
    let made = null;
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    PushManager.prototype.getSubscription = async () => made;
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error('not a key');
      const p256dh = await ${keys};
      made = {
        unsubscribe: async () => { made = null; },
        toJSON: () => ({ endpoint: 'https://push.example.com/' + p256dh, keys: { p256dh, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
      };
      return made;
    };`);
  await page.reload();
}

test('messages to a browser are switched on; its service worker shows one, and a tap opens its alert', async () => {
  const eve = await site.api.user();
  const page = await site.openPage({ user: eve, path: '/notifications' });
  const context = page.context();
  await withPushService(page);
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('Messages come to this browser.').waitFor();
  const [channel] = (await eve.get('/notifications/channels')).body.data;
  expect(channel).toMatchObject({
    kind: 'push',
    status: 'enabled',
    address: 'push.example.com',
    name: 'Chrome, Linux',
  });
  expect((await eve.get('/notifications/subscriptions')).body.data).toMatchObject([
    { channelId: channel.id, kinds: ['alert_triggered'] },
  ]);
  await checkAccessible(page);
  await checkFitsPhone(page);

  const [worker] = context.serviceWorkers();
  await worker!.evaluate(`self.shown = [];
    self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options })`);
  const client = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${site.url}/`);
      if (found) resolve(found.registrationId);
    });
  });
  await client.send('ServiceWorker.enable');
  const url = 'https://video.example.com/elsewhere/#/feed/0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01';
  await client.send('ServiceWorker.deliverPushMessage', {
    origin: site.url,
    registrationId: await registered,
    data: JSON.stringify({ title: 'Critical: Long queue', body: 'People waiting: 7', tag: 'm1', url }),
  });
  const shown = await eventually('a notification is shown', () => worker!.evaluate('self.shown[0]'));
  expect(shown).toMatchObject({ title: 'Critical: Long queue', body: 'People waiting: 7', tag: 'm1' });
  await worker!.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
    notification: { ...self.shown[0], close() {} }, waitUntil() {} }))`);
  await page.getByText('This alert is not there any more').waitFor();
  expect(page.url()).toBe(`${site.url}/#/feed/0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01`);

  // A fresh document of this browser knows no subscription any more.
  await page.goto(`${site.url}/#/notifications`);
  await page.reload();
  await page.getByText('This browser takes no messages any more').waitFor();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('Messages come to this browser.').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Nobody gets messages yet').waitFor();
});

test('a viewer is not offered messages, and is told why', async () => {
  const page = await site.openPage({ user: ada, path: '/notifications', role: 'viewer' });
  await page.getByText('alert:write').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);
});
