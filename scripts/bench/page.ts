import { createRandom } from '../../src/simulator/random.ts';
import { startChromium } from '../page/chromium.ts';
import { sampleMetrics } from '../seed/numbers.ts';
import { type Camera, Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { quantile } from '../support/numbers.ts';
import { count } from '../support/options.ts';
import { table } from '../support/terminal.ts';
import { measureAway } from './page/away.ts';
import { measureVitals, openPhone } from './page/opened-page.ts';
import { measurePainted } from './page/painted.ts';
import { measureSizes } from './page/sizes.ts';
import { soakWall } from './page/soak.ts';

const KB = 1000;

/** Cameras that nobody analyses: this command writes their numbers itself. */
async function addCameras(installation: Installation, many: number): Promise<Camera[]> {
  const cameras: Camera[] = [];
  for (let at = 1; at <= many; at += 1)
    cameras.push(await installation.addCamera(`Till ${at}`, `sim:shop?seed=${at}`, 5));
  await installation.query(
    `UPDATE "Scene" SET "latestMetrics" = $1, "metricsUpdatedAt" = clock_timestamp(), "analysisStatus" = 'running'`,
    [JSON.stringify(sampleMetrics(createRandom(1)))],
  );
  return cameras;
}

export const page = measuringCommand({
  name: 'page',
  description:
    'The web page in Chromium: sizes, time of its build, first load of Now on a phone with slow 4G and a four times slower ' +
    'processor, time from a notification of a node to the number on the screen, what an outage of the API and a hidden tab ' +
    'cost, and with --soak the memory of a wall. It ' +
    'starts a database and an API of its own.',
  options: {
    scenes: ['scenes', 9],
    notifications: ['notifications that are timed', 100],
    away: ['seconds for which the API is away', 60],
    soak: ['minutes for which a wall gets twelve times as many numbers as from nodes', 0, count(0)],
  },
  async measure({ scenes, notifications, away, soak }) {
    const installation = await Installation.open({ workers: 0 });
    const browser = await startChromium();
    try {
      const cameras = await addCameras(installation, scenes);
      const phone = await openPhone(browser, installation);
      const { requested, ...vitals } = await measureVitals(phone, installation.baseUrl);
      await phone.page.context().close();
      const took = await measurePainted(browser, installation, { camera: cameras[0]!, many: notifications });
      const gone = await measureAway(browser, installation, { camera: cameras[0]!, seconds: away });
      const soaked = soak === 0 ? null : await soakWall(browser, installation, { cameras, minutes: soak });
      // At the end: a build takes the page away from the API for a moment.
      const sizes = await measureSizes(requested);
      const paintedMs = { p50: quantile(took, 0.5), p95: quantile(took, 0.95), max: Math.max(...took) };
      return { ...sizes, vitals, paintedMs, ...gone, soaked };
    } finally {
      await browser.close();
      await installation.close();
    }
  },
  report(result) {
    const { firstLoadBytes, largestChunk, allBytes, buildMs, unchangedMs, vitals, paintedMs, soaked } =
      result;
    const { bannerMs, backMs, returnMs } = result;
    const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;
    const row = (what: string, value: string, aim: string, isMet: boolean) => [
      what,
      value,
      isMet ? aim : `${aim} MISSED`,
    ];
    return table([
      ['', 'measured', 'aim'],
      row('first load of Now, gzip', kb(firstLoadBytes), '≤ 120 KB', firstLoadBytes <= 120 * KB),
      row(
        `largest later chunk, ${largestChunk.name}`,
        kb(largestChunk.bytes),
        '≤ 35 KB',
        largestChunk.bytes <= 35 * KB,
      ),
      row('everything, gzip', kb(allBytes), '≤ 250 KB', allBytes <= 250 * KB),
      row('build', `${buildMs} ms`, '≤ 3000 ms', buildMs <= 3000),
      row('build, unchanged', `${unchangedMs} ms`, '≤ 100 ms', unchangedMs <= 100),
      row('largest contentful paint', `${vitals.lcpMs.toFixed(0)} ms`, '≤ 1500 ms', vitals.lcpMs <= 1500),
      row('interaction to next paint', `${vitals.inpMs.toFixed(0)} ms`, '≤ 200 ms', vitals.inpMs <= 200),
      row('layout shift', vitals.cls.toFixed(3), '≤ 0.05', vitals.cls <= 0.05),
      row(
        'notification to paint, p50 / p95 / max',
        `${paintedMs.p50.toFixed(0)} / ${paintedMs.p95.toFixed(0)} / ${paintedMs.max.toFixed(0)} ms`,
        'p95 ≤ 500 ms',
        paintedMs.p95 <= 500,
      ),
      row('API gone until the banner', `${bannerMs} ms`, '≤ 5000 ms', bannerMs <= 5000),
      row('API ready until the banner is gone', `${backMs} ms`, '≤ 5000 ms', backMs <= 5000),
      row(
        'tab in front again until the present number',
        `${returnMs.toFixed(0)} ms`,
        '≤ 2000 ms',
        returnMs <= 2000,
      ),
      ...(soaked
        ? [
            row(
              `heap of a wall after ${soaked.minutes} minutes`,
              `${kb(soaked.heapBytes.at(-1)!)}, ${soaked.growthPercent.toFixed(1)} %`,
              '≤ +10 %',
              soaked.growthPercent <= 10,
            ),
          ]
        : []),
    ]);
  },
});
