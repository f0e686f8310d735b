import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import express, { type RequestHandler, type Response } from 'express';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createLoginLink } from '../../../src/access/administer.ts';
import { createApp } from '../../../src/app.ts';
import type { Role } from '../../../src/http/roles.ts';
import { type RunningServer, startServer } from '../../../src/http/server/server.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { type ApiUser, type TestApi, testApi } from '../api.ts';
import { IS_THOROUGH } from '../thorough.ts';
import { workerChromium } from './worker-chromium.ts';

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };
/** A busy machine paints late; only a test that fails waits so long. */
const PATIENCE_MS = 60_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface PageOptions {
  /** Place of the page behind `#`, for example `/scenes/ID`; default: Now. */
  readonly path?: string;
  /** Who is signed in; nobody where it is not given. */
  readonly user?: Pick<ApiUser, 'userId'>;
  /** Role of the session; default owner. */
  readonly role?: Role;
  readonly screen?: boolean;
  readonly width?: 'phone' | 'wide' | number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly locale?: string;
  readonly timezone?: string;
  /** Where the page is opened, if not at the API itself: the address of a proxy or another name of the host. */
  readonly url?: string;
}

export interface Site {
  readonly api: TestApi;
  readonly url: string;
  readonly browser: Browser;
  /** Opens the page in a browser context of its own, which is closed when a later test opens one, or with the site. */
  openPage(options?: PageOptions): Promise<Page>;
  /** A cookie of a session, for `context.addCookies`. */
  signIn(user: Pick<ApiUser, 'userId'>, options?: { role?: Role; screen?: boolean }): Promise<string>;
  /** Stops the API, as at a restart: connections end. `start` starts it again at the same port. */
  readonly server: { stop(): Promise<void>; start(): Promise<void> };
  /** Paths below `/api/v1` of event streams and live pictures that somebody is being sent now, sorted. */
  held(): readonly string[];
  /**
   * Ends everything.
   * @throws Error if a page wrote an error to its console, threw, or broke the content security policy
   */
  stop(): Promise<void>;
}

interface SiteOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly heartbeatMs?: number;
  /** What every camera shows at once where a still is asked for: no worker of such a test would take one. */
  readonly still?: Buffer;
}

/** The API with its page over a database of its own, for one test file, in the Chromium of all test files of this process. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { environment = {}, clock = systemClock, heartbeatMs, still } = options;
  const browser = await workerChromium();
  const api = await testApi(environment, clock);
  const faults: string[] = [];
  /** Open contexts with the test that opened them; none for a hook before all tests. */
  const opened = new Map<BrowserContext, string | undefined>();
  /** Pages of earlier tests would go on to read and paint. */
  const closeEarlier = async () => {
    const test = expect.getState().currentTestName;
    const earlier = [...opened].filter(([, openedBy]) => openedBy !== undefined && openedBy !== test);
    for (const [context] of earlier) opened.delete(context);
    await Promise.all(earlier.map(([context]) => context.close()));
  };
  const held = new Map<object, string>();
  const noteHeld: RequestHandler = (request, response, next) => {
    // The page's time is that of the answers.
    response.setHeader('Date', clock.now().toUTCString());
    const path = /^\/api\/v1(\/stream|\/devices\/[^/]+\/live)$/.exec(request.path)?.[1];
    if (path !== undefined) {
      held.set(response, path);
      response.on('close', () => held.delete(response));
    }
    next();
  };
  let port = 0;
  const listen = async (): Promise<RunningServer> => {
    const app = createApp(api.context, { checkResponses: true, ...(heartbeatMs && { heartbeatMs }) });
    const watched = express();
    if (still) watched.get('/api/v1/devices/:id/frame', (_request, response) => sendStill(response, still));
    watched.use(noteHeld, app);
    const running = await startServer(watched, { host: '127.0.0.1', port, shutdownSeconds: 0 });
    port = Number(new URL(running.url).port);
    return running;
  };
  let running: RunningServer | undefined = await listen();
  const { url } = running;

  const signIn: Site['signIn'] = async ({ userId }, { role = 'owner', screen = false } = {}) => {
    const { email } = await api.context.db.user.findUniqueOrThrow({ where: { id: userId } });
    const { code } = await createLoginLink(api.context, email, { role, screen });
    const answer = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    return /^vas=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')![1]!;
  };

  const server: Site['server'] = {
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async start() {
      running = await listen();
    },
  };

  return {
    api,
    url,
    browser,
    signIn,
    server,
    held: () => [...held.values()].sort(),
    async openPage(page = {}) {
      await closeEarlier();
      const context = await browser.newContext(contextOptions(page));
      opened.set(context, expect.getState().currentTestName);
      context.setDefaultTimeout(PATIENCE_MS);
      // Nobody could close the dialog.
      await context.addInitScript('window.print = () => {}');
      const address = page.url ?? url;
      if (page.user) {
        const value = await signIn(page.user, page);
        await context.addCookies([{ name: 'vas', value, url: address }]);
      }
      watch(context, faults);
      const shown = await context.newPage();
      await shown.goto(`${address}/#${page.path ?? '/'}`);
      return shown;
    },
    async stop() {
      await Promise.all([...opened.keys()].map((context) => context.close()));
      await server.stop();
      await api.drop();
      if (faults.length > 0) throw new Error(`Pages wrote errors:\n${faults.join('\n')}`);
    },
  };
}

