import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiUser } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAccessible, checkLooks, type Site, startSite } from '../../support/page/browser.ts';
import { cameraPicture } from '../../support/page/camera-picture.ts';
import { addCheckout, writeNumbers } from '../../support/page/shop-rows.ts';

let site: Site;
let user: ApiUser;
let till: { sceneId: string };
const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>';

beforeAll(async () => {
  site = await startSite();
  const { api } = site;
  user = await api.user();
  till = await addCheckout(api, user, { device: 'Camera south', scene: 'Till 1', inQueue: 2 });
  await addCheckout(api, user, {
    device: 'Camera north',
    scene: 'Returns desk',
    inQueue: 9,
    firing: 'critical',
  });
  await addCheckout(api, user, {
    device: 'Camera east',
    scene: 'Bakery',
    inQueue: 6,
    firing: 'warning',
    message: HOSTILE,
  });
  await addCheckout(api, user, {
    device: HOSTILE,
    scene: 'Pharmacy',
    columns: {
      fault: {
        reason: 'unreachable',
        message: 'The camera does not answer: check its power and its network.',
        since: '2026-11-01T12:00:00.000Z',
      },
    },
  });
  await addCheckout(api, user, {
    device: 'Camera yard',
    scene: 'Parking',
    analysisStatus: 'stopped',
    ageSeconds: 7200,
  });
});
afterAll(() => site?.stop());

test('shows the worst scene first, and paints new numbers when they are notified', async () => {
  const page = await site.openPage({ user });
  await page.getByText('Returns desk').first().waitFor();
  const names = await page.locator('main h2').allInnerTexts();
  expect(names).toEqual(['Returns desk', 'Bakery', `${HOSTILE} – Pharmacy`, 'Till 1']);
  await page.getByText(/^Send someone to Returns desk: 9 wait, /).waitFor();
  await page.getByText('17 waiting · 3 being served · 1 fine · 3 need attention · 1 camera down').waitFor();
  await page.getByText('There is no way to the camera').waitFor();
  await page.getByText('Why?').click();
  await page.getByText('Details: The camera does not answer').waitFor();
  await page.getByText('1 area is not counted now').click();
  // However long the machine took until here.
  await page.getByText(/^last 3 waiting, 2 h( \d+ min)? ago$/).waitFor();
  await checkLooks(page);
  await writeNumbers(site.api.context, till.sceneId, { inQueue: 14 });
  await page.getByRole('definition').filter({ hasText: /^14↗$/ }).waitFor();
});

test('its first numbers wait for one script and for what the document asked for beside it', async () => {
  const page = await site.openPage({ user });
  await page.getByText('Returns desk').first().waitFor();
  // The page that is left asks for nothing more.
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // The words of other screens and the parts that come later never arrive.
  await page.route(/\/assets\/(?!first-|rolldown-)/, () => {});
  await page.goto(`${site.url}/#/`);
  await page.getByText('There is no way to the camera').waitFor();
  await eventually('the page listens for news', () => asked.includes('/api/v1/stream'));
  const before = asked.slice(0, asked.indexOf('/api/v1/stream'));
  for (const path of ['/api/v1/session', '/api/v1/overview'])
    expect([path, before.filter((each) => each === path).length]).toEqual([path, 1]);
});

test('an overview that comes late does not replace a newer one', async () => {
  const { db } = site.api.context;
  const other = await site.api.user();
  const { sceneId } = await addCheckout(site.api, other, { scene: 'Before' });
  const page = await site.openPage({ user: other, path: '/usage' });
  await page.goto('about:blank');
  let answerLate = () => {};
  const late = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  let reads = 0;
  await page.route('**/api/v1/overview?*', async (route) => {
    reads += 1;
    if (reads > 1) return route.continue();
    const response = await route.fetch();
    await db.scene.update({ where: { id: sceneId }, data: { name: 'Afterwards' } });
    await late;
    await route.fulfill({ response });
  });
  await page.goto(`${site.url}/#/`);
  await page.getByRole('heading', { name: 'Afterwards' }).waitFor();
  const arrived = page.waitForEvent('requestfinished', (request) => request.url().includes('/overview?'));
  answerLate();
  await arrived;
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  await page.getByRole('heading', { name: 'Afterwards' }).waitFor();
});

test('without a camera the first step is to connect one; a viewer is not offered it', async () => {
  const nobody = await site.api.user();
  const page = await site.openPage({ user: nobody });
  await page.getByRole('link', { name: 'Connect a camera' }).waitFor();
  const viewer = await site.openPage({ user: nobody, role: 'viewer' });
  await viewer.getByText('Connect your first camera').waitFor();
  expect(await viewer.getByRole('link', { name: 'Connect a camera' }).count()).toBe(0);
});

describe('pictures of the cameras', () => {
  let many: ApiUser;
  const MANY = 30;
  beforeAll(async () => {
    many = await site.api.user();
    for (let at = 0; at < MANY; at += 1)
      await addCheckout(site.api, many, { device: `Camera ${at}`, scene: `Till ${at}` });
    await addCheckout(site.api, many, { device: 'Idle', scene: 'Idle', analysisStatus: 'stopped' });
  });

  test('are read for the tiles in view only, three at a time, and move nothing', async () => {
    const page = await site.openPage({ user: many, width: 'wide', path: '/usage' });
    const body = await cameraPicture();
    const asked: string[] = [];
    const waiting: (() => Promise<void>)[] = [];
    let heard = () => {};
    await page.route('**/api/v1/devices/*/frame*', (route) => {
      asked.push(new URL(route.request().url()).pathname);
      waiting.push(() => route.fulfill({ body, contentType: 'image/jpeg' }));
      heard();
    });
    const askedFor = (count: number) =>
      new Promise<void>((resolve) => {
        heard = () => asked.length >= count && resolve();
        heard();
      });
    await page.evaluate('location.hash = "#/"');
    await askedFor(3);
    const places = (await page.evaluate(`[...document.querySelectorAll('main figure')]
      .map((figure) => figure.querySelector('div > div').getBoundingClientRect())
      .filter(({ top, bottom }) => top < innerHeight && bottom > 0).length`)) as number;
    expect([places > 3, places < MANY]).toEqual([true, true]);
    const heightOf = () => page.evaluate('document.documentElement.scrollHeight');
    const before = await heightOf();
    for (let read = 1; read <= places; read += 1) {
      await askedFor(Math.min(places, read + 2));
      expect(waiting.length).toBeLessThanOrEqual(3);
      await waiting.shift()!();
      await page
        .locator('main img')
        .nth(read - 1)
        .waitFor();
    }
    // After 30 s, which a busy machine may take, those that were read first are read again.
    const first = new Set(asked.slice(0, places));
    expect([first.size, new Set(asked).size, await heightOf()]).toEqual([places, places, before]);
    await checkAccessible(page);
  });

  test('that a camera does not give leave a place without one', async () => {
    const page = await site.openPage({ user: many, path: '/usage' });
    await page.route('**/api/v1/devices/*/frame*', (route) => route.fulfill({ status: 503, json: {} }));
    const answer = page.waitForResponse('**/api/v1/devices/*/frame*');
    await page.evaluate('location.hash = "#/"');
    await answer;
    await page.locator('main figure svg').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });
});
