import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Installation } from '../../support/installation.ts';

/** Slow 4G of Lighthouse, and a processor that is four times slower. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SLOWDOWN = 4;

/** Notes the entries that browsers measure by themselves, for `window.seen`. */
const OBSERVE = `
window.seen = { lcpMs: 0, cls: 0, inpMs: 0 };
const observe = (type, note, more = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
observe('largest-contentful-paint', ({ startTime }) => { seen.lcpMs = startTime; });
observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.cls += value; });
observe('event', ({ duration, interactionId }) => { if (interactionId) seen.inpMs = Math.max(seen.inpMs, duration); }, { durationThreshold: 16 });
`;

export interface Opened {
  readonly page: Page;
  readonly cdp: CDPSession;
}

/** A phone that is signed in, at no page yet. */
export async function openPhone(browser: Browser, { baseUrl, client }: Installation): Promise<Opened> {
  const { code } = await client.post<{ code: string }>('/login-codes', { kind: 'person', role: 'owner' });
  const answer = await fetch(`${baseUrl}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const value = /^vas=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (value === undefined) throw new Error('The API set no cookie at the sign-in.');
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en-GB',
  });
  await context.addCookies([{ name: 'vas', value, url: baseUrl }]);
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  return { page, cdp: await context.newCDPSession(page) };
}

export interface Vitals {
  readonly lcpMs: number;
  readonly cls: number;
  readonly inpMs: number;
}

const seenBy = (page: Page) => page.evaluate('seen') as Promise<Vitals>;

/** Opens Now with an empty cache on a slow phone, and goes through some screens. @returns the worst of both */
export async function measureVitals(
  { page, cdp }: Opened,
  baseUrl: string,
): Promise<Vitals & { readonly requested: string[] }> {
  const requested: string[] = [];
  page.on('request', (request) => {
    const name = /\/assets\/([^/]+)$/.exec(request.url())?.[1];
    if (name !== undefined) requested.push(name);
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(`${baseUrl}/#/`);
  await page.locator('main h2').first().waitFor();
  await page.waitForTimeout(2_000);
  const first = await seenBy(page);
  const now = [...requested];
  for (const name of ['Alerts', 'History', 'Cameras', 'Now']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.waitForTimeout(500);
  }
  const last = await seenBy(page);
  return { lcpMs: first.lcpMs, cls: last.cls, inpMs: last.inpMs, requested: now };
}
