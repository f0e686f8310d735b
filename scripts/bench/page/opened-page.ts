import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Installation } from '../../support/installation.ts';
import { measureInteractions } from './interactions.ts';

/** Slow 4G of Lighthouse, and a processor that is four times slower. */
const slowNetwork = (latency: number) => ({
  offline: false,
  latency,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
});
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

async function newCode({ client }: Installation): Promise<string> {
  return (await client.post<{ code: string }>('/login-codes', { kind: 'person', role: 'owner' })).code;
}

/** A phone that is signed in, at no page yet. */
export async function openPhone(browser: Browser, installation: Installation): Promise<Opened> {
  const { baseUrl } = installation;
  const code = await newCode(installation);
  const opened = await openStranger(browser);
  const answer = await fetch(`${baseUrl}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const value = /^vas=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (value === undefined) throw new Error('The API set no cookie at the sign-in.');
  await opened.page.context().addCookies([{ name: 'vas', value, url: baseUrl }]);
  return opened;
}

async function openStranger(browser: Browser): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  return { page, cdp: await context.newCDPSession(page) };
}

interface Seen {
  readonly lcpMs: number;
  readonly cls: number;
}

export interface Vitals extends Seen {
  /** Largest contentful paint of whoever opens a link that signs in. */
  readonly signInLcpMs: number;
  /** Until the next paint, by what was pressed. */
  readonly interactionsMs: Readonly<Record<string, number>>;
}

/** Opens an address with an empty cache on a slow phone, and waits until the tiles are painted. @returns also what was requested until then */
async function openSlowly(
  { page, cdp }: Opened,
  url: string,
  latencyMs: number,
): Promise<Seen & { readonly requested: string[] }> {
  const requested: string[] = [];
  page.on('request', (request) => {
    const name = /\/assets\/([^/]+)$/.exec(request.url())?.[1];
    if (name !== undefined) requested.push(name);
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slowNetwork(latencyMs));
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(url);
  await page.locator('main h2').first().waitFor();
  const now = [...requested];
  await page.waitForTimeout(2_000);
  return { ...((await page.evaluate('seen')) as Seen), requested: now };
}

/** Opens Now with an empty cache on a slow phone, signed in and by a link that signs in, and presses what people press. */
export async function measureVitals(
  browser: Browser,
  installation: Installation,
  latencyMs: number,
): Promise<Vitals & { readonly requested: string[] }> {
  const { baseUrl } = installation;
  const stranger = await openStranger(browser);
  const link = `${baseUrl}/#/enter?code=${await newCode(installation)}`;
  const { lcpMs: signInLcpMs } = await openSlowly(stranger, link, latencyMs);
  await stranger.page.context().close();
  const phone = await openPhone(browser, installation);
  const first = await openSlowly(phone, `${baseUrl}/#/`, latencyMs);
  const interactionsMs = await measureInteractions(phone.page);
  await phone.page.context().close();
  return { ...first, signInLcpMs, interactionsMs };
}
