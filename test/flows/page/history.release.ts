import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RunTills } from '../../../src/metrics/tills/run-tills.ts';
import { writeTills } from '../../../src/metrics/tills/till.store.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import type { ApiUser } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkFitsPhone, checkLooks, type Site, startSite } from '../../support/page/browser.ts';
import { addShopDays } from '../../support/rows/shop-days.ts';

const MARKUP = 'Till <img src=x onerror=alert(1)>';
const BERLIN = 'Europe/Berlin';
let site: Site;
let ada: ApiUser;
let sceneId: string;
let siteId: string;

beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
  const device = (
    await ada.post('/devices', { name: MARKUP, streamUrl: 'sim:shop?seed=1', timezone: BERLIN })
  ).body.data;
  const scene = { deviceId: device.id, name: 'Queue', analysisType: 'queue_analysis' };
  sceneId = (await ada.post('/scenes', { ...scene, config: { zones: SHOP_ZONES } })).body.data.id;
  const shop = { name: 'Main street', timezone: BERLIN, deviceIds: [device.id] };
  siteId = (await ada.post('/sites', shop)).body.data.id;
  const rows = { sceneId, timezone: BERLIN, days: 1 };
  for (const firstDay of ['2026-10-25', '2026-03-29']) {
    await addShopDays(site.api.context.db, { ...rows, firstDay, opens: 0, closes: 5 });
  }
  for (const firstDay of ['2026-11-10', '2026-11-17']) {
    await addShopDays(site.api.context.db, { ...rows, firstDay, opens: 9, closes: 13 });
  }
});
afterAll(() => site?.stop());

const open = (query: string, options: Parameters<Site['openPage']>[0] = {}) =>
  site.openPage({ path: `/history/scenes/${sceneId}?${query}`, user: ada, ...options });
const chart = (page: Page, name: string) => page.getByRole('slider', { name: new RegExp(`^${name}`) });
const numberOf = (page: Page, label: string) =>
  page.locator('dl > div').filter({ hasText: label }).locator('dd').first().textContent();

async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Options and files' }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
}

async function rowsOf(page: Page, name: string): Promise<string[]> {
  const figure = page.locator('figure').filter({ has: chart(page, name) });
  await figure.getByText('Show as a table').click();
  return figure.locator('tbody tr th').allTextContents();
}

describe('a day in which the clocks of the camera change, in a browser elsewhere', () => {
  test('has 25 hours in autumn: the repeated one twice, in axis, heat map and file', async () => {
    const page = await open('to=2026-10-25&bucket=1h', { timezone: 'America/New_York', width: 'wide' });
    const rows = await rowsOf(page, 'People in the queue');
    expect(rows).toHaveLength(25);
    expect(rows.slice(0, 5)).toEqual([
      'Sun 25 Oct, 00:00–01:00',
      expect.stringContaining('Sun 25 Oct, 01:00 GMT+2 – 02:00 GMT+2'),
      'Sun 25 Oct, 02:00 GMT+2 – 02:00 GMT+1',
      'Sun 25 Oct, 02:00 GMT+1 – 03:00 GMT+1',
      'Sun 25 Oct, 03:00–04:00',
    ]);
    expect(await page.getByText('All times are those of the camera').textContent()).toContain('Berlin');
    const [download] = await Promise.all([page.waitForEvent('download'), fromMenu(page, 'Numbers (CSV)')]);
    await page.keyboard.press('Escape');
    const lines = (await readFile((await download.path())!, 'utf8')).trimEnd().split('\r\n');
    expect([lines.length, lines[1]!.split(',')[0]]).toEqual([26, '"2026-10-24T22:00:00.000Z"']);
    await page.getByRole('tab', { name: 'Busy hours' }).click();
    const table = page.getByRole('table', { name: /Average queue by weekday/ });
    await table.waitFor();
    expect(await table.locator('thead th').allTextContents()).toEqual(['00', '01', '02', '03', '04']);
    const answer = await ada.get(
      `/analytics/scenes/${sceneId}/heatmap?from=2026-09-26T22:00:00Z&to=2026-10-25T23:00:00Z&timezone=${BERLIN}`,
    );
    const two = answer.body.data.avgInQueue[6][2];
    const sunday = table.getByRole('row', { name: /^Sun/ });
    expect(Number(await sunday.locator('td').nth(2).textContent())).toBeCloseTo(two, 1);
  });

  test('has 23 hours in spring, and none begins at 02:00', async () => {
    const page = await open('to=2026-03-29&bucket=1h', { timezone: 'America/New_York' });
    const rows = await rowsOf(page, 'People in the queue');
    expect(rows).toHaveLength(23);
    expect(rows.slice(1, 3)).toEqual(['Sun 29 Mar, 01:00–03:00', 'Sun 29 Mar, 03:00–04:00']);
  });
});

