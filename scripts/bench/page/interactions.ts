import type { Page } from 'playwright-core';

interface Step {
  /** Where the click is made. */
  readonly at: string;
  /** What is there once the screen can be used. */
  readonly until: string;
  readonly act: (page: Page) => Promise<void>;
}

const click = (selector: string) => (page: Page) => page.locator(selector).first().click();

/** What people press most on each screen, by what it does. */
const STEPS: Readonly<Record<string, Step>> = {
  'open a scene': { at: '/', until: 'main h2 a', act: click('main h2 a') },
  'open History': { at: '/', until: 'main h2 a', act: click('nav a[href="#/history"]:visible') },
  'switch its chart': {
    // Of one day there is nothing to draw after midnight.
    at: '/history?days=7',
    until: 'canvas',
    act: click('fieldset button[aria-pressed="false"]'),
  },
  'open a rule': { at: '/rules', until: 'td a', act: click('td a') },
  'open the filter of alerts': {
    at: '/feed',
    until: 'article, li a',
    act: click('search[aria-label=Filter] button'),
  },
  'filter alerts': {
    at: '/feed',
    until: 'article, li a',
    async act(page) {
      await click('search[aria-label=Filter] button')(page);
      // A key changes a list without the list of the system, which no script can see.
      await page.locator('dialog select').nth(1).press('ArrowDown');
    },
  },
};

/** Long enough for the answer to a click to be painted, and for the browser to tell of it. */
const SETTLE_MS = 1_500;

/** Presses what people press, with real input, on a page that notes `seen.inpMs`. @returns milliseconds of each until the next paint */
export async function measureInteractions(page: Page): Promise<Readonly<Record<string, number>>> {
  const took: Record<string, number> = {};
  for (const [name, { at, until, act }] of Object.entries(STEPS)) {
    await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
    await page.locator(until).first().waitFor();
    await page.waitForTimeout(SETTLE_MS);
    await page.evaluate('seen.inpMs = 0');
    await act(page);
    await page.waitForTimeout(SETTLE_MS);
    took[name] = (await page.evaluate('seen.inpMs')) as number;
    await page.keyboard.press('Escape');
  }
  return took;
}
