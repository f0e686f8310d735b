import type { Client } from 'pg';
import type { Browser } from 'playwright-core';
import type { Camera, Installation } from '../../support/installation.ts';
import { withClient } from '../../support/sql.ts';
import { openPhone } from './opened-page.ts';

/** Waits until a tile shows this number, and says when it was painted, in milliseconds of the clock of the machine. */
export const paintedAt = (wanted: number) => `new Promise((resolve) => {
  const look = () => {
    if (![...document.querySelectorAll('main dd')].some(({ textContent }) => textContent === '${wanted}'))
      return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
  };
  look();
})`;

const WRITE = `UPDATE "Scene" SET "latestMetrics" = jsonb_set("latestMetrics", '{current,inQueue}', to_jsonb($2::int)),
  "metricsUpdatedAt" = clock_timestamp() WHERE id = $1 RETURNING "userId"`;

/** Writes a number of a scene as a node does. @returns when the event streams were notified */
export const writeNumber = (
  { databaseUrl }: Installation,
  { sceneId }: Camera,
  inQueue: number,
): Promise<number> => withClient(databaseUrl, (client) => writeBy(client, sceneId, inQueue));

async function writeBy(client: Client, sceneId: string, inQueue: number): Promise<number> {
  const { rows } = await client.query<{ userId: string }>(WRITE, [sceneId, inQueue]);
  const notifiedAt = Date.now();
  await client.query(`SELECT pg_notify('scene_metrics', $1)`, [rows[0]!.userId]);
  return notifiedAt;
}

/** From a notification of a node to the number on the screen. @returns milliseconds of each */
export async function measurePainted(
  browser: Browser,
  installation: Installation,
  { camera, many }: { readonly camera: Camera; readonly many: number },
): Promise<number[]> {
  const { page } = await openPhone(browser, installation);
  await page.goto(`${installation.baseUrl}/#/`);
  await page.locator('main h2').first().waitFor();
  const took = await withClient(installation.databaseUrl, async (client) => {
    const each: number[] = [];
    for (let at = 0; at < many; at += 1) {
      const painted = page.evaluate(paintedAt(100 + at)) as Promise<number>;
      const notifiedAt = await writeBy(client, camera.sceneId, 100 + at);
      each.push((await painted) - notifiedAt);
    }
    return each;
  });
  await page.context().close();
  return took;
}
