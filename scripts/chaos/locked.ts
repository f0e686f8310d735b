import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../support/installation.ts';
import { withClient } from '../support/sql.ts';
import { eachWithProgress } from '../support/terminal.ts';
import { checkHistory } from './history/check-history.ts';
import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

/** Rows are stored each second; a busy machine takes a few seconds more. */
const STAND_STILL_SECONDS = 8;
const BACK_SECONDS = 10;
const LOST_SECONDS = 3;

/** Tables whose rows of one user are locked. */
const TABLES = ['Quota', 'Scene', 'AnalysisTask', 'Device'] as const;

export const locked = installedPart({
  name: 'locked',
  description: 'Locks rows of one of two users in an idle transaction: the runs of the other user continue.',
  options: {
    seconds: ['how long each row is locked', 24],
    scenes: ['simulated cameras of each user, a scene each', 2],
    fps: ['frames a second of each', 2],
  },
  needs: { workers: 1 },
  /** Locks rows of one user for longer than a lease, one table after the other. */
  async run(installation, options) {
    const { seconds, scenes, fps } = options;
    const other = await installation.addUser('other@localhost');
    const lockedShops = await installation.startShops('Locked', { scenes, fps });
    const otherShops = await installation.startShops('Other', { scenes, fps }, other);
    const runs: Runs = { lockedIds: lockedShops.taskIds, otherIds: otherShops.taskIds };
    await installation.untilFrames([...runs.lockedIds, ...runs.otherIds], Date.now(), 90);

    const locks = await eachWithProgress('rows', TABLES, 'tables', async (table) => [
      table,
      await lockRows(installation, runs, { table, seconds }),
    ]);
    const rows: Record<string, Waits> = Object.fromEntries(locks);
    const secondsLost = await lostSeconds(installation, runs);
    for (const camera of lockedShops.cameras) await installation.stop(camera);
    for (const camera of otherShops.cameras) await installation.stop(camera, other);
    const { changes, faults } = await checkHistory(installation);
    const leasesLost = new Set(changes.filter(({ epoch }) => epoch > 1).map(({ taskId }) => taskId)).size;
    const inTime = Object.entries(rows).flatMap(([table, { othersStoodStillSeconds, backSeconds }]) => [
      [
        `${table}: othersStoodStillSeconds`,
        { is: othersStoodStillSeconds, atMost: STAND_STILL_SECONDS },
      ] as const,
      [`${table}: backSeconds`, { is: backSeconds, atMost: BACK_SECONDS }] as const,
    ]);
    return {
      scenes,
      /** How long each row was locked. */
      seconds,
      /** By table. `backSeconds`: from the release until frames of the locked user's runs were stored. */
      rows,
      leasesLost,
      /** Time with frames that is missing in the minutes of the locked user's runs, beyond that of the other user's. */
      secondsLost,
      faults,
      ...verdict({
        faults: { is: faults.length, exactly: 0 },
        leasesLost: { is: leasesLost, exactly: 0 },
        secondsLost: { is: secondsLost, atMost: LOST_SECONDS },
        ...Object.fromEntries(inTime),
      }),
    };
  },
});

/** The runs of the user whose rows are locked, and those of the other user. */
interface Runs {
  readonly lockedIds: readonly string[];
  readonly otherIds: readonly string[];
}

/** `othersStoodStillSeconds`: the longest time without a stored frame of a run of the other user. */
type Waits = Readonly<Record<'othersStoodStillSeconds' | 'backSeconds', number>>;

function lockRows(
  installation: Installation,
  { lockedIds, otherIds }: Runs,
  { table, seconds }: { table: string; seconds: number },
): Promise<Waits> {
  return withClient(installation.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(
      `SELECT 1 FROM "${table}" WHERE "userId" = (SELECT "userId" FROM "AnalysisTask" WHERE id = $1) FOR UPDATE`,
      [lockedIds[0]],
    );
    installation.note(`rows of ${table} are locked`);
    const endMs = performance.now() + seconds * 1000;
    let othersStoodStillSeconds = 0;
    while (performance.now() < endMs) {
      const oldest = await oldestFrameSeconds(installation, otherIds);
      othersStoodStillSeconds = Math.max(othersStoodStillSeconds, oldest);
      await pause(250);
    }
    await client.query('ROLLBACK');
    installation.note(`rows of ${table} are free`);
    return {
      othersStoodStillSeconds,
      backSeconds: await installation.untilFrames(lockedIds, Date.now(), 60),
    };
  });
}

/** The age of the newest stored frame, of the run where it is oldest. */
async function oldestFrameSeconds(installation: Installation, taskIds: readonly string[]): Promise<number> {
  const [row] = await installation.query<{ age: number }>(
    `SELECT max(extract(epoch FROM clock_timestamp() - "lastFrameAt"))::float8 AS age FROM "AnalysisTask" WHERE id = ANY($1)`,
    [taskIds],
  );
  return row?.age ?? 0;
}

/** How much less of its time the worst run of the locked user has covered than the worst run of the other user. */
async function lostSeconds(installation: Installation, { lockedIds, otherIds }: Runs): Promise<number> {
  const uncovered = async (taskIds: readonly string[]) => {
    const [row] = await installation.query<{ seconds: number }>(
      `SELECT max(extract(epoch FROM t."lastFrameAt" - t."runningAt") - c.covered / 1000)::float8 AS seconds
       FROM "AnalysisTask" t JOIN LATERAL (
         SELECT sum("coveredMs")::float8 AS covered FROM "OccupancyMinute" WHERE "sceneId" = t."sceneId") c ON true
       WHERE t.id = ANY($1)`,
      [taskIds],
    );
    return row?.seconds ?? 0;
  };
  return (await uncovered(lockedIds)) - (await uncovered(otherIds));
}
