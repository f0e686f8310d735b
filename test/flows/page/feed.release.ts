import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { emit } from '../../../src/delivery/events/emit.ts';
import { announceInsight } from '../../../src/delivery/live/announce-insight.ts';
import type { AlertRule } from '../../../src/platform/prisma-client/client.ts';
import { type ApiUser, shopOf } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addSeenAlert } from '../../support/page/alerts.ts';
import {
  checkAccessible,
  checkFitsPhone,
  checkLooks,
  type Site,
  startSite,
} from '../../support/page/browser.ts';
import { addAlert, addRule, type Place } from '../../support/rows/alert-rows.ts';
import { addAttributeRecord } from '../../support/rows/attribute-rows.ts';

const MARKUP = '<img src=x onerror=alert(1)><b>Wide</b> queue';
const HOUR_MS = 3_600_000;
let site: Site;
let ada: ApiUser;
let place: Place;
let rule: AlertRule;
let newest: Awaited<ReturnType<typeof addSeenAlert>>;

/** Written, with pictures; of the newest the thumbnail is erased. */
beforeAll(async () => {
  // Signed addresses name a host that this browser cannot reach.
  site = await startSite({ environment: { PUBLIC_URL: 'https://video.example.com/elsewhere' } });
  const { db, images } = site.api.context;
  ada = await site.api.user();
  place = { userId: ada.userId, ...(await shopOf(ada)) };
  await db.device.update({
    where: { id: place.deviceId },
    data: { plan: 'LEVEL_02', timezone: 'America/New_York' },
  });
  rule = await addRule(db, place, { name: MARKUP });
  const written = { summary: MARKUP, activities: [MARKUP], environment: 'shop', riskLevel: 'high' as const };
  const at = (hours: number) => ({ triggeredAt: new Date(Date.now() - hours * HOUR_MS) });
  await addAlert(db, rule, { event: at(60) });
  await addSeenAlert(site.api, rule, { ...written, event: at(30) });
  newest = await addSeenAlert(site.api, rule, { ...written, event: { ...at(0.1), message: 'Newest' } });
  await images.remove([newest.keys.at(-1)!]);
  const { triggeredAt: capturedAt } = newest.event;
  await addAttributeRecord(db, place, {
    capturedAt,
    counts: { female: 2, upperRed: 1 },
    known: { female: 2, upperRed: 2 },
  });
});
afterAll(() => site?.stop());

const rows = (page: Page) => page.getByRole('listitem');

test('alerts stand below their days, with pictures, what was measured and the description as text', async () => {
  const page = await site.openPage({ user: ada, path: '/feed' });
  await rows(page).nth(2).waitFor();
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(3);
  const second = rows(page).nth(1);
  expect(await second.textContent()).toContain('people waiting 7, limit 5');
  expect(await second.textContent()).toContain(MARKUP);
  // The camera is in New York, the browser in Berlin.
  expect(await second.textContent()).toContain('(New York)');
  const picture = `document.querySelectorAll('main li')[1].querySelector('img')`;
  const loaded = await page.evaluate(`${picture}.decode().then(() => ${picture}.naturalWidth)`);
  expect(loaded).toBeGreaterThan(100);
  await rows(page).nth(0).getByText('The picture was deleted').waitFor();
  await rows(page).nth(2).getByText('No picture').waitFor();
  await checkLooks(page);
});

