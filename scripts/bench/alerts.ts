import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import pg from 'pg';
import { CHANNELS, listen } from '../../src/platform/database/notify.ts';
import { ask } from '../chaos/history.ts';
import { Installation, type Watched } from '../chaos/installation.ts';
import { count } from '../support/options.ts';
import { printMeasured } from '../support/print-measured.ts';
import { progress, table } from '../support/terminal.ts';

interface Options {
  readonly cameras: number;
  readonly fps: number;
  readonly rules: number;
  readonly minutes: number;
  readonly atOnce?: boolean;
  readonly json?: boolean;
}

/** Milliseconds from a frame to what came of it. */
interface Times {
  readonly many: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

const MAX_ALERT_P95_MS = 300;
const MAX_INSIGHT_P95_MS = 1_000;

/** Alerts that had their picture. */
interface Pictures {
  readonly many: number;
  readonly inTheWebhook: number;
  readonly inTheEnd: number;
}

/** Each rule fires once a minute: one after the other, or all at the same moment. */
async function benchAlerts(options: Options) {
  const { cameras: howMany, fps, rules, minutes, atOnce = false } = options;
  const installation = await Installation.open({ workers: 1, leaseSeconds: 15 });
  const seen = new Sightings(installation.databaseUrl);
  try {
    const cameras: Watched[] = [];
    for (let made = 1; made <= howMany; made++) {
      cameras.push(await installation.addCamera(`Bench ${made}`, `sim:shop?seed=${made}&start=120`, fps));
      await installation.start(cameras.at(-1)!);
    }
    await installation.until(
      'every camera has frames',
      () => haveFrames(installation.databaseUrl, howMany),
      120,
    );
    const bar = progress('alerts', rules + minutes * 60, 'steps');
    for (let made = 0; made < rules; made++) {
      await addRule(installation, cameras[made % howMany]!.sceneId);
      if (!atOnce) await pause(60_000 / rules);
      bar.update(made + 1);
    }
    const fromMs = Date.now();
    for (let second = 0; second < minutes * 60; second++) {
      await pause(1_000);
      bar.update(rules + second + 1);
    }
    bar.stop();
    const untilMs = Date.now();
    await installation.until('every insight is written', () => noneIsPending(installation.databaseUrl), 60);
    const alert = timesOf(seen.alerts, fromMs, untilMs);
    const insight = timesOf(seen.insights, fromMs, untilMs);
    const pictures = await picturesOf(installation.databaseUrl, fromMs, untilMs);
    const passed =
      pictures.inTheEnd === pictures.many &&
      Math.min(alert.many, insight.many) >= 0.9 * rules * minutes &&
      alert.p95Ms <= MAX_ALERT_P95_MS &&
      insight.p95Ms <= MAX_INSIGHT_P95_MS;
    return { cameras: howMany, fps, rules, minutes, atOnce, alert, insight, pictures, passed };
  } finally {
    await seen.stop();
    await installation.close();
  }
}

const addRule = ({ client }: Installation, sceneId: string) =>
  client.post('/alerts/rules', {
    ...{ name: 'Anybody or nobody', sceneId, severity: 'warning', cooldownMinutes: 1 },
    conditions: [{ metricPath: 'current.totalPresent', operator: 'GTE', threshold: 0 }],
  });

async function haveFrames(url: string, many: number): Promise<boolean> {
  return (await ask(url, `SELECT id FROM "AnalysisTask" WHERE "lastFrameAt" IS NOT NULL`)).length >= many;
}

const noneIsPending = async (url: string): Promise<boolean> =>
  (await ask(url, `SELECT id FROM "Insight" WHERE "vlmStatus" = 'pending' LIMIT 1`)).length === 0;

/** Of the alerts fired between two times. */
async function picturesOf(url: string, fromMs: number, untilMs: number): Promise<Pictures> {
  const [row] = await ask<{ many: number; sent: number; kept: number }>(
    url,
    `SELECT count(*)::int AS many,
       count(*) FILTER (WHERE jsonb_array_length(convert_from(e.body, 'UTF8')::jsonb #> '{data,snapshotUrls}') > 0)::int AS sent,
       count(*) FILTER (WHERE EXISTS (SELECT 1 FROM "StoredImage" s WHERE s."alertEventId" = a.id))::int AS kept
     FROM "AlertEvent" a JOIN "Event" e ON e."alertEventId" = a.id AND e.type = 'alert_triggered'
     WHERE a."triggeredAt" >= to_timestamp(${fromMs / 1000}) AND a."triggeredAt" < to_timestamp(${untilMs / 1000})`,
  );
  return { many: row!.many, inTheWebhook: row!.sent, inTheEnd: row!.kept };
}

interface Sighting {
  readonly frameMs: number;
  readonly tookMs: number;
}

/** When a listener could first read each alert's event and its written insight. */
class Sightings {
  readonly alerts = new Map<string, Sighting>();
  readonly insights = new Map<string, Sighting>();
  readonly #client: pg.Client;
  readonly #connected: Promise<unknown>;
  readonly #listener: { close(): Promise<void> };
  #looking = Promise.resolve();

