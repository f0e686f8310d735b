import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Camera, Installation } from '../../support/installation.ts';
import { openPhone } from './opened-page.ts';
import { paintedAt, writeNumber } from './painted.ts';

const LONGEST_MS = 60_000;

/** Resolves when the banner is painted, or is gone, with the time by the clock of the machine. */
const bannerIs = (isShown: boolean) => `new Promise((resolve, reject) => {
  const end = performance.now() + ${LONGEST_MS};
  const look = () => {
    if ((document.querySelector('main [role=status] p') !== null) === ${isShown}) return requestAnimationFrame(() => resolve(Date.now()));
    if (performance.now() > end) return reject(new Error('The banner did not change'));
    requestAnimationFrame(look);
  };
  look();
})`;

/** The page hides itself, or comes to the front, when the bench says so. */
const TABS = `Object.defineProperty(document, 'visibilityState', { get: () => (window.isHidden ? 'hidden' : 'visible') });`;
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`window.isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`);

export interface Away {
  /** From the end of the API until the banner is painted. */
  readonly bannerMs: number;
  /** From the API's readiness until the banner is gone. */
  readonly backMs: number;
  /** From the return to a tab until it shows the present number. */
  readonly returnMs: number;
}

/** Takes the API away from an open page for a while, and hides the page and shows it again. */
export async function measureAway(
  browser: Browser,
  installation: Installation,
  { camera, seconds }: { readonly camera: Camera; readonly seconds: number },
): Promise<Away> {
  const { page } = await openPhone(browser, installation);
  await page.addInitScript(TABS);
  await page.goto(`${installation.baseUrl}/#/`);
  await page.locator('main h2').first().waitFor();
  await pause(2_000);
  const appears = page.evaluate(bannerIs(true)) as Promise<number>;
  const endsAt = Date.now();
  await installation.api.stop();
  const bannerMs = (await appears) - endsAt;
  await pause(seconds * 1000 - (Date.now() - endsAt));
  installation.startApi();
  const disappears = page.evaluate(bannerIs(false)) as Promise<number>;
  await installation.untilReady();
  const readyAt = Date.now();
  const backMs = (await disappears) - readyAt;

  await setHidden(page, true);
  await pause(5_000);
  await writeNumber(installation, camera, 777);
  const painted = page.evaluate(paintedAt(777)) as Promise<number>;
  const returnsAt = Date.now();
  await setHidden(page, false);
  const returnMs = (await painted) - returnsAt;
  await page.context().close();
  return { bannerMs, backMs, returnMs };
}
