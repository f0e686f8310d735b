import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiUser } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAccessible, type Site, startSite } from '../../support/page/browser.ts';
import { addCheckout } from '../../support/page/shop-rows.ts';

let site: Site;
let user: ApiUser;
beforeAll(async () => {
  site = await startSite();
  user = await site.api.user();
  await addCheckout(site.api, user, {
    device: 'Camera 0',
    scene: 'Returns',
    inQueue: 12,
    firing: 'critical',
  });
  await addCheckout(site.api, user, { device: 'Camera', scene: 'Closed', analysisStatus: 'stopped' });
  for (let at = 1; at <= 9; at += 1)
    await addCheckout(site.api, user, { device: `Camera ${at}`, scene: `Till ${at}`, inQueue: at });
});
afterAll(() => site?.stop());

test('a screen opens the wall: dark, nine tiles at a time in a fixed order, readable, nothing to change', async () => {
  const page = await site.openPage({
    user,
    role: 'viewer',
    screen: true,
    width: 1920,
    height: 1080,
    theme: 'light',
  });
  const titles = `[...document.querySelectorAll('main section h2')].map((title) => title.textContent)`;
  // The tiles take turns, so that the turn is looked at together with its tiles.
  const isFirst = `document.body.textContent.includes('1–9 of 10') && ${titles}.length === 9`;
  const shown = await eventually('the first turn', () => page.evaluate<string[]>(`${isFirst} && ${titles}`));
  expect(page.url()).toMatch(/#\/wall$/);
  expect(shown).toEqual([
    ...['Returns', 'Till 1', 'Till 2', 'Till 3', 'Till 4', 'Till 5', 'Till 6', 'Till 7', 'Till 8'],
  ]);
  const ofWall = (name: string, selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`) as Promise<string>;
  // On a screen 68 cm high, such digits are 5 cm high: they are read from five metres.
  expect(Number.parseFloat(await ofWall('fontSize', 'main section dd'))).toBeGreaterThan(120);
  expect(await ofWall('backgroundColor', 'main')).toBe('rgb(16, 21, 27)');
  expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
  await checkAccessible(page);
});
