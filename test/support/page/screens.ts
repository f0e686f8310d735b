import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { Context } from '../../../src/platform/context.ts';
import type { Rows } from '../../contract/rows.ts';

const APP = new URL('../../../src/page/app.tsx', import.meta.url);

/** Places of the page that lead elsewhere. */
const NO_SCREENS = new Set(['/enter', '/setup']);

/** Further places of a screen, which need an id or show another part of it. */
const PARTS: Readonly<Record<string, (rows: Rows) => readonly string[]>> = {
  '/scenes/*?': ({ scene }) => [`/scenes/${scene}`],
  '/history/*?': () => ['/history'],
  '/reports/*?': ({ site }) => [`/reports/${site}`],
  '/feed/*?': ({ alert }) => ['/feed', `/feed/${alert}`],
  '/rules/*?': ({ rule }) => ['/rules', '/rules/new', `/rules/${rule}`],
  '/cameras/*?': ({ device }) => [
    '/cameras',
    '/cameras/new',
    `/cameras/${device}`,
    `/cameras/${device}?tab=zones`,
  ],
  '/devices/*?': ({ device }) => [`/devices/${device}`],
  '/recordings/*?': ({ recording }) => ['/recordings', `/recordings/${recording}`],
  '/privacy/*?': () => ['/privacy', '/privacy?tab=pictures', '/privacy?tab=audit'],
  '/admin/*?': () => ['/admin', '/admin?tab=users', '/admin?tab=announcements', '/admin?tab=audit'],
};

/** The routes of the page, as `app.tsx` lists them, so that a new screen is checked without further work. */
export const ROUTES: readonly string[] = [
  ...new Set([...readFileSync(APP, 'utf8').matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path!)),
].filter((path) => !NO_SCREENS.has(path));

/** Every place that a test of all screens opens; the wall has a frame of its own. */
export const placesOf = (rows: Rows): readonly string[] => [
  ...ROUTES.flatMap((route) => PARTS[route]?.(rows) ?? [route.replace('/*?', '')]),
  '/wall',
];

/**
 * Runs in the page: goes to another place and waits until it is rendered, with its content or what is shown while that is
 * read. The listeners of the page are older than this one, so they have acted when the next frame is painted.
 */
export const GO = `((place) => new Promise((resolve) => {
  if (location.hash === '#' + place) return resolve();
  addEventListener('hashchange', () => requestAnimationFrame(() => setTimeout(resolve)), { once: true });
  location.hash = place;
}))`;

/** Goes to a place and waits until nothing on it is being read. */
export async function visit(page: Page, place: string): Promise<void> {
  await page.evaluate(`${GO}(${JSON.stringify(place)})`);
  await settled(page);
}

/** The policy of the page forbids what evaluates texts, so this is a selector. */
const SETTLED = 'body:has(h1, [role=alert], dialog[open]):not(:has([role=status][aria-label=Loading]))';

/** Waits until a screen is there, and nothing on it is being read. */
export async function settled(page: Page): Promise<void> {
  await page
    .locator(SETTLED)
    .waitFor()
    .catch(async () => {
      throw new Error(`${page.url()} is still loading: ${await page.locator('body').textContent()}`);
    });
}

/** Runs if a text of the service becomes markup. */
export const MARKUP = '<script>window.hit=1</script><img src=x onerror="window.hit=1">';

/** Puts markup into whatever people, cameras, models and receivers of webhooks write. */
export async function addMarkup({ db }: Context, { user: userId, device, site }: Rows): Promise<void> {
  const name = `${MARKUP} bold`;
  const own = { where: { userId } };
  await db.user.update({ where: { id: userId }, data: { name } });
  await db.device.updateMany({ ...own, data: { name, description: name, lastError: name } });
  await db.device.update({ where: { id: device }, data: { onlineStatus: 'offline' } });
  await db.scene.updateMany({ ...own, data: { name } });
  await db.site.update({ where: { id: site }, data: { name } });
  await db.alertRule.updateMany({ ...own, data: { name } });
  await db.alertEvent.updateMany({ ...own, data: { message: name } });
  await db.insight.updateMany({ ...own, data: { vlmSummary: name, vlmModel: name } });
  await db.recording.updateMany({ ...own, data: { name } });
  await db.apiKey.updateMany({ ...own, data: { name } });
  await db.session.updateMany({ ...own, data: { label: name, lastUserAgent: name } });
  await db.webhook.updateMany({ ...own, data: { name } });
  await db.webhookDelivery.updateMany({ ...own, data: { responseBody: name, errorMessage: name } });
  await db.dataJob.updateMany({ ...own, data: { errorMessage: name } });
  await db.announcement.create({ data: { type: 'system_announcement', title: name, message: name } });
  await db.$executeRaw`
    UPDATE "ComputeNode" SET name = ${name.slice(0, 90)} || right(id::text, 8), "healthReason" = ${name}`;
}

/** @returns whether a text has become markup */
export const hasHit = (page: Page): Promise<boolean> =>
  page.evaluate(`window.hit === 1 || document.querySelector('img[src="x"]') !== null`);
