import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { auditHistory } from '../../src/analytics/history/audit-history.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import type { Camera, Installation } from '../support/installation.ts';
import { progress } from '../support/terminal.ts';
import { checkHistory } from './history/check-history.ts';
import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

const HOUR_MS = 3_600_000;
/** The range to erase ends now; as many rows lie before it. */
const RANGE_HOURS = 6;
const IMAGES = 400;
const VISITS = 20_000;
const FINISH_SECONDS = 300;

interface Job {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly error: string | null;
}

export const erasures = installedPart({
  name: 'erasures',
  description:
    'Kills the worker in the middle of an export and of an erasure, again and again, while it analyses.',
  options: { rounds: ['number of kills of each', 6] },
  needs: { workers: 1, environment: { API_JOBS: 'false' } },
  /** Fills a scene that is being analysed, exports everything and erases the last hours. */
  async run(installation, { rounds }) {
    const { cameras, taskIds } = await installation.startShops('Erased', { scenes: 1, fps: 2 });
    await installation.untilFrames(taskIds, Date.now(), 90);
    const camera = cameras[0]!;
    const from = new Date(Date.now() - RANGE_HOURS * HOUR_MS);
    await fill(installation, { ...camera, taskId: taskIds[0]! }, from);

    const everything = { from: new Date(0).toISOString(), to: new Date().toISOString() };
    const exported = await killed(installation, '/privacy/exports', { range: everything, rounds });
    const to = new Date();
    const range = { from: from.toISOString(), to: to.toISOString() };
    const erased = await killed(installation, '/privacy/erasures', { range, rounds });
    await installation.until(
      'the analysis goes on',
      async () => (await runsSince(installation, camera, to)) > 0,
      90,
    );
    const left = await rowsLeft(installation, camera, { from, to });
    const objects = await comparedObjects(installation);
    await installation.stop(camera);
    const db = createDb(installation.databaseUrl, { maxConnections: 2 });
    const { differences } = await auditHistory(db).finally(() => db.$disconnect());
    const { faults } = await checkHistory(installation);
    return {
      rounds,
      exported,
      erased,
      /** Rows of the range, and rows before it. */
      ...left,
      ...objects,
      differences: differences.map(({ message }) => message),
      faults: faults.filter((fault) => !isExpected(fault)),
      ...verdict({
        'status of the export': { is: exported.status, exactly: 'completed' },
        'status of the erasure': { is: erased.status, exactly: 'completed' },
        'images in the export': { is: exported.counts.imageFiles, exactly: 2 * IMAGES },
        inRange: { is: left.inRange, exactly: 0 },
        visitsBefore: { is: left.visitsBefore, exactly: VISITS },
        imagesBefore: { is: left.imagesBefore, exactly: IMAGES },
        objectsWithoutRow: { is: objects.objectsWithoutRow, exactly: 0 },
        rowsWithoutObject: { is: objects.rowsWithoutObject, exactly: 0 },
        differences: { is: differences.length, exactly: 0 },
      }),
    };
  },
});

/** Totals may go back here: an erasure computes them anew. */
const isExpected = (fault: unknown): boolean => /total/i.test(JSON.stringify(fault));

/** Requests a job and kills the worker while it works on it. */
async function killed(
  installation: Installation,
  path: string,
  { range, rounds }: { range: object; rounds: number },
): Promise<Job> {
  const { id } = await installation.client.post<{ id: string }>(path, range);
  const bar = progress(path, rounds, 'rounds');
  for (let round = 0; round < rounds; round++) {
    const isHeld = async () =>
      (
        await installation.query(
          `SELECT 1 FROM "DataJob" WHERE id = $1 AND (status NOT IN ('queued', 'running') OR "claimedUntil" > now())`,
          [id],
        )
      ).length > 0;
    await installation.until('a worker works on the job', isHeld, 60);
    await pause(randomInt(1_500));
    const worker = installation.workers[0]!;
    installation.note(`kill -9 of node-0 in round ${round + 1} of ${path}`);
    process.kill(worker.pid!, 'SIGKILL');
    await worker.stop();
    // The claim lapses by itself after a minute.
    await installation.query(
      `UPDATE "DataJob" SET "claimedUntil" = now() WHERE id = $1 AND status = 'running'`,
      [id],
    );
    installation.startWorker(0);
    bar.step();
  }
  bar.stop();
  const read = () => installation.client.get<Job>(`${path}/${id}`);
  await installation.until(
    'the job has ended',
    async () => ['completed', 'failed'].includes((await read()).status),
    FINISH_SECONDS,
  );
  const { status, counts, error } = await read();
  return { status, counts, error };
}

