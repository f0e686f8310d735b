import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { writeBaseLimit } from '../../../src/billing/base.store.ts';
import { type ApiUser, shopOf } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { REAL_DETECTOR, startTestWorker, type TestWorker } from '../../support/worker.ts';

let site: Site;
let worker: TestWorker;
let ada: ApiUser;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
  const { db, config } = site.api.context;
  const { imagesDir } = site.api;
  const database = { db, url: config.databaseUrl!, imagesDir, drop: async () => undefined };
  worker = await startTestWorker(database, REAL_DETECTOR);
});
afterAll(async () => {
  await worker?.stop();
  await site?.stop();
});

const scenes = () => site.api.context.db.scene.findMany({ where: { userId: ada.userId } });
const runs = () => site.api.context.db.analysisTask.findMany({ orderBy: { createdAt: 'asc' } });
/** A picture that has arrived, not only its place. */
const isPainted = () =>
  eventually(
    'the picture is painted',
    async () => (await page.evaluate(`document.querySelector('main img')?.naturalWidth`)) === 960,
  );

test('a new camera counts: its picture is looked at, zones are drawn on it, and the number of the worker appears', async () => {
  page = await site.openPage({ user: ada, path: '/cameras/new', width: 'wide' });
  await page.getByRole('button', { name: /Use a simulated shop/ }).click();
  await page.getByText('This camera works').waitFor();
  await page.getByRole('button', { name: 'Next: draw zones' }).click();
  await page.getByRole('button', { name: 'a line at a till' }).click();
  await page.getByRole('button', { name: 'Count now' }).click();
  await page.getByText(/^(person waits|people wait) now$/).waitFor();
  await page.locator('canvas[data-captured-at]').waitFor();
  const [scene] = await scenes();
  const camera = await site.openPage({ user: ada, path: `/cameras/${scene!.deviceId}` });
  const shown = camera
    .getByText('Pictures without anybody, not searched')
    .locator('xpath=following-sibling::dd[1]');
  await eventually('the share of pictures without anybody is shown', async () =>
    /^\d+ %$/.test((await shown.textContent()) ?? ''),
  );
  await checkAccessible(camera);
  await checkFitsPhone(camera);
  await camera.goto(`${site.url}/#/scenes/${scene!.id}`);
  await camera.getByText(/^[\d.]+ of [\d.]+ pictures a second are analysed\./).waitFor();
  await camera.context().close();
});

test('zones are saved while the scene counts: it goes on with the new ones by itself', async () => {
  const [scene] = await scenes();
  const before = await runs();
  await page.goto(`${site.url}/#/cameras/${scene!.deviceId}`);
  await page.getByRole('img', { name: 'What Simulated shop sees' }).waitFor();
  await isPainted();
  await page.getByRole('tab', { name: 'Zones' }).click();
  await page.getByText('Counting restarts when you save; this takes a few seconds.').waitFor();
  await page.locator('button[data-kind=queueZone]').press('Enter');
  await page.getByRole('button', { name: /^Corner 1 of 4/ }).press('ArrowRight');
  await page.getByRole('button', { name: 'Save zones' }).click();
  await page.getByText('Saved. Counting goes on with the new zones.').waitFor();
  const [changed] = await scenes();
  const zonesOf = (each: typeof scene) => (each!.config as { zones: { queueZone: object } }).zones.queueZone;
  expect(zonesOf(changed)).not.toEqual(zonesOf(scene));
  const again = await eventually('a new run has frames', async () => {
    const all = await runs();
    return all.length === before.length + 1 && all.at(-1)!.lastFrameAt !== null && all;
  });
  expect(again.map(({ runStatus }) => runStatus)).toEqual(['stopped', 'running']);
  const sinceMs = again.at(-1)!.createdAt.getTime();
  await eventually(
    'numbers of the new run are stored',
    async () => Number((await scenes())[0]!.metricsUpdatedAt) > sinceMs,
  );
});

test('a start without quota leads to the usage', async () => {
  const bob = await site.api.user();
  const { sceneId } = await shopOf(bob);
  const limit = { userId: bob.userId, period: '', scope: 'user', scopeId: bob.userId } as const;
  await writeBaseLimit(site.api.context.db, { ...limit, feature: 'analysis' }, 0);
  const refused = await site.openPage({ user: bob, path: `/scenes/${sceneId}` });
  await refused.getByRole('button', { name: 'Start' }).click();
  await refused.getByRole('link', { name: 'See usage and limits' }).click();
  await refused.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
});
