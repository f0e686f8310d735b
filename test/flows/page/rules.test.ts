import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import type { ApiUser } from '../../support/api.ts';
import { checkLooks, type Site, startSite } from '../../support/page/browser.ts';
import { addMailChannel } from '../../support/rows/channels.ts';
import { addSnapshots } from '../../support/rows/shop-days.ts';

let site: Site;
let ada: ApiUser;
let sceneId: string;
const MARKUP = '<script>alert(1)</script>';
const QUEUE = { metricPath: 'current.inQueue', operator: 'GT', threshold: 5 };
const HOURS = 30;

beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
  const device = (
    await ada.post('/devices', { name: 'Till', streamUrl: 'sim:shop?seed=1', timezone: 'Europe/Berlin' })
  ).body.data;
  const scene = { deviceId: device.id, name: 'Queue', analysisType: 'queue_analysis' };
  sceneId = (await ada.post('/scenes', { ...scene, config: { zones: SHOP_ZONES } })).body.data.id;
  const from = new Date(Date.now() - HOURS * 3_600_000);
  await addSnapshots(site.api.context.db, {
    sceneId,
    from,
    hours: HOURS,
    inQueue: (minute) => (minute % 180 < 40 ? 7 : 2),
  });
});
afterAll(() => site?.stop());

/** Keeps the answers of calls back until they are released. */
async function holdAnswers(page: Page, url: string | RegExp) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return {
    release: () => {
      release();
      return page.unrouteAll({ behavior: 'wait' });
    },
  };
}

test('a rule is tried before it is saved, and would fire as often as the API says', async () => {
  const page = await site.openPage({ path: '/rules', user: ada, width: 'wide' });
  await page.getByRole('link', { name: 'New rule' }).first().click();
  const asked = page.waitForRequest((request) => request.url().endsWith('/alerts/rules/preview'));
  await page.getByLabel('Queue or area').selectOption({ label: 'Till' });
  const { curvePoints: _, ...body } = (await asked).postDataJSON() as Record<string, unknown>;
  const { firingCount, firings } = (await ada.post('/alerts/rules/preview', body)).body.data;
  expect(firingCount).toBeGreaterThan(5);
  const verdict = page.getByRole('status').filter({ hasText: 'would' });
  await verdict.filter({ hasText: `It would have alerted ${firingCount} times in 7 days.` }).waitFor();
  await page.getByText('Each time').click();
  expect(await page.locator('ol li').count()).toBe(firings.length);
  await page.getByRole('slider', { name: /^People waiting/ }).waitFor();

  const limit = page.getByLabel('Limit');
  await limit.fill('100');
  await verdict.filter({ hasText: 'It would not have alerted in 7 days.' }).waitFor();
  await limit.fill('many');
  await page.getByText('Complete the conditions').waitFor();
  await limit.fill('6,5');
  await verdict.filter({ hasText: 'would have alerted' }).waitFor();

  await page.getByLabel('Name').fill(MARKUP);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: MARKUP }).waitFor();
  await page.getByText('People waiting more than 6.5, for 2 min').waitFor();
  const stored = (await ada.get('/alerts/rules')).body.data[0];
  expect(stored).toMatchObject({
    name: MARKUP,
    conditions: [{ ...QUEUE, threshold: 6.5 }],
    durationSeconds: 120,
    logicOperator: 'AND',
  });
});

test('a rule may watch all queues of a site, and says at which of them it would have alerted', async () => {
  const { deviceId } = (await ada.get(`/scenes/${sceneId}`)).body.data;
  const other = (await ada.post('/devices', { name: 'Till 2', streamUrl: 'sim:shop?seed=2' })).body.data.id;
  const second = { deviceId: other, name: 'Queue', analysisType: 'queue_analysis' };
  await ada.post('/scenes', { ...second, config: { zones: SHOP_ZONES } });
  const deviceIds = [deviceId, other];
  await ada.post('/sites', { name: 'Market Street', timezone: 'Europe/Berlin', deviceIds });
  const page = await site.openPage({ path: '/rules/new', user: ada, width: 'wide' });
  await page.getByLabel('Queue or area').selectOption({ label: 'all queues of Market Street' });
  await page.getByText('Each time').click();
  await page.locator('ol li').filter({ hasText: 'Till ·' }).first().waitFor();
  await page.getByLabel('Name').fill('Everywhere');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: 'Everywhere' })
    .getByText('all queues of Market Street')
    .waitFor();
});