/** Visits, minutes, alert events and images of a scene, as many in the range as before it. */
async function fill(
  installation: Installation,
  { deviceId, sceneId, taskId }: Camera & { taskId: string },
  from: Date,
): Promise<void> {
  const ruleId = await installation.addRule({ deviceId, sceneId }, { operator: 'GT', threshold: 1_000_000 });
  const [owner] = await installation.query<{ userId: string }>('SELECT "userId" FROM "Scene" WHERE id = $1', [
    sceneId,
  ]);
  const { userId } = owner!;
  const at = `($2::timestamptz + n * interval '1 second' * ${(RANGE_HOURS * 3_600) / VISITS})`;
  await installation.query(
    `INSERT INTO "Visit" ("taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt",
       "serviceStartedAt", "serviceEndedAt", "arrivalDecidedAt", "outcomeDecidedAt")
     SELECT $3, $1, 1000000 + ${VISITS} + n, 1, 'closed', 'completed', ${at}, ${at}, ${at}, ${at}, ${at}, ${at}
     FROM generate_series(${-VISITS}, ${VISITS - 1}) n`,
    [sceneId, from, taskId],
  );
  await installation.query(
    `INSERT INTO "OccupancyMinute" SELECT $1, date_trunc('minute', $2::timestamptz) + n * interval '1 minute', 1, 1, 1, 1, 1, 1
     FROM generate_series(-360, 300) n ON CONFLICT DO NOTHING`,
    [sceneId, from],
  );
  const images = new LocalImages(join(installation.folder, 'images'));
  for (let n = -IMAGES; n < IMAGES; n++) {
    const triggeredAt = new Date(from.getTime() + ((n + 0.5) * RANGE_HOURS * HOUR_MS) / IMAGES);
    const objectKey = newImageKey(new Date(), userId);
    await images.put(objectKey, Buffer.alloc(20_000, 1));
    await installation.query(
      `WITH e AS (
         INSERT INTO "AlertEvent" ("userId", "deviceId", "sceneId", "ruleId", severity, "triggeredAt", "metricPath", operator,
           threshold, "actualValue", message)
         VALUES ($1, $2, $3, $4, 'warning', $5, 'current.inQueue', 'GT', 5, 7, 'x') RETURNING id)
       INSERT INTO "StoredImage" ("userId", "alertEventId", kind, "objectKey", width, height, "sizeBytes", "capturedAt")
       SELECT $1, e.id, 'clean', $6, 4, 3, 20000, $5 FROM e`,
      [userId, deviceId, sceneId, ruleId, triggeredAt, objectKey],
    );
  }
}

async function rowsLeft(
  installation: Installation,
  { sceneId }: Camera,
  { from, to }: { from: Date; to: Date },
): Promise<{ inRange: number; visitsBefore: number; imagesBefore: number }> {
  const [row] = await installation.query<{ inRange: number; visitsBefore: number; imagesBefore: number }>(
    `SELECT
       ((SELECT count(*) FROM "Visit" WHERE "sceneId" = $1 AND "arrivalDecidedAt" < $3
           AND ("outcomeDecidedAt" IS NULL OR "outcomeDecidedAt" >= $2))
        + (SELECT count(*) FROM "OccupancyMinute" WHERE "sceneId" = $1 AND minute >= $2
             AND minute < date_trunc('minute', $3::timestamptz))
        + (SELECT count(*) FROM "MetricSnapshot" WHERE "sceneId" = $1 AND "windowEnd" > $2 AND "windowStart" < $3)
        + (SELECT count(*) FROM "AlertEvent" WHERE "sceneId" = $1 AND "triggeredAt" >= $2 AND "triggeredAt" < $3)
        + (SELECT count(*) FROM "StoredImage" WHERE "capturedAt" >= $2 AND "capturedAt" < $3))::int AS "inRange",
       (SELECT count(*)::int FROM "Visit" WHERE "sceneId" = $1 AND "outcomeDecidedAt" < $2) AS "visitsBefore",
       (SELECT count(*)::int FROM "StoredImage" WHERE "capturedAt" < $2) AS "imagesBefore"`,
    [sceneId, from, to],
  );
  return row!;
}

/** Files of images and exports beside their rows. Unfinished files of killed exports are removed after a day. */
async function comparedObjects(installation: Installation) {
  const folder = join(installation.folder, 'images');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.parentPath !== folder)
    .map(({ name }) => name);
  const rows = await installation.query<{ key: string }>(
    `SELECT "objectKey" AS key FROM "StoredImage" UNION ALL SELECT "objectKey" FROM "DataJob" WHERE "objectKey" IS NOT NULL`,
  );
  const named = new Set(rows.map(({ key }) => key.split('/')[1]!));
  const whole = new Set(files.filter((name) => !name.startsWith('.')));
  return {
    objectsWithoutRow: [...whole].filter((name) => !named.has(name)).length,
    rowsWithoutObject: [...named].filter((name) => !whole.has(name)).length,
    unfinishedFiles: files.length - whole.size,
  };
}

async function runsSince(installation: Installation, { sceneId }: Camera, since: Date): Promise<number> {
  const rows = await installation.query(
    'SELECT 1 FROM "AnalysisTask" WHERE "sceneId" = $1 AND "createdAt" > $2 AND "lastFrameAt" > $2',
    [sceneId, since],
  );
  return rows.length;
}
