import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

/** Notes for each event of numbers the time of its frame, and when a tile that shows them was painted. */
const NOTE = `(() => {
  window.numbers = [];
  const isShown = (wanted) => [...document.querySelectorAll('main dd')].some(({ textContent }) => textContent === wanted);
  const look = (frameMs, wanted, endMs) => requestAnimationFrame(() => setTimeout(() => {
    if (isShown(wanted)) numbers.push({ frameMs, paintedMs: Date.now() });
    else if (Date.now() < endMs) look(frameMs, wanted, endMs);
    else numbers.push({ frameMs, paintedMs: null });
  }));
  const Native = EventSource;
  window.EventSource = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('metrics', ({ data }) => {
        const { updatedAt, metrics } = JSON.parse(data);
        if (metrics.current) look(Date.parse(updatedAt), String(metrics.current.inQueue), Date.now() + 5000);
      });
    }
  };
})()`;

interface Noted {
  readonly frameMs: number;
  /** Null where the number was not painted within five seconds, or a newer one before it. */
  readonly paintedMs: number | null;
}

interface Following {
  readonly url: string;
  readonly seconds: number;
  readonly fps: number;
}

/**
 * Follows the numbers of the only scene on Now. A frame is contained in the first numbers of its time or later.
 * @returns for each frame the milliseconds until a number that contains it was painted
 */
export async function measureNumbers(
  context: BrowserContext,
  { url, seconds, fps }: Following,
): Promise<number[]> {
  const page = await context.newPage();
  await page.addInitScript(NOTE);
  await page.goto(`${url}/#/`);
  await page.locator('main h2').first().waitFor();
  await pause(seconds * 1000);
  const noted = await page.evaluate<Noted[]>('numbers');
  await page.close();
  // The first event tells older numbers, and has none before it.
  const painted = noted.filter(({ paintedMs }) => paintedMs !== null).sort((a, b) => a.frameMs - b.frameMs);
  return painted.slice(1).flatMap(({ frameMs, paintedMs }, at) => {
    const frames = Math.round(((frameMs - painted[at]!.frameMs) / 1000) * fps);
    return Array.from({ length: frames }, (_, back) => paintedMs! - frameMs + (back * 1000) / fps);
  });
}