describe('the trend', () => {
  test('begins with what happened, in a sentence, beside the week before; a time without rows has no 0; waits have their distribution', async () => {
    const page = await open('to=2026-11-17&chart=wait');
    const from = '2026-11-16T23:00:00.000Z';
    const to = '2026-11-17T23:00:00.000Z';
    const { data } = (
      await ada.get(`/analytics/scenes/${sceneId}/series?from=${from}&to=${to}&bucket=1d&timezone=${BERLIN}`)
    ).body;
    await chart(page, 'Wait').waitFor();
    expect(await numberOf(page, 'Arrivals')).toBe(String(data.arrivals[0]));
    expect(await numberOf(page, 'Gave up')).toBe(String(data.abandoned[0]));
    await page.getByText('Half less than, the week before').first().waitFor();
    const lead = page.getByText(`${data.arrivals[0]} people arrived, as many as in the week before.`);
    // A manager with a phone reads the first number without scrolling.
    expect((await lead.boundingBox())!.y).toBeLessThan(400);
    await page.getByText('as in the week before').first().waitFor();

    await page.goto(`${site.url}/#/history/scenes/${sceneId}?to=2020-01-01`);
    await page.getByText('Nothing was measured in this time').waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/\b0\b/);

    await page.goto(`${site.url}/#/history/scenes/${sceneId}?to=2026-11-17&tab=times`);
    const times = 'from=2026-11-16T23:00:00.000Z&to=2026-11-17T23:00:00.000Z';
    const { waits, queue } = (await ada.get(`/analytics/scenes/${sceneId}/distribution?${times}`)).body.data;
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Waiting times').getByText(`${waits.count} people`).waitFor();
    await part('Waited longer than').getByText(`(${waits.longerThan[1].count})`).waitFor();
    await part('Minutes with at least so many people in the queue')
      .getByText(`${queue.levels[0].minutesByMaximum} (`)
      .waitFor();
  });

  test('of seven days shows the days on a phone, and a point opens the hours of one', async () => {
    const page = await open('to=2026-11-17&days=7');
    await page.getByRole('button', { name: 'Arrivals' }).click();
    const slider = chart(page, 'Arrivals');
    expect(await slider.getAttribute('aria-valuemax')).toBe('6');
    await slider.press('End');
    await page.getByText('Tue 17 Nov', { exact: true }).waitFor();
    await slider.press('Enter');
    await page.waitForURL(/to=2026-11-17/);
    await eventually('hours', async () => Number(await slider.getAttribute('aria-valuemax')) > 23);
    await checkFitsPhone(page);
  });

  test('lead by keyboard from a point to its visits, at an address of their own', async () => {
    const page = await open('to=2026-11-17&bucket=1h&chart=flow');
    const slider = chart(page, 'Arrivals');
    await slider.focus();
    await slider.press('Home');
    for (let hour = 0; hour < 10; hour += 1) await slider.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(
      /^Tue 17 Nov, 10:00–11:00; Arrivals: \d+; Served: \d+/,
    );
    await slider.press('Enter');
    const times = 'from=2026-11-17T09:00:00.000Z&to=2026-11-17T10:00:00.000Z';
    const { pagination } = (await ada.get(`/visits?sceneId=${sceneId}&${times}`)).body.meta;
    await page.getByText(`${pagination.total} visits`).waitFor();
    await page.getByLabel('Outcome').selectOption('abandoned');
    await page.getByText('Left the queue without being served.').waitFor();
    const again = await page.context().newPage();
    await again.goto(page.url());
    expect(await again.getByLabel('Outcome').inputValue()).toBe('abandoned');
    await again.getByRole('tab', { name: 'Visits', selected: true }).waitFor();
    await again.getByText('Tue 17 Nov, 10:00–11:00').first().waitFor();
  });
});

