import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiUser } from '../../support/api.ts';
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
  for (let at = 1; at <= 9; at += 1)
    await addCheckout(site.api, user, { device: `Camera ${at}`, scene: `Till ${at}`, inQueue: at });
});
afterAll(() => site?.stop());

test('a screen opens the wall: dark, the nine worst scenes, readable, nothing to change', async () => {
  const page = await site.openPage({
    user,
    role: 'viewer',
    screen: true,
    width: 1920,
    height: 1080,
    theme: 'light',
  });
  await page.getByText('and 1 more').waitFor();
  expect(page.url()).toMatch(/#\/wall$/);
  expect(await page.locator('main section h2').allInnerTexts()).toEqual([
    ...['Returns', 'Till 9', 'Till 8', 'Till 7', 'Till 6', 'Till 5', 'Till 4', 'Till 3', 'Till 2'],
  ]);
  const ofWall = (name: string, selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`) as Promise<string>;
  // On a screen 68 cm high, such digits are 5 cm high: they are read from five metres.
  expect(Number.parseFloat(await ofWall('fontSize', 'main section p'))).toBeGreaterThan(120);
  expect(await ofWall('backgroundColor', 'main')).toBe('rgb(16, 21, 27)');
  expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
  await checkAccessible(page);
});