const sendStill = (response: Response, still: Buffer) =>
  response.set('X-Captured-At', '2026-11-23T10:00:00.000Z').type('image/jpeg').send(still);

const contextOptions = ({ width = 'phone', height, theme, locale, timezone }: PageOptions) => {
  const size = width === 'phone' ? PHONE : width === 'wide' ? WIDE : { width, height: 844 };
  return {
    viewport: { ...size, ...(height !== undefined && { height }) },
    colorScheme: theme ?? 'light',
    locale: locale ?? 'en-GB',
    timezoneId: timezone ?? 'Europe/Berlin',
    hasTouch: width === 'phone',
    reducedMotion: 'reduce',
  } as const;
};

/** What a browser writes of calls that are refused or get no answer: the page handles them. */
const OF_CALLS = /^Failed to load resource: (the server responded with a status of|net::ERR_)/;
/** What a browser writes of the page itself while a test has stopped the API. */
const IS_AWAY = /^Failed to load resource: net::ERR_CONNECTION_REFUSED$/;

function watch(context: BrowserContext, faults: string[]): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const isOfCall = OF_CALLS.test(message.text()) && message.location().url.includes('/api/v1/');
    if (!isOfCall && !IS_AWAY.test(message.text()))
      faults.push(`${message.page()?.url()}: ${message.text()}`);
  });
  context.on('weberror', (fault) => faults.push(`${fault.page()?.url()}: ${fault.error().stack}`));
}

/** Serious faults that axe finds in what is shown now. */
const FAULTS = `axe.run(document, { resultTypes: ['violations'], iframes: false, preload: false })
  .then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => id + ': ' + help + ' ' +
      nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' ')))`;
/** A run may fall into a change of the page. A fault is what each run finds. */
const RUNS = 3;

/**
 * For stories: `npm test` looks with axe at each screen once (every-screen), the release tier at each form and message too.
 * @throws Error naming the serious faults that axe finds in what is shown when no action is under way
 */
export async function checkAccessible(page: Page): Promise<void> {
  if (IS_THOROUGH) await runAxe(page);
}

/** @throws Error as `checkAccessible` */
export async function runAxe(page: Page): Promise<void> {
  // Once for each document: places of the page do not load another one.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  let faults: string[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    // A button that becomes enabled in the middle of a run has the contrast of a disabled one.
    await page.locator('button[aria-busy=true]').first().waitFor({ state: 'detached' });
    faults = await page.evaluate<string[]>(FAULTS);
    if (faults.length === 0) return;
  }
  throw new Error(faults.join('\n'));
}

/** How screens are looked at: on a phone, and in the release tier in both sizes and both themes. */
export const LOOKS: readonly Look[] = [
  { width: 'phone', theme: 'light' },
  ...(IS_THOROUGH ? [{ width: 'wide', theme: 'dark' } as const] : []),
];
type Look = { readonly width: 'phone' | 'wide'; readonly theme: 'light' | 'dark' };

/** Gives an open page another size and theme. */
export async function look(page: Page, { width, theme }: Look): Promise<void> {
  await page.setViewportSize(width === 'phone' ? PHONE : WIDE);
  await page.emulateMedia({ colorScheme: theme });
  // What follows the size of the page is rendered in the frame after the change.
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
}

/** @throws Error if what is shown now is not accessible, or does not fit, in one of the looks */
export async function checkLooks(page: Page, looks = LOOKS, check = checkAccessible): Promise<void> {
  for (const each of looks) {
    await look(page, each);
    await check(page);
    if (each.width === 'phone') await checkFitsPhone(page);
  }
}

/**
 * @throws Error if the page scrolls sideways, or a control is smaller than 44 px: what a phone demands. Links within a
 *   sentence, and controls that only screen readers see, may be smaller.
 */
export async function checkFitsPhone(page: Page): Promise<void> {
  const faults = (await page.evaluate(`(() => {
    const faults = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push('the page is ' + scrollWidth + ' px wide in ' + clientWidth);
    for (const control of document.querySelectorAll('a, button, input, select, textarea, summary, [role=button], [role=tab]')) {
      const box = control.getBoundingClientRect();
      const isHidden = box.width <= 1 || box.height <= 1 || !control.checkVisibility({ visibilityProperty: true });
      const label = control.closest('label');
      const target = label && !label.htmlFor ? label.getBoundingClientRect() : box;
      const isInText = control.tagName === 'A' && getComputedStyle(control).display === 'inline';
      if (!isHidden && !isInText && (target.height < 43.5 || target.width < 43.5))
        faults.push(Math.round(target.width) + ' × ' + Math.round(target.height) + ': ' + control.outerHTML.slice(0, 120));
    }
    return faults;
  })()`)) as string[];
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
