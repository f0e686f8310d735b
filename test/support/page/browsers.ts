import { expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

type Screen = BrowserContextOptions & {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
};

interface Use {
  /** Of who can use it later; null if what the test changes in its browser lasts. */
  readonly kind: string | null;
  readonly address: string;
  /** The test that uses it; none where a hook before all tests does. */
  readonly by: string | undefined;
  readonly isFree?: true;
}

/**
 * The browsers of the tests of one site, each a context with a page: to begin one costs most of what a page costs Chromium, so a
 * later test gets that of an earlier one where address, language and kind of screen are the same, without what was left in it.
 */
export class Browsers {
  readonly #chromium: Browser;
  readonly #prepare: (context: BrowserContext) => Promise<unknown>;
  readonly #uses = new Map<Page, Use>();

  constructor(chromium: Browser, prepare: (context: BrowserContext) => Promise<unknown>) {
    this.#chromium = chromium;
    this.#prepare = prepare;
  }

  /** @returns a page that shows nothing of `address` yet, and is nobody's else until a later test asks */
  async page(address: string, screen: Screen, isAlone = false): Promise<Page> {
    const { viewport, colorScheme, ...lasting } = screen;
    const by = expect.getState().currentTestName;
    await this.#freeThoseOfOtherTests(by);
    const kind = isAlone ? null : JSON.stringify([address, lasting]);
    const free = [...this.#uses].find(([, use]) => use.isFree && use.kind === kind)?.[0];
    const page = free ?? (await this.#begin(screen));
    this.#uses.set(page, { kind, address, by });
    if (free) {
      await free.setViewportSize(viewport);
      await free.emulateMedia({ colorScheme });
    }
    return page;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#uses.keys()].map((page) => page.context().close()));
  }

  async #begin(screen: Screen): Promise<Page> {
    const context = await this.#chromium.newContext(screen);
    await this.#prepare(context);
    return context.newPage();
  }

  /** They would go on to read and paint. */
  async #freeThoseOfOtherTests(by: string | undefined): Promise<void> {
    for (const [page, use] of [...this.#uses]) {
      if (use.by === undefined || use.by === by || use.isFree) continue;
      this.#uses.delete(page);
      if (use.kind !== null && (await clear(page, use.address)))
        this.#uses.set(page, { ...use, isFree: true });
      else await page.context().close();
    }
  }
}

/** @returns whether nothing of its test is left; not if that has closed it, or stopped the site */
async function clear(page: Page, address: string): Promise<boolean> {
  try {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // No page of ours, so that nothing is stored any more; within the site, whose process stays. Browsers complain of no header there.
    await page.goto(`${address}/icon.svg`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.context().clearCookies();
    return true;
  } catch {
    return false;
  }
}
