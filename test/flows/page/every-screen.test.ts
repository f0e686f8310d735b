import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addRows, type Rows } from '../../contract/rows.ts';
import type { ApiUser } from '../../support/api.ts';
import { checkLooks, LOOKS, look, runAxe, type Site, startSite } from '../../support/page/browser.ts';
import { cameraPicture } from '../../support/page/camera-picture.ts';
import { noteWrites, pressEverything } from '../../support/page/press-everything.ts';
import { addMarkup, hasHit, MARKUP, placesOf, ROUTES, settled, visit } from '../../support/page/screens.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

let site: Site;
let owner: ApiUser;
let mine: Rows;
let foreign: Rows;
const FOREIGN_NAME = 'Jewels of somebody else';

beforeAll(async () => {
  site = await startSite({ still: await cameraPicture() });
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
});
afterAll(() => site?.stop());

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

// In German, whose texts are longer; the stories of the screens look at most of them in English.
const LOCALES = IS_THOROUGH ? ['de-DE', 'en-GB'] : ['de-DE'];

test.each(LOCALES)('%s: every screen is accessible, fits, and shows markup as text', async (locale) => {
  const page = await site.openPage({ user: owner, locale });
  // Browsers write each to their console. Rows of images have no file here.
  const refused: string[] = [];
  page.on(
    'response',
    (answer) =>
      answer.status() >= 400 &&
      !answer.url().includes('/images/') &&
      refused.push(`${answer.status()} ${answer.url()}`),
  );
  const texts: (string | null)[] = [];
  let looks = [...LOOKS];
  const faults = await onEveryScreen(page, async () => {
    await checkLooks(page, looks, runAxe);
    // The next screen begins with the look that this one ends with.
    looks = looks.toReversed();
    if (await hasHit(page)) throw new Error('a text became markup');
    texts.push(await page.locator('body').textContent());
  });
  expect([faults, refused]).toEqual([{}, []]);
  expect(texts.filter((text) => text?.includes(MARKUP)).length).toBeGreaterThan(3);
});

/** A place without the ids in it. */
const shapeOf = (place: string) => place.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');

/** Goes through all places, and through those to which their links and buttons lead. @returns what was pressed there */
async function pressEverywhere(page: Page, first: readonly string[]) {
  const writes = noteWrites(page);
  const controls: Record<string, readonly string[]> = {};
  const offered: Record<string, readonly string[]> = {};
  const waiting = [...first];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    if (shapeOf(place) in controls) continue;
    const before = writes.length;
    await visit(page, place);
    const pressed = await pressEverything(page, place);
    await settled(page);
    controls[shapeOf(place)] = pressed.controls;
    if (writes.length > before) offered[place] = writes.slice(before);
    waiting.push(...pressed.places);
  }
  return { controls, offered };
}

test('a viewer is offered no write on any screen, whatever is filled in and pressed', async () => {
  const page = await site.openPage({ user: owner, role: 'viewer', width: 'wide' });
  const { controls, offered } = await pressEverywhere(page, placesOf(mine));
  expect(offered).toEqual({});
  expect(Object.values(controls).flat().length).toBeGreaterThan(80);
});

test('in German no name of the menu is cut, on a wide screen and on a phone', async () => {
  const page = await site.openPage({ user: owner, width: 'wide', locale: 'de-DE' });
  const cut = async () => {
    await page.getByRole('link', { name: 'Benachrichtigungen' }).waitFor();
    return page.evaluate(`[...document.querySelectorAll('nav a span, nav button span')]
      .filter((name) => name.checkVisibility() && (name.scrollWidth > name.clientWidth || name.offsetHeight > 28))
      .map((name) => name.textContent)`);
  };
  expect(await cut()).toEqual([]);
  await look(page, { width: 'phone', theme: 'light' });
  await page.getByRole('button', { name: 'Mehr' }).click();
  expect(await cut()).toEqual([]);
});

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
});

test('whoever may write is found to be offered it by the same presses', async () => {
  const page = await site.openPage({ user: owner, width: 'wide' });
  const writes = noteWrites(page);
  for (const place of ['/rules', `/recordings/${mine.recording}`]) await pressEverything(page, place);
  const kinds = new Set(writes.map((write) => write.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID')));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['PATCH /api/v1/alerts/rules/ID', 'DELETE /api/v1/alerts/rules/ID']),
  );
  expect([...kinds].filter((kind) => kind.includes('/recordings/'))).not.toEqual([]);
});