  constructor(databaseUrl: string) {
    this.#client = new pg.Client({ connectionString: databaseUrl });
    this.#connected = this.#client.connect();
    this.#listener = listen({
      ...{ databaseUrl, channels: [CHANNELS.events, CHANNELS.insights] },
      onNotify: () => {
        this.#looking = this.#looking.then(() => this.#look()).catch(() => undefined);
      },
      onConnect: () => undefined,
    });
  }

  async #look(): Promise<void> {
    await this.#connected;
    const { rows } = await this.#client.query<{ id: string; frameMs: number; isWritten: boolean }>(
      `SELECT a.id, extract(epoch FROM a."triggeredAt")::float8 * 1000 AS "frameMs",
              i."vlmStatus" = 'completed' AS "isWritten"
       FROM "Event" e JOIN "AlertEvent" a ON a.id = e."alertEventId" JOIN "Insight" i ON i."alertEventId" = a.id
       WHERE e.type = 'alert_triggered' AND a."triggeredAt" > clock_timestamp() - interval '30 seconds'`,
    );
    const nowMs = Date.now();
    for (const { id, frameMs, isWritten } of rows) {
      const sighting = { frameMs, tookMs: nowMs - frameMs };
      if (!this.alerts.has(id)) this.alerts.set(id, sighting);
      if (isWritten && !this.insights.has(id)) this.insights.set(id, sighting);
    }
  }

  async stop(): Promise<void> {
    await this.#listener.close();
    await this.#looking;
    await this.#client.end();
  }
}

function timesOf(sightings: ReadonlyMap<string, Sighting>, fromMs: number, untilMs: number): Times {
  const times = [...sightings.values()]
    .filter(({ frameMs }) => frameMs >= fromMs && frameMs < untilMs)
    .map(({ tookMs }) => tookMs)
    .sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? Number.NaN);
  return { many: times.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

export function alertsCommand(): Command {
  return new Command('alerts')
    .description(
      'From the frame that fires a rule to its event in the database, and to its insight by the embedded writer: an\n' +
        'installation of its own with cameras of the simulated shop, whose rules fire one after the other. It takes a minute\n' +
        'more than it measures. Exit code 0 only if p95 is at most 300 ms and 1 s.',
    )
    .option('--cameras <n>', 'cameras at once', count(1), 2)
    .option('--fps <n>', 'frames a second of each', count(1), 2)
    .option('--rules <n>', 'rules, each fires once a minute', count(1), 60)
    .option('--minutes <n>', 'how long is measured', count(1), 3)
    .option('--at-once', 'all rules fire at the same moment instead of one after the other')
    .option('--json', 'print one JSON document')
    .action(async (options: Options) => {
      const result = await benchAlerts(options);
      const line = (what: string, { many, p50Ms, p95Ms, maxMs }: Times, aim: number) => [
        ...[what, many, p50Ms, p95Ms, maxMs],
        `p95 ≤ ${aim}${p95Ms > aim ? ' MISSED' : ''}`,
      ];
      printMeasured(
        options.json,
        result,
        () =>
          table([
            ['from the frame to', 'many', 'p50 ms', 'p95 ms', 'max ms', 'aim'],
            line('alert_triggered', result.alert, MAX_ALERT_P95_MS),
            line('its insight', result.insight, MAX_INSIGHT_P95_MS),
          ]) +
          `\n${result.pictures.many} alerts: ${result.pictures.inTheWebhook} had their pictures in the webhook, ${result.pictures.inTheEnd} in the end`,
      );
      if (!result.passed) process.exitCode = 1;
    });
}
