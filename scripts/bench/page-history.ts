import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startChromium } from '../page/chromium.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { quantile } from '../support/numbers.ts';
import { eachWithProgress, table } from '../support/terminal.ts';
import { readPlaces } from './api/places.ts';
import { HISTORY_OPTIONS, withHistoryApi } from './api/seeded-api.ts';

const DAYS = 30;
const MAX_PAINT_MS = 300;
const WIDTHS = { phone: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } };

/** Times of one view, in milliseconds. */
interface View {
  /** From the request of the curves to the end of the last answer. */
  readonly answerMs: number;
  /** From there until the charts are painted. */
  readonly paintMs: number;
}

export const pageHistory = measuringCommand({
  name: 'page-history',
  description:
    `History of ${DAYS} days beside the week before, in Chromium: the time from the last answer of the API to painted charts, ` +
    'of random scenes one after the other. The database is that of `history`: seeded once (minutes) into DATA_DIR/bench and ' +
    `kept. Exit code 0 only if the 95th percentile is at most ${MAX_PAINT_MS} ms.`,
  options: {
    ...HISTORY_OPTIONS,
    views: ['views of each width', 40],
  },
  async measure({ minutes, visits, views }) {
    return withHistoryApi({ minutes, visits }, async ({ api, databaseUrl, key }) => {
      const browser = await startChromium();
      try {
        const { scenes, last } = await readPlaces(databaseUrl);
        const to = new Date(last.getTime() - 86_400_000).toISOString().slice(0, 10);
        const cookie = await signIn(api.url, key);
        const results = await eachWithProgress(
          'page-history',
          Object.entries(WIDTHS),
          'widths',
          async ([name, viewport]) => {
            const context = await browser.newContext({ viewport, timezoneId: 'America/New_York' });
            await context.addCookies([{ name: 'vas', value: cookie, url: api.url }]);
            const page = await context.newPage();
            await page.addInitScript(WATCH_CHARTS);
            await page.goto(`${api.url}/#/rules`);
            await page.locator('h1').waitFor();
            const measured: View[] = [];
            for (let view = 0; view <= views; view += 1) {
              const scene = scenes[view % scenes.length]!;
              const shown = await timesOf(page, `/history/scenes/${scene}?days=${DAYS}&to=${to}`);
              // The first view loads the screen too.
              if (view > 0) measured.push(shown);
            }
            await context.close();
            return { name, ...summary(measured) };
          },
        );
        return {
          minutes,
          visits,
          views,
          results,
          passed: results.every(({ paintP95Ms }) => paintP95Ms <= MAX_PAINT_MS),
        };
      } finally {
        await browser.close();
      }
    });
  },
  report({ minutes, visits, results }) {
    return [
      table([
        ['width', 'answers p50 ms', 'p95 ms', 'painted after the answer p50 ms', 'p95 ms', 'aim'],
        ...results.map((row) => [
          row.name,
          ...[row.answerP50Ms, row.answerP95Ms, row.paintP50Ms, row.paintP95Ms].map(Math.round),
          row.paintP95Ms <= MAX_PAINT_MS ? `≤ ${MAX_PAINT_MS}` : `missed: ≤ ${MAX_PAINT_MS}`,
        ]),
      ]),
      '',
      `${DAYS} days beside the week before, ${minutes} occupancy minutes and ${visits} visits of 40 scenes.`,
    ].join('\n');
  },
});

async function signIn(url: string, apiKey: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ apiKey }),
  });
  const cookie = /^vas=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (!cookie) throw new Error(`The API signed nobody in: ${answer.status} ${await answer.text()}`);
  return cookie;
}

/**
 * Notes when a chart was painted last: uPlot makes new elements each time, and the frame after it shows them. On the first view
 * whole panels are added, with charts that were made before.
 */
const WATCH_CHARTS = `
  const holdsChart = (node) => node.matches?.('.uplot') || node.querySelector?.('.uplot');
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some(holdsChart)))
      requestAnimationFrame(() => setTimeout(() => { window.chartsPaintedAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });`;

/** Opens a place of the page, and waits until both series are there and the charts are painted. */
async function timesOf(page: Page, place: string): Promise<View> {
  await page.evaluate('performance.clearResourceTimings(); window.chartsPaintedAt = undefined;');
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  const times = `(() => {
    const series = performance.getEntriesByType('resource').filter(({ name, responseEnd }) => name.includes('/series?') && responseEnd > 0);
    if (series.length < 2) return false;
    const answered = Math.max(...series.map(({ responseEnd }) => responseEnd));
    return window.chartsPaintedAt > answered && {
      answerMs: answered - Math.min(...series.map(({ startTime }) => startTime)), answered };
  })()`;
  // The policy of the page forbids `waitForFunction`, which evaluates a text in it.
  const deadline = Date.now() + 60_000;
  let found: { answerMs: number; answered: number } | false = false;
  while (!found) {
    if (Date.now() > deadline) {
      const shown = await page.locator('main').textContent();
      throw new Error(
        `${place} painted no charts after its answers within a minute. The page shows:\n${shown}`,
      );
    }
    await pause(20);
    found = (await page.evaluate(times)) as typeof found;
  }
  const { answerMs, answered } = found;
  const painted = (await page.evaluate('window.chartsPaintedAt')) as number;
  return { answerMs, paintMs: painted - answered };
}

function summary(views: readonly View[]) {
  const of = (name: keyof View, rank: number) =>
    quantile(
      views.map((view) => view[name]),
      rank,
    );
  return {
    answerP50Ms: of('answerMs', 0.5),
    answerP95Ms: of('answerMs', 0.95),
    paintP50Ms: of('paintMs', 0.5),
    paintP95Ms: of('paintMs', 0.95),
  };
}
