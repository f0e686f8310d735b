import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { progress } from '../support/terminal.ts';
import { faultsOfRuns, faultsOfTotals } from './check-history.ts';
import { ask, readRunChanges, readTotalsChanges } from './history.ts';
import type { Installation, Watched } from './installation.ts';
import { freshRuns } from './kills.ts';
import { installedPart } from './part.ts';

export interface LockedOptions {
  readonly seconds: number;
  readonly scenes: number;
  readonly fps: number;
}

export interface LockedResult {
  readonly scenes: number;
  /** How long each row was held. */
  readonly seconds: number;
  /** Of each kind of row: the longest time without a stored frame of a run of the other user, and until the held one's was stored. */
  readonly rows: Readonly<Record<string, { othersStoodStillSeconds: number; backSeconds: number }>>;
  readonly leasesLost: number;
  /** Time with frames of the held user's runs that is missing in their minutes, beyond that of the other user's. */
  readonly secondsLost: number;
  readonly faults: readonly string[];
  readonly passed: boolean;
}

/** Rows are stored each second; a machine that has too little time for all of this takes a few. */
const STAND_STILL_SECONDS = 8;
const BACK_SECONDS = 10;
const LOST_SECONDS = 3;

/** What somebody may hold of a user, by the table's name. */
const TABLES = ['Quota', 'Scene', 'AnalysisTask', 'Device'] as const;

export const locked = installedPart({
  name: 'locked',
  description:
    'Rows of one of two users are held by a session that does nothing: the other user’s runs go on.',
  options: {
    seconds: ['how long each row is held', 24],
    scenes: ['simulated cameras of each user, a scene each', 2],
    fps: ['frames a second of each', 2],
  },
  needs: { workers: 1 },
  run: runLocked,
});

/** Holds rows of one user for longer than a lease, one kind after the other. */
export async function runLocked(installation: Installation, options: LockedOptions): Promise<LockedResult> {
  const { seconds, scenes, fps } = options;
  const held: Watched[] = [];
  const free: Watched[] = [];
  const other = await installation.addUser('other@localhost');
  for (let number = 1; number <= scenes; number++) {
    const url = `sim:shop?seed=${number}&start=120`;
    held.push(await installation.addCamera(`Held ${number}`, url, fps));
    free.push(await installation.addCamera(`Free ${number}`, url, fps, other));
  }
  const heldIds: string[] = [];
  const freeIds: string[] = [];
  for (const camera of held) heldIds.push(await installation.start(camera));
  for (const camera of free) freeIds.push(await installation.start(camera, other));
  const all = [...heldIds, ...freeIds];
  await installation.until(
    'every run gives frames',
    async () => (await freshRuns(installation, all)) === all.length,
    90,
  );

  const rows: Record<string, { othersStoodStillSeconds: number; backSeconds: number }> = {};
  const bar = progress('rows', TABLES.length, 'tables');
  for (const table of TABLES) {
    rows[table] = await holdRows(installation, { table, seconds, heldIds, freeIds });
    bar.update(Object.keys(rows).length);
  }
  bar.stop();
  const secondsLost = await lostSeconds(installation, heldIds, freeIds);
  for (const camera of held) await installation.stop(camera);
  for (const camera of free) await installation.stop(camera, other);
  await pause(500);
  const changes = await readRunChanges(installation.databaseUrl);
  const leasesLost = new Set(changes.filter(({ epoch }) => epoch > 1).map(({ taskId }) => taskId)).size;
  const faults = [
    ...faultsOfRuns(changes),
    ...faultsOfTotals(await readTotalsChanges(installation.databaseUrl)),
  ];
  return {
    ...{ scenes, seconds, rows, leasesLost, secondsLost, faults },
    passed:
      faults.length === 0 &&
      leasesLost === 0 &&
      secondsLost <= LOST_SECONDS &&
      Object.values(rows).every(
        (row) => row.othersStoodStillSeconds <= STAND_STILL_SECONDS && row.backSeconds <= BACK_SECONDS,
      ),
  };
}

async function holdRows(
  installation: Installation,
  what: {
    table: (typeof TABLES)[number];
    seconds: number;
    heldIds: readonly string[];
    freeIds: readonly string[];
  },
): Promise<{ othersStoodStillSeconds: number; backSeconds: number }> {
  const { table, seconds, heldIds, freeIds } = what;
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `SELECT 1 FROM "${table}" WHERE "userId" = (SELECT "userId" FROM "AnalysisTask" WHERE id = $1) FOR UPDATE`,
      [heldIds[0]],
    );
    installation.note(`rows of ${table} are held`);
    const untilMs = performance.now() + seconds * 1000;
    let othersStoodStillSeconds = 0;
    while (performance.now() < untilMs) {
      othersStoodStillSeconds = Math.max(
        othersStoodStillSeconds,
        await oldestFrameSeconds(installation, freeIds),
      );
      await pause(250);
    }
    await client.query('ROLLBACK');
    installation.note(`rows of ${table} are free`);
    const freedAtMs = Date.now();
    const isBack = async () => {
      const rows = await ask(
        installation.databaseUrl,
        'SELECT 1 FROM "AnalysisTask" WHERE id = ANY($1) AND "lastFrameAt" > to_timestamp($2::float8 / 1000)',
        [heldIds, freedAtMs],
      );
      return rows.length === heldIds.length;
    };
    const backSeconds = await installation.until('frames of the held user are stored', isBack, 60);
    return { othersStoodStillSeconds, backSeconds };
  } finally {
    await client.end();
  }
}

/** How old the newest stored frame is, of the run where that is oldest. */
async function oldestFrameSeconds(
  { databaseUrl }: Installation,
  taskIds: readonly string[],
): Promise<number> {
  const [row] = await ask<{ age: number }>(
    databaseUrl,
    `SELECT max(extract(epoch FROM clock_timestamp() - "lastFrameAt"))::float8 AS age FROM "AnalysisTask" WHERE id = ANY($1)`,
    [taskIds],
  );
  return row?.age ?? 0;
}

/** By how much the held user's runs are covered less than the other's, since their first frames: seconds of the worst. */
async function lostSeconds(
  { databaseUrl }: Installation,
  heldIds: readonly string[],
  freeIds: readonly string[],
): Promise<number> {
  const uncovered = async (taskIds: readonly string[]) => {
    const [row] = await ask<{ seconds: number }>(
      databaseUrl,
      `SELECT max(extract(epoch FROM t."lastFrameAt" - t."runningAt") - c.covered / 1000)::float8 AS seconds
       FROM "AnalysisTask" t JOIN LATERAL (
         SELECT sum("coveredMs")::float8 AS covered FROM "OccupancyMinute" WHERE "sceneId" = t."sceneId") c ON true
       WHERE t.id = ANY($1)`,
      [taskIds],
    );
    return row?.seconds ?? 0;
  };
  return (await uncovered(heldIds)) - (await uncovered(freeIds));
}
