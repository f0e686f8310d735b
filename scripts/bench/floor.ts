import { encodeCells } from '../../src/metrics/floor/encode-cells.ts';
import { FloorSums } from '../../src/metrics/floor/floor-sums.ts';
import type { Scenario } from '../../src/simulator/scenario.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { ScenePipeline } from '../../src/vision/pipeline.ts';
import { parametersSchema } from '../../src/vision/scene-config.ts';
import { simulateShop } from '../evaluate/simulated/simulated-shop.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { query, withClient } from '../support/sql.ts';
import { eachWithProgress, progress, table } from '../support/terminal.ts';
import { aimCell, measure, measuredCells } from './api/measure.ts';
import { withSeededApi } from './api/seeded-api.ts';

const HOUR_MS = 3_600_000;
const HOURS_OF_YEAR = 365 * 24;
const OPENING_HOURS_OF_YEAR = 365 * 14;
const MAX_P95_MS = 150;
const RANGES_DAYS = [1, 30, 90, 400];
const HOURS: readonly Scenario[] = ['classic', 'passers', 'crowd'];

export const floor = measuringCommand({
  name: 'floor',
  description:
    'Times of floor maps over ranges of days, and the size of an hour. The hours are those of simulated shops that are busy ' +
    'without a pause, with the measured faults of a detector. The database is seeded once into DATA_DIR/bench and kept.',
  options: {
    scenes: ['scenes with a floor map', 10],
    days: ['days of each', 400],
    seconds: ['how long each range is measured', 5],
  },
  async measure({ scenes, days, seconds }) {
    return withSeededApi(
      `floor_${scenes}_${days}`,
      { devices: scenes },
      async ({ api, databaseUrl, key, until }) => {
        const hours = HOURS.map(encodedHour);
        const hourCount = days * 24;
        await seedHours(databaseUrl, { hours, hourCount, until });
        const [size] = await query<{ bytes: string; rows: string }>(
          databaseUrl,
          `SELECT pg_total_relation_size('"FloorHour"') AS bytes, count(*) AS rows FROM "FloorHour"`,
        );
        const [scene] = await query<{ id: string }>(
          databaseUrl,
          'SELECT min("sceneId"::text) AS id FROM "FloorHour"',
        );
        const results = await eachWithProgress('bench', RANGES_DAYS, 'ranges', async (range) => {
          const from = new Date(until.getTime() - range * 24 * HOUR_MS).toISOString();
          const path = `/api/v1/analytics/scenes/${scene!.id}/floor?from=${from}&to=${until.toISOString()}`;
          const requests = [{ path, key }];
          await measure(api, { connections: 1, requests, seconds: 1 });
          return { days: range, ...(await measure(api, { connections: 1, requests, seconds })) };
        });
        const bytesOfRow = Number(size!.bytes) / Number(size!.rows);
        return {
          rows: Number(size!.rows),
          /** Encoded cells of an hour of each scenario. */
          encodedBytes: Object.fromEntries(HOURS.map((name, at) => [name, hours[at]!.length])),
          /** With the index and everything else that the table needs. */
          bytesOfRow,
          megabytesOfYear: (bytesOfRow * HOURS_OF_YEAR) / 1e6,
          megabytesOfOpeningHours: (bytesOfRow * OPENING_HOURS_OF_YEAR) / 1e6,
          results,
        };
      },
    );
  },
  report({ rows, encodedBytes, bytesOfRow, megabytesOfYear, megabytesOfOpeningHours, results }) {
    const encoded = Object.entries(encodedBytes).map(([name, bytes]) => `${name} ${bytes}`);
    return [
      table([
        ['days', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'aim'],
        ...results.map(({ days, ...measured }) => [
          String(days),
          ...measuredCells(measured),
          days <= 90 ? aimCell(measured, MAX_P95_MS) : '',
        ]),
      ]),
      '',
      `${rows} hours, all busy; cells of an hour, bytes: ${encoded.join(', ')}. A row with its index: ${bytesOfRow.toFixed(0)} bytes.`,
      `A camera and year: ${megabytesOfOpeningHours.toFixed(1)} MB with 14 busy hours a day, ${megabytesOfYear.toFixed(1)} MB with 24.`,
    ].join('\n');
  },
});

/** The floor map of one hour of a simulated shop. */
function encodedHour(scenario: Scenario): Buffer {
  const shop = simulateShop({ scenario, detections: 'mot17', seed: 1, minutes: 60, fps: 5 });
  const config = { zones: SHOP_ZONES, parameters: parametersSchema.parse({}) };
  const pipeline = new ScenePipeline({ sceneId: 'shop', config });
  const sums = new FloorSums();
  const bar = progress(scenario, shop.frames.length, 'frames');
  for (const [at, { timeMs, detections }] of shop.frames.entries()) {
    for (const { cells } of pipeline.update(detections, timeMs, at).floor) sums.add(cells);
    bar.step();
  }
  bar.stop();
  return encodeCells({ sums, analysed: null });
}

interface Seeded {
  readonly hours: readonly Buffer[];
  readonly hourCount: number;
  /** End of the last hour. */
  readonly until: Date;
}

/** Gives every scene an hour of the given ones for each hour, unless it has it. */
const seedHours = (url: string, { hours, hourCount, until }: Seeded) =>
  withClient(url, async (client) => {
    await client.query(
      `INSERT INTO "FloorHour" ("sceneId", hour, "coveredMs", cells)
       SELECT s.id, $3::timestamptz - make_interval(hours => n), 3600000, ($1::bytea[])[1 + n % array_length($1::bytea[], 1)]
       FROM "Scene" s, generate_series(1, $2::int) n
       ON CONFLICT DO NOTHING`,
      [hours, hourCount, until],
    );
    await client.query('VACUUM ANALYZE "FloorHour"');
  });
