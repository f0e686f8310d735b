import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { CHANNELS, listen } from '../../src/platform/database/notify.ts';
import { Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { quantile } from '../support/numbers.ts';
import { progress, table } from '../support/terminal.ts';

const MAX_ALERT_P95_MS = 300;
const MAX_INSIGHT_P95_MS = 1_000;

export const alerts = measuringCommand({
  name: 'alerts',
  description:
    'The time from the frame that fires a rule until its event is in the database, and until its insight by the embedded ' +
    'writer is: an installation of its own with cameras of the simulated shop, whose rules fire one after the other. It ' +
    'takes a minute more than it measures. Exit code 0 only if p95 is at most 300 ms and 1 s.',
  options: {
    cameras: ['cameras at once', 2],
    fps: ['frames a second of each', 2],
    rules: ['rules; each fires once a minute', 60],
    minutes: ['how long is measured', 3],
    atOnce: ['all rules fire at the same moment instead of one after the other', false],
  },
  async measure(options) {
    const { cameras: scenes, fps, rules, minutes, atOnce } = options;
    const installation = await Installation.open({ workers: 1 });
    const sightings = new Sightings(installation.databaseUrl);
    try {
      const { cameras, taskIds } = await installation.startShops('Bench', { scenes, fps });
      await installation.untilFrames(taskIds, 0, 120);
      const bar = progress('alerts', rules + minutes * 60, 'steps');
      for (let number = 0; number < rules; number++) {
        await installation.addRule(cameras[number % scenes]!);
        if (!atOnce) await pause(60_000 / rules);
        bar.step();
      }
      const fromMs = Date.now();
      for (let second = 0; second < minutes * 60; second++) {
        await pause(1_000);
        bar.step();
      }
      bar.stop();
      const range = { fromMs, untilMs: Date.now() };
      const noneIsPending = async () =>
        (await installation.query(`SELECT id FROM "Insight" WHERE "vlmStatus" = 'pending' LIMIT 1`))
          .length === 0;
      await installation.until('every insight is written', noneIsPending, 60);
      const alert = timesOf(sightings.alerts, range);
      const insight = timesOf(sightings.insights, range);
      const pictures = await imagesOf(installation, range);
      const passed =
        pictures.inTheEnd === pictures.many &&
        Math.min(alert.many, insight.many) >= 0.9 * rules * minutes &&
        alert.p95Ms <= MAX_ALERT_P95_MS &&
        insight.p95Ms <= MAX_INSIGHT_P95_MS;
      return { cameras: scenes, fps, rules, minutes, atOnce, alert, insight, pictures, passed };
    } finally {
      await sightings.stop();
      await installation.close();
    }
  },
  report({ alert, insight, pictures }) {
    const line = (what: string, { many, p50Ms, p95Ms, maxMs }: Times, aim: number) => [
      ...[what, many, p50Ms, p95Ms, maxMs],
      `p95 ≤ ${aim}${p95Ms > aim ? ' MISSED' : ''}`,
    ];
    return [
      table([
        ['from the frame to', 'many', 'p50 ms', 'p95 ms', 'max ms', 'aim'],
        line('alert_triggered', alert, MAX_ALERT_P95_MS),
        line('its insight', insight, MAX_INSIGHT_P95_MS),
      ]),
      `${pictures.many} alerts: ${pictures.inTheWebhook} had their images in the webhook, ${pictures.inTheEnd} in the end`,
    ].join('\n');
  },
});

interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Of the alerts that fired in this time: how many had their images in the webhook, and how many have them in the end. */
async function imagesOf(installation: Installation, { fromMs, untilMs }: TimeRange) {
  const [row] = await installation.query<{ many: number; inTheWebhook: number; inTheEnd: number }>(
    `SELECT count(*)::int AS many,
       count(*) FILTER (WHERE jsonb_array_length(convert_from(e.body, 'UTF8')::jsonb #> '{data,snapshotUrls}') > 0)::int
         AS "inTheWebhook",
       count(*) FILTER (WHERE EXISTS (SELECT 1 FROM "StoredImage" s WHERE s."alertEventId" = a.id))::int AS "inTheEnd"
     FROM "AlertEvent" a JOIN "Event" e ON e."alertEventId" = a.id AND e.type = 'alert_triggered'
     WHERE a."triggeredAt" >= to_timestamp(${fromMs / 1000}) AND a."triggeredAt" < to_timestamp(${untilMs / 1000})`,
  );
  return row!;
}

interface Sighting {
  readonly frameMs: number;
  readonly tookMs: number;
}

/** Records when a listener could first read the event of each alert, and its written insight. */
class Sightings {
  readonly alerts = new Map<string, Sighting>();
  readonly insights = new Map<string, Sighting>();
  readonly #client: pg.Client;
  readonly #connected: Promise<unknown>;
  readonly #listener: { close(): Promise<void> };
  #reading = Promise.resolve();

  constructor(databaseUrl: string) {
    this.#client = new pg.Client({ connectionString: databaseUrl });
    this.#connected = this.#client.connect();
    this.#listener = listen({
      ...{ databaseUrl, channels: [CHANNELS.events, CHANNELS.insights] },
      onNotify: () => {
        this.#reading = this.#reading.then(() => this.#read()).catch(() => undefined);
      },
      onConnect: () => undefined,
    });
  }

  async #read(): Promise<void> {
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
    await this.#reading;
    await this.#client.end();
  }
}

type Times = ReturnType<typeof timesOf>;

/** Milliseconds from the frame, of the alerts that fired in this time. */
function timesOf(sightings: ReadonlyMap<string, Sighting>, { fromMs, untilMs }: TimeRange) {
  const times = [...sightings.values()]
    .filter(({ frameMs }) => frameMs >= fromMs && frameMs < untilMs)
    .map(({ tookMs }) => tookMs);
  const at = (share: number) => Math.round(quantile(times, share));
  return { many: times.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