test('a rule is changed, turned off and on, and deleted', async () => {
  const rule = { sceneId, name: 'To change', severity: 'critical', conditions: [QUEUE] };
  const { id } = (await ada.post('/alerts/rules', rule)).body.data;
  const { db } = site.api.context;
  await db.alertRule.update({ where: { id }, data: { triggerCount: 1 } });
  const told = await addMailChannel(site.api.context, ada.userId, { name: 'Told already' });
  const other = await addMailChannel(site.api.context, ada.userId, { name: 'Told from now on' });
  const of = { userId: ada.userId, kinds: ['alert_triggered' as const], ruleIds: [id] };
  await db.notificationSubscription.create({ data: { ...of, channelId: told.id } });
  const page = await site.openPage({ path: '/usage', user: ada });
  const first = await holdAnswers(page, /api\/v1\/(sites|notifications\/subscriptions)\?/);
  const channels = page.waitForResponse('**/api/v1/notifications/channels?*');
  await page.goto(`${site.url}/#/rules/${id}`);
  await page.getByText('More settings').click();
  // Nobody knows the time zone of the place yet.
  await page.getByRole('checkbox', { name: 'Only at certain times', disabled: true }).waitFor();
  // Nor who is told, so that a tick would be all that is known.
  await (await channels).finished();
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  expect(await page.getByRole('checkbox', { name: 'Told from now on' }).count()).toBe(0);
  await first.release();
  await page.getByRole('checkbox', { name: 'Told from now on' }).check();
  await page.getByRole('button', { name: 'Another condition' }).click();
  const second = page.getByRole('group', { name: 'Condition 2' });
  await second.getByLabel('Period').selectOption('rolling60Min');
  await second.getByLabel('Measure').selectOption({ label: 'Share giving up' });
  await second.getByLabel('Limit (percent)').fill('7');
  await page.getByLabel('Only at certain times').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const card = page.getByRole('row').filter({ hasText: 'To change' });
  await card.getByText('only at certain times').waitFor();
  const changed = (await ada.get(`/alerts/rules/${id}`)).body.data;
  expect(changed.conditions[1]).toEqual({
    metricPath: 'rolling60Min.abandonmentRate',
    operator: 'GT',
    threshold: 0.07,
  });
  expect(changed.schedule.timezone).toBe('Europe/Berlin');
  const subscriptions = (await ada.get('/notifications/subscriptions')).body.data as { channelId: string }[];
  expect(subscriptions.map(({ channelId }) => channelId).sort()).toEqual([told.id, other.id].sort());
  const onOff = card.getByRole('switch', { name: /^People waiting more than .*only at certain times$/ });
  await onOff.focus();
  // The list is read again before its strips are.
  const strip = await holdAnswers(page, '**/api/v1/analysis/alerts?ruleId=*');
  await page.keyboard.press('Space');
  await card.getByText('off', { exact: true }).waitFor();
  expect(await onOff.isChecked()).toBe(false);
  await strip.release();
  await page.route('**/alerts/rules/*', (route) => route.abort());
  await onOff.click();
  await card.getByRole('alert').waitFor();
  expect(await onOff.isChecked()).toBe(false);
  await page.unroute('**/alerts/rules/*');
  await onOff.click();
  await card.getByText('watching').waitFor();
  await card.getByRole('button', { name: 'Delete To change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await card.waitFor({ state: 'detached' });
  expect((await ada.get(`/alerts/rules/${id}`)).status).toBe(404);
});

test('a rule that fires says so, and a viewer may look but is offered no change', async () => {
  const rule = {
    sceneId,
    name: 'Firing',
    severity: 'critical',
    conditions: [{ ...QUEUE, metricPath: 'current.inService' }],
  };
  const { id } = (await ada.post('/alerts/rules', rule)).body.data;
  await site.api.context.db.alertRule.update({
    where: { id },
    data: { isFiring: true, triggerCount: 3, lastTriggeredAt: new Date() },
  });
  const page = await site.openPage({ path: '/rules', user: ada, role: 'viewer' });
  const card = page.getByRole('row').filter({ hasText: 'Firing' });
  await card.getByText('alert now', { exact: true }).waitFor();
  await card.getByText('no alert yet').waitFor();
  expect(await page.getByRole('button', { name: /Turn|Delete/ }).count()).toBe(0);
  expect(await page.getByRole('link', { name: /New rule/ }).count()).toBe(0);
  await page.goto(`${site.url}/#/rules/${id}`);
  await page.getByText('Only those who may change rules can try one').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(await page.getByLabel('Name').isDisabled()).toBe(true);
});

test('a rule that is tried is accessible, and no control is too small; one that is gone leads back', async () => {
  const page = await site.openPage({ path: `/rules/new?sceneId=${sceneId}`, user: ada });
  await page.getByRole('slider').waitFor();
  await checkLooks(page);
  await page.goto(`${site.url}/#/rules/11111111-1111-4111-8111-111111111111`);
  await page.getByText('This rule no longer exists').waitFor();
});