test('a link of a message opens the alert with picture, description and who was seen; it is acknowledged and deleted', async () => {
  const { event } = await addSeenAlert(site.api, rule, {
    summary: MARKUP,
    event: { triggeredAt: new Date(Date.now() - 90 * HOUR_MS) },
  });
  const page = await site.openPage({
    user: ada,
    path: `/feed/${newest.event.id}`,
    width: 'wide',
    theme: 'dark',
  });
  await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor();
  await page.getByRole('img', { name: /^Picture of/ }).waitFor();
  await page.getByText('female: 2 of 2').waitFor();
  expect(await page.locator('b').count()).toBe(0);
  await page.getByRole('tab', { name: 'With boxes' }).press('ArrowLeft');
  expect(await page.getByRole('tab', { name: 'Without boxes' }).getAttribute('aria-selected')).toBe('true');
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await page.getByText(/^Seen by/).waitFor();
  expect((await ada.get('/analysis/alerts?acknowledged=true')).body.data).toHaveLength(1);
  await page.getByRole('button', { name: 'Mark as not seen' }).click();
  await page.getByRole('button', { name: 'Mark as seen' }).waitFor();

  await page.goto(`${site.url}/#/feed/${event.id}`);
  await page.getByRole('button', { name: 'Delete alert' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete alert' }).click();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  await page.goto(`${site.url}/#/feed/${event.id}`);
  await page.getByText('This alert is not there any more').waitFor();
  await page.goto(`${site.url}/#/feed/nothing`);
  await page.getByText('This alert is not there any more').waitFor();
});

test('a new alert, and its description later, appear by themselves', async () => {
  const { db } = site.api.context;
  const eve = await site.api.user();
  const shop = { userId: eve.userId, ...(await shopOf(eve)) };
  const page = await site.openPage({ user: eve, path: '/feed' });
  await page.getByText('No alerts yet').waitFor();
  const streamed = page.waitForResponse(({ url }) => url().endsWith('/stream')).catch(() => null);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await streamed;
  const { event, insight } = await addAlert(db, await addRule(db, shop), {
    event: { triggeredAt: new Date(Date.now() + HOUR_MS) },
  });
  await db.$transaction((tx) => {
    const { ruleId, sceneId, deviceId, severity, metricPath, operator, threshold, actualValue, message } =
      event;
    const data = {
      ruleId,
      ruleName: 'Long queue',
      sceneId,
      sceneName: 'Till',
      deviceId,
      severity,
      metricPath,
      operator,
      threshold,
      actualValue,
      message,
      snapshotUrls: [],
    };
    return emit(tx, {
      type: 'alert_triggered',
      userId: eve.userId,
      dedupeKey: event.id,
      deviceId,
      sceneId,
      alertEventId: event.id,
      severity,
      data,
      occurredAt: new Date(),
    });
  });
  await rows(page).getByText('The description is being written').waitFor();
  await db.$transaction(async (tx) => {
    await tx.insight.update({
      where: { id: insight.id },
      data: { vlmStatus: 'completed', vlmSummary: 'Nine wait' },
    });
    await announceInsight(tx, { userId: eve.userId, id: insight.id });
  });
  await rows(page).getByText('Nine wait').waitFor();
});

test('words are searched, and each condition of their meaning can be removed', async () => {
  const page = await site.openPage({ user: ada, path: '/feed', locale: 'de' });
  await page.getByRole('searchbox').fill('critical alerts with more than 2 people');
  await page.getByRole('searchbox').press('Enter');
  await page.getByText('Zu dieser Suche gibt es nichts').waitFor();
  await page.getByRole('button', { name: 'Bedingung „kritische Alarme“ entfernen' }).click();
  await page.getByText('2 gefunden').waitFor();
  await checkAccessible(page);
  await checkFitsPhone(page);
  await page.getByRole('button', { name: /Bedingung „mindestens 3 Personen“/ }).click();
  // The days of all alerts again, whatever day it is where the browser is.
  await page.getByRole('heading', { level: 2 }).nth(2).waitFor();
});

describe('filters', () => {
  test('only what nobody has seen, a severity, or alerts up to a day are shown; a row that is seen stays until then', async () => {
    const bob = await site.api.user();
    const { db } = site.api.context;
    const bobsRule = await addRule(db, { userId: bob.userId, ...(await shopOf(bob)) });
    for (const day of [1, 2, 3])
      await addAlert(db, bobsRule, { event: { triggeredAt: new Date(Date.UTC(2026, 0, day, 12)) } });
    const page = await site.openPage({ user: bob, path: '/feed' });
    await page.getByText('3 alerts').waitFor();
    await rows(page).nth(0).getByRole('button').click();
    await rows(page).nth(0).locator('[aria-pressed=true]').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Seen').selectOption('new');
    await page.getByText('2 alerts').waitFor();
    await dialog.getByLabel('Until').fill('2026-01-01');
    await page.getByText('1 alert', { exact: true }).waitFor();
    // What is filtered stands in the address.
    const again = await page.context().newPage();
    await again.goto(page.url());
    await again.getByText('1 alert', { exact: true }).waitFor();
    await again.close();
    await dialog.getByLabel('Severity').selectOption('critical');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await checkLooks(page);
    await page.getByText('No alert matches this filter').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear filter' }).first().click();
    await page.getByText('3 alerts').waitFor();
  });
});

test('what is marked as seen stays so when a list arrives that was asked for before', async () => {
  const mia = await site.api.user();
  const { db } = site.api.context;
  await addAlert(db, await addRule(db, { userId: mia.userId, ...(await shopOf(mia)) }));
  const page = await site.openPage({ user: mia, path: '/feed' });
  await page.getByText('1 alert', { exact: true }).waitFor();
  await eventually('the stream is open', () => site.held().includes('/stream'));
  let send = () => {};
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  let read = 0;
  await page.route(/analysis\/alerts\?.*limit=50/, async (route) => {
    const response = await route.fetch();
    read += 1;
    await held;
    await route.fulfill({ response });
  });
  // The stream opens again, so that lists are read again.
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await eventually('the list of before has been read', () => read > 0);
  await rows(page).nth(0).getByRole('button').click();
  await rows(page).nth(0).locator('[aria-pressed=true]').waitFor();
  send();
  await page.unrouteAll({ behavior: 'wait' });
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  await rows(page).nth(0).locator('[aria-pressed=true]').waitFor();
});

test('alerts of one site that came together are one entry, and the menu counts those that nobody has seen', async () => {
  const zoe = await site.api.user();
  const { db } = site.api.context;
  const one = { userId: zoe.userId, ...(await shopOf(zoe)) };
  const two = { userId: zoe.userId, ...(await shopOf(zoe)) };
  const shop = { name: 'Main street', timezone: 'Asia/Tokyo', deviceIds: [one.deviceId, two.deviceId] };
  await zoe.post('/sites', shop);
  const [first, second] = [await addRule(db, one), await addRule(db, two)];
  // A day begins in Tokyo while it is evening in Berlin.
  const evening = new Date();
  evening.setUTCDate(evening.getUTCDate() - 2);
  for (const [alertOf, minute] of [
    [first, 5],
    [second, 7],
    [first, 11],
    [second, 30],
  ] as const) {
    evening.setUTCHours(16, minute, 0, 0);
    await addAlert(db, alertOf, { event: { triggeredAt: new Date(evening) } });
  }
  const page = await site.openPage({ user: zoe, path: '/feed' });
  const incident = page.getByRole('button', { name: /01:05.*01:11.*2 areas · peak 7/ });
  await incident.waitFor();
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
  await page.getByRole('link', { name: /Alerts.*4 not seen/ }).waitFor();
  await checkLooks(page);
  await incident.click();
  expect(
    await rows(page)
      .filter({ has: page.getByRole('link') })
      .count(),
  ).toBe(5);
  await checkLooks(page);
  await page.getByRole('button', { name: 'Mark all of them as seen' }).click();
  await page.getByRole('link', { name: /Alerts.*1 not seen/ }).waitFor();
});

test('a viewer sees alerts and is offered no change', async () => {
  const page = await site.openPage({ user: ada, path: '/feed', role: 'viewer' });
  await rows(page).nth(2).waitFor();
  expect(await rows(page).getByRole('button').count()).toBe(0);
  await rows(page).first().getByRole('link').click();
  await page.getByRole('img', { name: /^Picture of/ }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});

test('10,000 alerts scroll with few of them in the document, and going back leads to the same place', async () => {
  const max = await site.api.user();
  const { db } = site.api.context;
  const { event } = await addAlert(db, await addRule(db, { userId: max.userId, ...(await shopOf(max)) }), {
    event: { triggeredAt: new Date(Date.UTC(2026, 5, 1)) },
  });
  await db.$executeRaw`
    INSERT INTO "AlertEvent" ("userId", "deviceId", "sceneId", "ruleId", severity, "triggeredAt", "metricPath", operator, threshold, "actualValue", message)
    SELECT "userId", "deviceId", "sceneId", "ruleId", severity, "triggeredAt" - make_interval(mins => n * 7), "metricPath", operator, threshold, n, message
    FROM "AlertEvent", generate_series(1, 9999) n WHERE id = ${event.id}::uuid`;
  const page = await site.openPage({ user: max, path: '/feed' });
  await page.getByText('10,000 alerts').waitFor();
  const holds = (expression: string) =>
    eventually(expression, async () => (await page.evaluate(expression)) === true);
  const links = `[...document.querySelectorAll('main li a')]`;
  const isInView =
    '(link) => { const { top } = link.getBoundingClientRect(); return top > 0 && top < innerHeight; }';
  for (const part of [0.25, 0.75, 1]) {
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${part})`);
    await holds(`${links}.some(${isInView})`);
    expect(await rows(page).count()).toBeLessThan(400);
  }
  // The page of rows above the alert that is opened comes while the list is hidden.
  let send = () => {};
  const above = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(/analysis\/alerts\?.*page=69/, async (route) => {
    await above;
    await route.continue();
  });
  await page.evaluate(`(() => {
    const pages = [...document.querySelectorAll('main [role=status] ~ div')].slice(-200);
    scrollBy(0, pages[70 - 1].getBoundingClientRect().top);
  })()`);
  await holds(`${links}.some(${isInView})`);
  // The browser tells of this scroll after the click.
  const [shown, top] = await page.evaluate<[string, number]>(`(() => {
    scrollBy(0, 90);
    const link = ${links}.find(${isInView});
    const { top } = link.getBoundingClientRect();
    link.click();
    return [link.hash, top];
  })()`);
  await page.getByText('The picture was deleted').waitFor();
  const came = page.waitForResponse(/analysis\/alerts\?.*page=69/);
  send();
  await came;
  await page.goBack();
  const isAtItsPlace = `Math.abs(link.getBoundingClientRect().top - ${top}) < 1`;
  await holds(`${links}.some((link) => link.hash === '${shown}' && ${isAtItsPlace})`);
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  expect(await page.evaluate(`${links}.some((link) => link.hash === '${shown}' && ${isAtItsPlace})`)).toBe(
    true,
  );
});
