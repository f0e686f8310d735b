import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { Camera, Installation } from '../../support/installation.ts';
import { withClient } from '../../support/sql.ts';
import { progress } from '../../support/terminal.ts';
import { openPhone } from './opened-page.ts';

/** A node writes once a second; the wall gets twelve times as many notifications. */
const NOTIFICATIONS_PER_SECOND = 12;
/** Until then the page loads what it needs. */
const WARM_UP_SHARE = 0.1;

const WRITE = `UPDATE "Scene" SET "latestMetrics" = jsonb_set("latestMetrics", '{current,inQueue}', to_jsonb($2::int)),
  "metricsUpdatedAt" = clock_timestamp() WHERE id = ANY($1) RETURNING "userId"`;

export interface Soaked {
  readonly minutes: number;
  /** After a garbage collection, at the end of each minute. */
  readonly heapBytes: readonly number[];
  readonly growthPercent: number;
}

/** Leaves the wall open while numbers change, and looks at its memory. */
export async function soakWall(
  browser: Browser,
  installation: Installation,
  { cameras, minutes }: { readonly cameras: readonly Camera[]; readonly minutes: number },
): Promise<Soaked> {
  const { page, cdp } = await openPhone(browser, installation);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`${installation.baseUrl}/#/wall`);
  await page.locator('main h2').first().waitFor();
  const ids = cameras.map(({ sceneId }) => sceneId);
  const heapBytes: number[] = [];
  const bar = progress('soak', minutes, 'minutes');
  await withClient(installation.databaseUrl, async (client) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let tick = 0; tick < 60 * NOTIFICATIONS_PER_SECOND; tick += 1) {
        const { rows } = await client.query<{ userId: string }>(WRITE, [ids, tick % 30]);
        await client.query(`SELECT pg_notify('scene_metrics', $1)`, [rows[0]!.userId]);
        await pause(1000 / NOTIFICATIONS_PER_SECOND);
      }
      await cdp.send('HeapProfiler.collectGarbage');
      const { usedSize } = await cdp.send('Runtime.getHeapUsage');
      heapBytes.push(usedSize);
      bar.step();
    }
  });
  bar.stop();
  await page.context().close();
  const first = heapBytes[Math.floor(minutes * WARM_UP_SHARE)]!;
  return { minutes, heapBytes, growthPercent: ((heapBytes.at(-1)! - first) / first) * 100 };
}
