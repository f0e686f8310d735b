import { setTimeout as pause } from 'node:timers/promises';
import { numberAt } from '../../src/metrics/catalogue.ts';
import { numbersOfWindow } from '../../src/metrics/stored-numbers.ts';
import type { Installation } from '../support/installation.ts';
import { progress } from '../support/terminal.ts';
import { checkHistory } from './history/check-history.ts';
import { Load } from './load.ts';
import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

export const restarts = installedPart({
  name: 'restarts',
  description: 'Restarts PostgreSQL under load, in order and by crash, for less and for more than a lease.',
  options: {
    restarts: ['number of restarts', 20],
    scenes: ['simulated cameras, a scene each', 4],
    fps: ['frames a second of each', 2],
  },
  needs: { workers: 1 },
  /** Stops PostgreSQL under load again and again, in order and by crash. */
  async run(installation, options) {
    const { restarts, scenes, fps } = options;
    const { cameras, taskIds } = await installation.startShops('Restart', { scenes, fps });
    await installation.untilFrames(taskIds, Date.now(), 90);

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
        load.isDatabaseDown = true;
        await pause(isLong ? (installation.leaseSeconds + 2) * 1000 : 1_000);
        load.isDatabaseDown = false;
        await installation.startDatabase();
        const [readyAfter, framesAfter] = await Promise.all([
          installation.untilReady(),
          installation.untilFrames(taskIds, Date.now(), 60),
        ]);
        readySeconds.push(readyAfter);
        framesSeconds.push(framesAfter);
        installation.note(`restart ${number}: ready after ${readyAfter} s, frames after ${framesAfter} s`);
        bar.step();
      }
    } finally {
      bar.stop();
      committed = await load.stop();
    }
    const found = await installation.query('SELECT id FROM "Device" WHERE id = ANY($1)', [committed]);
    const programsEnded = installation.programsEnded();
    for (const camera of cameras) await installation.stop(camera);
    const { coveredPercent, coveragePercentStored } = await coverage(installation, taskIds);
    const { faults } = await checkHistory(installation);
    const slowestReadySeconds = Math.max(...readySeconds);
    const slowestFramesSeconds = Math.max(...framesSeconds);
    const rowsLost = committed.length - found.length;
    const { answersWhileAway } = load;
    return {
      restarts,
      /** Of each restart: seconds from its end until the API was ready. */
      readySeconds,
      /** Of each restart: seconds from its end until frames of every run were stored again. */
      framesSeconds,
      slowestReadySeconds,
      slowestFramesSeconds,
      /** Answers to calls while the database was down, by status. Only 503 is right. */
      answersWhileAway,
      rowsCommitted: committed.length,
      rowsLost,
      programsEnded,
      /** How many outages were longer than a lease. With one, the two coverages must show the gap. */
      longOutages,
      coveredPercent,
      coveragePercentStored,
      faults,
      ...verdict({
        slowestReadySeconds: { is: slowestReadySeconds, atMost: BACK_WITHIN_SECONDS },
        slowestFramesSeconds: { is: slowestFramesSeconds, atMost: BACK_WITHIN_SECONDS },
        rowsLost: { is: rowsLost, exactly: 0 },
        programsEnded: { is: programsEnded, exactly: 0 },
        faults: { is: faults.length, exactly: 0 },
        otherAnswersWhileAway: {
          is: Object.keys(answersWhileAway).filter((status) => status !== '503').length,
          exactly: 0,
        },
        ...(longOutages > 0 && {
          coveredPercent: { is: coveredPercent, atMost: 99 },
          coveragePercentStored: { is: coveragePercentStored, atMost: 99 },
        }),
      }),
    };
  },
});

/** One restart in so many lasts longer than a lease. */
const LONG_EVERY = 7;
const BACK_WITHIN_SECONDS = 5;

/** Of the run with the least: how much of it the stored minutes cover, and the least `coveragePercent` of its records. */
async function coverage(
  installation: Installation,
  taskIds: readonly string[],
): Promise<{ coveredPercent: number; coveragePercentStored: number }> {
  const [row] = await installation.query<{ byMinutes: number; records: Uint8Array[] | null }>(
    `SELECT min(c.covered / (extract(epoch FROM t."lastFrameAt" - t."runningAt") * 1000) * 100)::float8 AS "byMinutes",
            (SELECT array_agg(numbers) FROM "RollingRecord" r
             WHERE r."sceneId" = ANY(array_agg(t."sceneId")) AND "windowType" = '5min') AS records
     FROM "AnalysisTask" t
     JOIN LATERAL (SELECT sum("coveredMs")::float8 AS covered FROM "OccupancyMinute" WHERE "sceneId" = t."sceneId") c ON true
     WHERE t.id = ANY($1)`,
    [taskIds],
  );
  const stored = (row?.records ?? []).map(
    (numbers) => numberAt(numbersOfWindow({ numbers, metrics: null }), 'coveragePercent') ?? 0,
  );
  return { coveredPercent: row?.byMinutes ?? 100, coveragePercentStored: Math.min(100, ...stored) };
}