test('a site is one choice, its reports are shown over the page, and names with markup are text', async () => {
  const page = await site.openPage({ path: '/history?to=2026-11-17', user: ada });
  const where = page.getByLabel('Where');
  expect(await where.locator('option:checked').textContent()).toBe('Main street');
  const areas = where.locator('optgroup').nth(1);
  expect(await areas.getAttribute('label')).toBe('Areas');
  expect(await areas.locator('option').allTextContents()).toContain(MARKUP);
  await fromMenu(page, 'Report of the week');
  const dialog = page.getByRole('dialog');
  await page.getByRole('dialog', { name: 'Report of a week' }).waitFor();
  const report = dialog.frameLocator('iframe');
  await report.getByText('Main street').first().waitFor();
  await report
    .getByText(/16.*22 Nov/)
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Day' }).click();
  await page.getByRole('dialog', { name: 'Report of a day' }).waitFor();
  await report
    .getByText(/17 Nov/)
    .first()
    .waitFor();
  expect(await dialog.getByRole('link', { name: 'Open in a tab' }).getAttribute('href')).toContain(
    'period=day&date=2026-11-17&format=html',
  );
  await checkFitsPhone(page);
  await page.keyboard.press('Escape');
  await where.selectOption(`scene/${sceneId}`);
  await page.waitForURL(new RegExp(`#/history/scenes/${sceneId}`));
  // History opens where it was left.
  await page.goto(`${site.url}/#/history`);
  await eventually('the last place', async () => (await where.inputValue()) === `scene/${sceneId}`);
});

test('a scene of somebody else, and an id that is none, are gone; a user without cameras gets the next step', async () => {
  const other = await site.api.user();
  const foreign = await open('', { user: other });
  await foreign.getByText('This area or site no longer exists').waitFor();
  const wrong = await site.openPage({ path: '/history/scenes/<b>x', user: ada });
  await wrong.getByText('This area or site no longer exists').waitFor();
  const empty = await site.openPage({ path: '/history', user: other });
  await empty.getByRole('link', { name: 'Add a camera' }).waitFor();
});

test('every tab is accessible, and no control is too small', async () => {
  const path = `/history/sites/${siteId}?to=2026-11-17`;
  const page = await site.openPage({ path, user: ada, role: 'viewer' });
  for (const name of ['Trend', 'Busy hours', 'Waiting times', 'Visits', 'Areas']) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).locator('figure, table, ul').first().waitFor();
    await checkLooks(page);
  }
});

test('a site has a German history', async () => {
  const page = await site.openPage({
    path: `/history/sites/${siteId}?to=2026-11-17`,
    user: ada,
    locale: 'de-DE',
  });
  await page.getByRole('heading', { name: 'Personen in der Schlange' }).waitFor();
  await page.getByText(/^Es kamen \d+ Personen, so viele wie in der Woche davor\. Die Hälfte/).waitFor();
});

test('a scene with tills has a band of states for each, every change as a table, and their numbers', async () => {
  const device = (await ada.post('/devices', { name: 'Row', streamUrl: 'sim:shop?seed=2', timezone: BERLIN }))
    .body.data;
  const tills = ['Kiosk', 'Express'].map((name, at) => ({
    ...{ id: `t${at}`, name, type: 'polygon', points: rectangle(at / 2, 0, (at + 1) / 2, 0.5) },
  }));
  const body = { deviceId: device.id, name: 'Row of tills', analysisType: 'queue_analysis' };
  const { id } = (await ada.post('/scenes', { ...body, config: { zones: { tills } } })).body.data;
  const run = new RunTills(tills);
  const startMs = Date.parse('2026-11-17T09:00:00Z');
  for (let second = 0; second < 600; second++) {
    const states = [second < 300 ? 'serving' : 'free', 'closed'] as const;
    run.add([{ timeMs: startMs + second * 1000, states, isWaitedFor: [false, false] }]);
  }
  const { db } = site.api.context;
  await db.$transaction((tx) => writeTills(tx, [{ sceneId: id, tills: run.take(null) }]));

  const page = await site.openPage({ path: `/history/scenes/${id}?to=2026-11-17`, user: ada });
  await page.getByRole('tab', { name: 'Tills' }).click();
  await page.getByRole('img', { name: 'Kiosk: Serving 5 min, Free 5 min, Unknown 23 h 50 min' }).waitFor();
  await page.getByRole('img', { name: 'Express: Closed 10 min, Unknown' }).waitFor();
  const table = page.getByRole('table', { name: 'Tills in this time' });
  expect(await table.getByRole('row').nth(1).locator('td').allTextContents()).toEqual([
    ...['Kiosk', '0', '–', '–', '5 min', '5 min', '0 s', '23 h 50 min'],
  ]);
  await page.getByText('Show every change as a table').click();
  const changes = page.getByRole('table', { name: 'Kiosk' }).locator('tbody tr');
  await changes.nth(2).waitFor();
  const said = (await changes.allTextContents()).map((text) => text.replaceAll(/\s/g, ''));
  expect(said.slice(1, 3)).toEqual(['10:00:0010:05:00Serving5min', '10:05:0010:10:00Free5min']);
  await checkLooks(page);
  await page.getByLabel('Range').selectOption('30');
  await page.getByText('Each column shows shares of the time').waitFor();
  await page.getByLabel('Where').selectOption(`site/${siteId}`);
  await page.getByText('Choose an area').waitFor();
});
