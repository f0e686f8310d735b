import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addRows, type Rows } from '../../contract/rows.ts';
import type { ApiUser } from '../../support/api.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { addMarkup, hasHit, MARKUP, placesOf, ROUTES, visit } from '../../support/page/screens.ts';

let site: Site;
let owner: ApiUser;
let mine: Rows;
let foreign: Rows;
const FOREIGN_NAME = 'Jewels of somebody else';

beforeAll(async () => {
  site = await startSite();
  const { context } = site.api;
  owner = await site.api.user();
  await context.db.user.update({ where: { id: owner.userId }, data: { isAdmin: true } });
  [mine, foreign] = [await addRows(context, owner.userId), await addRows(context)];
  await addMarkup(context, mine);
  const others = { where: { userId: foreign.user }, data: { name: FOREIGN_NAME } };
  await context.db.device.updateMany(others);
  await context.db.scene.updateMany(others);
  await context.db.site.updateMany(others);
  await context.db.recording.updateMany(others);
}, 120_000);
afterAll(() => site?.stop(), 60_000);

/** Faults by place, so that one run tells all of them. */
async function onEveryScreen(
  page: Page,
  check: (place: string) => Promise<unknown>,
  places = placesOf(mine),
): Promise<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const place of places) {
    try {
      await visit(page, place);
      await check(place);
    } catch (error) {
      faults[place] = String((error as Error).message);
    }
  }
  return faults;
}

test('the list of routes has every screen', () => {
  expect(ROUTES.length).toBeGreaterThan(12);
});

describe.each([
  ['a phone, light', { width: 'phone', theme: 'light' }],
  ['a wide screen, dark', { width: 'wide', theme: 'dark' }],
] as const)('every screen on %s', (_name, options) => {
  test('is accessible, fits, and shows markup in texts as text', async () => {
    const page = await site.openPage({ user: owner, ...options });
    const texts: (string | null)[] = [];
    const faults = await onEveryScreen(page, async () => {
      await checkAccessible(page);
      if (options.width === 'phone') await checkFitsPhone(page);
      if (await hasHit(page)) throw new Error('a text became markup');
      texts.push(await page.locator('body').textContent());
    });
    expect(faults).toEqual({});
    expect(texts.filter((text) => text?.includes(MARKUP)).length).toBeGreaterThan(3);
  }, 180_000);
});

/** Calls that read although their method is POST, or that concern only the session itself. */
const NO_WRITES = /\/api\/v1\/(analysis\/insights\/search|alerts\/rules\/preview|session)$/;
const MOST_BUTTONS = 12;

test('a viewer is offered no write on any screen', async () => {
  const page = await site.openPage({ user: owner, role: 'viewer', width: 'wide' });
  const writes: string[] = [];
  await page.route('**/api/v1/**', (route) => {
    const request = route.request();
    const isWrite = request.method() !== 'GET' && !NO_WRITES.test(new URL(request.url()).pathname);
    if (isWrite) writes.push(`${request.method()} ${request.url()}`);
    return isWrite ? route.abort() : route.continue();
  });
  const press = async (index: number) => {
    const button = page.locator('main button:enabled').nth(index);
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    for (const submit of await page.locator('dialog[open] [type=submit]:visible').all())
      await submit.click({ timeout: 500 }).catch(() => undefined);
    if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
  };
  const faults = await onEveryScreen(page, async (place) => {
    const before = writes.length;
    const many = Math.min(MOST_BUTTONS, await page.locator('main button:enabled').count());
    for (let index = 0; index < many; index++) await press(index);
    if (writes.length > before) throw new Error(`${place} offers ${writes.slice(before).join(', ')}`);
  });
  expect(faults).toEqual({});
}, 180_000);

test('places of somebody else say that there is nothing, and show nothing of them', async () => {
  const page = await site.openPage({ user: owner, width: 'wide' });
  const own = new Set(placesOf(mine));
  const faults = await onEveryScreen(
    page,
    async () => {
      const text = await page.locator('body').textContent();
      if (text?.includes(FOREIGN_NAME)) throw new Error('a name of somebody else is shown');
    },
    placesOf(foreign).filter((place) => !own.has(place)),
  );
  expect(faults).toEqual({});
}, 180_000);
