import { createRandom } from '../../src/simulator/random.ts';
import { startChromium } from '../page/chromium.ts';
import { addPast } from '../screenshots/past.ts';
import { sampleMetrics } from '../seed/numbers.ts';
import { type Camera, Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { quantile } from '../support/numbers.ts';
import { count } from '../support/options.ts';
import { table } from '../support/terminal.ts';
import { measureAway } from './page/away.ts';
import { measureVitals } from './page/opened-page.ts';
import { measurePainted } from './page/painted.ts';
import { measureSizes } from './page/sizes.ts';
import { soakWall } from './page/soak.ts';

const KB = 1000;

/** Cameras that nobody analyses, with days before today, rules and alerts: this command writes their numbers itself. */
async function addCameras(installation: Installation, many: number): Promise<Camera[]> {
  const cameras: Camera[] = [];
  for (let at = 1; at <= many; at += 1)
    cameras.push(await installation.addCamera(`Till ${at}`, `sim:shop?seed=${at}`, 5));
  await installation.query(
    `UPDATE "Scene" SET "latestMetrics" = $1, "metricsUpdatedAt" = clock_timestamp(), "analysisStatus" = 'running'`,
    [JSON.stringify(sampleMetrics(createRandom(1)))],
  );
  await addPast(installation, cameras.slice(-1));
  for (const camera of cameras) {
    const ruleId = await installation.addRule(camera, { metric: 'inQueue', threshold: 5 });
    await installation.query(ALERTS, [ruleId]);
  }
  return cameras;
}

/** Twenty alerts of a rule, each an hour after the one before. */
const ALERTS = `
  INSERT INTO "AlertEvent" ("userId", "deviceId", "sceneId", "ruleId", severity, "triggeredAt", "metricPath", operator, threshold,
    "actualValue", message)
  SELECT r."userId", s."deviceId", s.id, r.id, 'warning', date_trunc('second', now()) - at * interval '1 hour', 'current.inQueue',
    'GTE', 5, 5 + at % 4, 'People waiting ' || 5 + at % 4 || ', limit 5'
  FROM "AlertRule" r JOIN "Scene" s ON s.id = r."sceneId", generate_series(1, 20) at WHERE r.id = $1`;

export const page = measuringCommand({
  name: 'page',
  description:
    'The web page in Chromium: sizes, time of its build, first load of Now on a phone with slow 4G and a four times slower ' +
    'processor (by a link that signs in, and signed in), time from a click to the next paint there, time from a notification of a node to the number on the screen, what an outage of the API and a hidden tab ' +
    'cost, and with --soak the memory of a wall. It ' +
    'starts a database and an API of its own.',
  options: {
    scenes: ['cameras with a scene', 12],
    latency: ['round trip of the slow network in ms; slow 4G of Lighthouse has 150', 150],
    notifications: ['notifications that are timed', 100],
    away: ['seconds for which the API is away', 60],
    soak: ['minutes for which a wall gets twelve times as many numbers as from nodes', 0, count(0)],
  },
  async measure({ scenes, latency, notifications, away, soak }) {
    const installation = await Installation.open({ workers: 0 });
    const browser = await startChromium();
    try {
      const cameras = await addCameras(installation, scenes);
      const { requested, ...vitals } = await measureVitals(browser, installation, latency);
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
      row(
        'first load of Now until its tiles, gzip',
        kb(firstLoadBytes),
        '≤ 80 KB',
        firstLoadBytes <= 80 * KB,
      ),
      row(
        `largest later chunk, ${largestChunk.name}`,
        kb(largestChunk.bytes),
        '≤ 35 KB',
        largestChunk.bytes <= 35 * KB,
      ),
      row('everything, gzip', kb(allBytes), '≤ 300 KB', allBytes <= 300 * KB),
      row('build', `${buildMs} ms`, '≤ 3000 ms', buildMs <= 3000),
      row('build, unchanged', `${unchangedMs} ms`, '≤ 100 ms', unchangedMs <= 100),
      ...[['by a link that signs in', vitals.signInLcpMs] as const, ['signed in', vitals.lcpMs] as const].map(
        ([who, ms]) =>
          row(`largest contentful paint of Now, ${who}`, `${ms.toFixed(0)} ms`, '≤ 1500 ms', ms <= 1500),
      ),
      ...Object.entries(vitals.interactionsMs).map(([what, ms]) =>
        row(`next paint after: ${what}`, `${ms.toFixed(0)} ms`, '≤ 200 ms', ms <= 200),
      ),
      row('layout shift of the first load', vitals.cls.toFixed(3), '≤ 0.05', vitals.cls <= 0.05),
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
