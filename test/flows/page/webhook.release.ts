import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emit } from '../../../src/delivery/events/emit.ts';
import { Deliverer } from '../../../src/delivery/webhooks/deliverer.ts';
import type { ApiUser } from '../../support/api.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { answering, type TestReceiver, testReceiver } from '../../support/servers/receiver.ts';

const BASE = '/users/me/webhook';
const MARKUP = '<script>alert(1)</script><b>no</b>';
let site: Site;
let receiver: TestReceiver;
let ada: ApiUser;
beforeAll(async () => {
  receiver = await testReceiver();
  const environment = { WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: receiver.caFile };
  site = await startSite({ environment });
  ada = await site.api.user();
});
afterAll(async () => {
  await site?.stop();
  await receiver?.stop();
});

/** Makes what is due now. */
async function deliver(): Promise<void> {
  const deliverer = new Deliverer(site.api.context, { random: () => 0.5 });
  while ((await deliverer.turn()) > 0) await deliverer.settled();
  await deliverer.stop();
}

const news = ({ userId }: ApiUser, dedupeKey: string) =>
  site.api.context.db.$transaction((tx) => {
    const data = { title: MARKUP, message: MARKUP };
    return emit(tx, { userId, type: 'system_announcement', data, occurredAt: new Date(), dedupeKey });
  });

test('a webhook is set up, tested, and shows what it sent and what was answered', async () => {
  const page = await site.openPage({ user: ada, path: '/webhook' });
  await page.getByText('No webhook yet').waitFor();
  await checkFitsPhone(page);
  await page.getByRole('button', { name: 'Set up a webhook' }).click();
  await page.getByLabel('Address').fill('https://127.0.0.1/');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('[aria-invalid]').waitFor();
  await checkAccessible(page);
  await checkFitsPhone(page);
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByText('Only these').click();
  await page.getByLabel('A camera is offline').uncheck();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  expect((await ada.get(BASE)).body.data.subscribedTypes).not.toContain('device_offline');

  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const secret = (await ada.get(`${BASE}/secret`)).body.data.secret as string;
  await page.getByText(secret).waitFor();
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
  await page.getByText(/^The old secret is valid until/).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);

  receiver.answer = answering(500, {}, MARKUP);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('dialog').getByLabel('Kind of event').selectOption('system_announcement');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The test is on its way').waitFor();
  await deliver();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Every attempt fails').waitFor();
  await page.getByRole('button', { name: /^failed Other news/ }).click();
  await page.getByText(MARKUP).waitFor();
  await page.getByText('"test": true').waitFor();
  expect(await page.getByRole('dialog').locator('script, b').count()).toBe(0);
  await checkAccessible(page);
  await checkFitsPhone(page);
});

test('failed events are delivered again, one by one and since a moment; switching off says what to do', async () => {
  const bob = await site.api.user();
  await bob.post(BASE, { url: receiver.url, maxRetries: 0 });
  receiver.answer = answering(503, {}, 'busy');
  for (const key of ['one', 'two', 'three']) await news(bob, key);
  await deliver();
  receiver.answer = answering(204);
  const page = await site.openPage({ user: bob, path: '/webhook', width: 'wide', theme: 'dark' });
  await page
    .getByRole('button', { name: /^failed Other news/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('The event will be delivered again at once.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await deliver();
  await page.getByText('Works', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Deliver failed events again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('2 events will be delivered again.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await deliver();
  await page
    .getByRole('button', { name: /^accepted Other news/ })
    .nth(2)
    .waitFor();
  await page.getByLabel('Answer').selectOption('failed');
  await expect(
    page
      .getByRole('button', { name: /^accepted/ })
      .first()
      .waitFor({ state: 'detached' }),
  ).resolves.toBeUndefined();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('You have switched it off.').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhook yet').waitFor();
});

test('who may not see the webhook is told which permission is missing', async () => {
  const page = await site.openPage({ user: ada, path: '/webhook', role: 'manager' });
  await page.getByText('webhook:read').waitFor();
  await checkAccessible(page);
});
