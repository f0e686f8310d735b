import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { startChromium } from '../page/chromium.ts';
import { type Camera, Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { quantile } from '../support/numbers.ts';
import { table } from '../support/terminal.ts';
import { serveCrowd } from './page-live/crowd-server.ts';
import { measureNumbers } from './page-live/numbers.ts';

const MAX_PAINTED_MS = 400;
const MAX_SCRIPT_MS = 4;
const MAX_NUMBER_MS = 1_500;
const SETTLE_MS = 5_000;

/** Notes how old each picture is when it is on the canvas and the browser goes on to paint, and how many there were. */
const OBSERVE = `(() => {
  const canvas = document.querySelector('canvas');
  window.ages = [];
  new MutationObserver(() => {
    const captured = Number(canvas.dataset.capturedAt);
    setTimeout(() => ages.push(Date.now() - captured));
  }).observe(canvas, { attributeFilter: ['data-captured-at'] });
})()`;

export const pageLive = measuringCommand({
  name: 'page-live',
  description:
    'Live pictures on the page: an installation of its own with a simulated camera, and a Chromium that shows its scene. ' +
    'Prints the time from the frame until its picture and a number that contains it are painted, and the script time of a ' +
    'picture with many people. Exit code 0 only if p95 is at most 400 ms for pictures and 1,500 ms for numbers, and a picture ' +
    'needs at most 4 ms of script.',
  options: {
    seconds: ['length of each measurement', 30],
    fps: ['frames a second of the camera', 5],
    people: ['people in each picture of the second measurement', 20],
  },
  async measure({ seconds, fps, people }) {
    const installation = await Installation.open({ workers: 1 });
    const browser = await startChromium();
    try {
      const { cameras, taskIds } = await installation.startShops('Live', { scenes: 1, fps });
      await installation.untilFrames(taskIds, 0, 120);
      const camera = cameras[0]!;
      const ages = await measureAges(browser, installation, { camera, seconds });
      const context = await signedIn(browser, installation, installation.baseUrl);
      const numbers = await measureNumbers(context, { url: installation.baseUrl, seconds, fps });
      await context.close();
      if (numbers.length === 0) throw new Error('No number was painted.');
      const crowd = await measureCrowd(browser, installation, { camera, seconds, people });
      const paintedP95Ms = Math.round(quantile(ages, 0.95));
      const numberP95Ms = Math.round(quantile(numbers, 0.95));
      return {
        frames: numbers.length,
        numberP50Ms: Math.round(quantile(numbers, 0.5)),
        numberP95Ms,
        pictures: ages.length,
        paintedP50Ms: Math.round(quantile(ages, 0.5)),
        paintedP95Ms,
        ...crowd,
        passed:
          paintedP95Ms <= MAX_PAINTED_MS && numberP95Ms <= MAX_NUMBER_MS && crowd.scriptMs <= MAX_SCRIPT_MS,
      };
    } finally {
      await browser.close();
      await installation.close();
    }
  },
  report: ({ pictures, paintedP50Ms, paintedP95Ms, painted, sent, scriptMs, taskMs, ...result }) =>
    table([
      ['', 'pictures', 'p50 ms', 'p95 ms', 'script ms', 'main thread ms'],
      ['frame → painted', pictures, paintedP50Ms, paintedP95Ms, '', ''],
      ['frame → number', result.frames, result.numberP50Ms, result.numberP95Ms, '', ''],
      ['each with many people', `${painted} of ${sent}`, '', '', scriptMs.toFixed(2), taskMs.toFixed(2)],
    ]),
});

interface Measured {
  readonly camera: Camera;
  readonly seconds: number;
}

async function measureAges(browser: Browser, installation: Installation, { camera, seconds }: Measured) {
  const { page } = await openScene(browser, installation, { url: installation.baseUrl, camera });
  await pause(seconds * 1000);
  const ages = await page.evaluate<number[]>('ages');
  await page.context().close();
  if (ages.length === 0) throw new Error('No picture was painted.');
  return ages;
}

async function measureCrowd(
  browser: Browser,
  installation: Installation,
  measured: Measured & { people: number },
) {
  const { camera, seconds, people } = measured;
  const server = await serveCrowd({ baseUrl: installation.baseUrl, sceneId: camera.sceneId, people });
  try {
    const { page, cdp } = await openScene(browser, installation, { url: server.url, camera });
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const [before, sentBefore, paintedBefore] = [await timesOf(cdp), server.sent(), await paintedOn(page)];
    await pause(seconds * 1000);
    const [after, sent, painted] = [
      await timesOf(cdp),
      server.sent() - sentBefore,
      (await paintedOn(page)) - paintedBefore,
    ];
    await page.context().close();
    if (painted === 0) throw new Error('No picture was painted.');
    const each = (name: 'script' | 'task') => (1000 * (after[name] - before[name])) / painted;
    return { painted, sent, scriptMs: each('script'), taskMs: each('task') };
  } finally {
    server.stop();
  }
}

const paintedOn = (page: Page) => page.evaluate<number>('ages.length');

/** Seconds of the main thread since the page was opened. */
async function timesOf(cdp: CDPSession): Promise<{ script: number; task: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { script: of('ScriptDuration'), task: of('TaskDuration') };
}

/** A browser context of somebody who is signed in at this address, which passes calls on to the installation. */
async function signedIn(browser: Browser, { key }: Installation, url: string): Promise<BrowserContext> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ apiKey: key }),
  });
  const value = /^vas=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (value === undefined) throw new Error('The API set no cookie at the sign-in.');
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await context.addCookies([{ name: 'vas', value, url }]);
  return context;
}

/** A signed-in page that shows the scene of a camera and has painted for a while. */
async function openScene(
  browser: Browser,
  installation: Installation,
  { url, camera }: { url: string; camera: Camera },
): Promise<{ page: Page; cdp: CDPSession }> {
  const context = await signedIn(browser, installation, url);
  const page = await context.newPage();
  await page.goto(`${url}/#/scenes/${camera.sceneId}`);
  await page.locator('canvas[data-captured-at]').waitFor();
  await pause(SETTLE_MS);
  await page.evaluate(OBSERVE);
  return { page, cdp: await context.newCDPSession(page) };
}
