import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../support/terminal.ts';
import { faultsOfRuns, faultsOfTotals } from './check-history.ts';
import { ask, readRunChanges, readTotalsChanges } from './history.ts';
import type { Installation } from './installation.ts';
import { Load } from './load.ts';
import { installedPart } from './part.ts';
import { startShops } from './start-shops.ts';

export interface RestartsOptions {
  readonly restarts: number;
  readonly scenes: number;
  readonly fps: number;
  readonly leaseSeconds: number;
}

export interface RestartsResult {
  readonly restarts: number;
  /** Of each: until the API was ready, and until frames of every run were stored again, in seconds after the return. */
  readonly readySeconds: readonly number[];
  readonly framesSeconds: readonly number[];
  readonly slowestReadySeconds: number;
  readonly slowestFramesSeconds: number;
  /** Answers to calls made while the database was away, by status: 503 is what is wanted. */
  readonly answersWhileAway: Readonly<Record<string, number>>;
  readonly rowsCommitted: number;
  readonly rowsLost: number;
  readonly programsEnded: number;
  /** Of those outages that were longer than a lease: the least that the minutes say was covered of the time since the start. */
  readonly longOutages: number;
  readonly coveredPercent: number;
  readonly coveragePercentStored: number;
  readonly faults: readonly string[];
  readonly passed: boolean;
}

export const restarts = installedPart({
  name: 'restarts',
  description: 'Restarts of Postgres under load, in order and by crash, short and longer than a lease.',
  options: {
    restarts: ['restarts', 20],
    scenes: ['simulated cameras, a scene each', 4],
    fps: ['frames a second of each', 2],
  },
  needs: { workers: 1 },
  run: runRestarts,
});

/** Every so many restarts the database stays away longer than a lease. */
const LONG_EVERY = 7;
const BACK_WITHIN_SECONDS = 5;

/** Stops Postgres under load again and again, in order and by crash. */
export async function runRestarts(
  installation: Installation,
  options: RestartsOptions,
): Promise<RestartsResult> {
  const { restarts, scenes, fps, leaseSeconds } = options;
  const { cameras, taskIds } = await startShops(installation, 'Restart', { scenes, fps });
  const giveFrames = (sinceMs: number) => async () =>
    (await framesSince(installation, { taskIds, sinceMs })) === scenes;
  await installation.until('every run gives frames', giveFrames(Date.now()), 90);

  const load = new Load(installation);
  const readySeconds: number[] = [];
  const framesSeconds: number[] = [];
  let longOutages = 0;
  const bar = progress('restarts', restarts, 'restarts');
  let committed: string[] = [];
  try {
    for (let number = 1; number <= restarts; number++) {
      await pause(2_000);
      const isLong = number % LONG_EVERY === 0 || restarts === 1;
      if (isLong) longOutages++;
      await installation.stopDatabase(number % 2 === 0 ? 'crash' : 'fast');
      load.isAway = true;
      await pause(isLong ? (leaseSeconds + 2) * 1000 : 1_000);
      load.isAway = false;
      await installation.startDatabase();
      const backAtMs = Date.now();
      const ready = async () => (await fetch(`${installation.baseUrl}/readyz`)).ok;
      const [readyAfter, framesAfter] = await Promise.all([
        installation.until('the API is ready again', ready, 60),
        installation.until('frames are stored again', giveFrames(backAtMs), 60),
      ]);
      readySeconds.push(readyAfter);
      framesSeconds.push(framesAfter);
      installation.note(`restart ${number}: ready after ${readyAfter} s, frames after ${framesAfter} s`);
      bar.update(number);
    }
  } finally {
    bar.stop();
    committed = await load.stop();
  }
  const kept = await ask<{ id: string }>(
    installation.databaseUrl,
    'SELECT id FROM "Device" WHERE id = ANY($1)',
    [committed],
  );
  const programsEnded = [installation.api, ...installation.workers].filter(({ running }) => !running).length;
  for (const camera of cameras) await installation.stop(camera);
  const covered = await coverage(installation, taskIds);
  const faults = [
    ...faultsOfRuns(await readRunChanges(installation.databaseUrl)),
    ...faultsOfTotals(await readTotalsChanges(installation.databaseUrl)),
  ];
  const slowestReadySeconds = Math.max(...readySeconds);
  const slowestFramesSeconds = Math.max(...framesSeconds);
  const rowsLost = committed.length - kept.length;
  const passed =
    slowestReadySeconds <= BACK_WITHIN_SECONDS &&
    slowestFramesSeconds <= BACK_WITHIN_SECONDS &&
    rowsLost === 0 &&
    programsEnded === 0 &&
    faults.length === 0 &&
    Object.keys(load.answersWhileAway).every((status) => status === '503') &&
    (longOutages === 0 || (covered.byMinutes < 99 && covered.stored < 99));
  return {
    ...{ restarts, readySeconds, framesSeconds, slowestReadySeconds, slowestFramesSeconds },
    answersWhileAway: load.answersWhileAway,
    rowsCommitted: committed.length,
    ...{ rowsLost, programsEnded, longOutages },
    ...{ coveredPercent: covered.byMinutes, coveragePercentStored: covered.stored, faults, passed },
  };
}

async function framesSince(
  { databaseUrl }: Installation,
  { taskIds, sinceMs }: { taskIds: readonly string[]; sinceMs: number },
): Promise<number> {
  const rows = await ask(
    databaseUrl,
    'SELECT id FROM "AnalysisTask" WHERE id = ANY($1) AND "lastFrameAt" > to_timestamp($2::float8 / 1000)',
    [taskIds, sinceMs],
  );
  return rows.length;
}

/** The least over the runs: what the minutes cover of the whole run, and the least `coveragePercent` that was stored. */
async function coverage(
  { databaseUrl }: Installation,
  taskIds: readonly string[],
): Promise<{ byMinutes: number; stored: number }> {
  const [row] = await ask<{ byMinutes: number; stored: number }>(
    databaseUrl,
    `SELECT min(c.covered / (extract(epoch FROM t."lastFrameAt" - t."runningAt") * 1000) * 100)::float8 AS "byMinutes",
            min(r.least)::float8 AS stored
     FROM "AnalysisTask" t
     JOIN LATERAL (SELECT sum("coveredMs")::float8 AS covered FROM "OccupancyMinute" WHERE "sceneId" = t."sceneId") c ON true
     JOIN LATERAL (
       SELECT min((metrics->>'coveragePercent')::float8) AS least FROM "RollingRecord"
       WHERE "sceneId" = t."sceneId" AND "windowType" = '5min') r ON true
     WHERE t.id = ANY($1)`,
    [taskIds],
  );
  return { byMinutes: row?.byMinutes ?? 100, stored: row?.stored ?? 100 };
}
