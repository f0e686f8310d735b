import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Cluster, startCluster } from '../../scripts/postgres/embedded.ts';
import { auditHistory } from '../../src/analytics/history/audit-history.ts';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { eventually } from '../support/eventually.ts';
import { prisma } from '../support/prisma-cli.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

const LEASE_SECONDS = 4;

let dataDir: string;
let cluster: Cluster;
let db: Db;
let worker: TestWorker;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-away-'));
  cluster = await startCluster({ dataDir });
  await prisma(['migrate', 'deploy'], cluster.url);
  db = createDb(cluster.url, { onPoolError: () => undefined });
  const imagesDir = join(dataDir, 'images');
  const database = { db, url: cluster.url, imagesDir, drop: async () => undefined };
  worker = await startTestWorker(database, { leaseSeconds: LEASE_SECONDS, renewSeconds: 1 });
});
afterAll(async () => {
  await worker.stop();
  await db.$disconnect();
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Stored {
  frames: number;
  arrivals: number;
  lastFrameMs: number;
  status: string;
  epoch: number;
}

test('a run pauses while PostgreSQL is down for longer than a lease, and continues afterwards', async () => {
  const { task, scene } = await queueScene(db, await addDevice(db, 'sim:shop?seed=9'));
  const stored = async (): Promise<Stored> => {
    const row = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    const totals = await db.sceneTotals.findUnique({ where: { sceneId: scene.id } });
    return {
      frames: (row.stats as { processedFrames: number } | null)?.processedFrames ?? 0,
      arrivals: totals?.arrivals ?? 0,
      lastFrameMs: row.lastFrameAt?.getTime() ?? 0,
      status: row.status,
      epoch: row.epoch,
    };
  };
  await eventually('frames come', async () => (await stored()).frames > 10);
  const pids = [...worker.lanePids];
  const { port } = cluster;
  await cluster.stop();
  // Nothing outside the worker shows that the lease has lapsed, so that the test has to wait.
  await pause((LEASE_SECONDS + 2) * 1000);
  const wasAwayMs = Date.now();
  cluster = await startCluster({ dataDir, port });
  const after = await eventually('frames are stored again', async () => {
    const seen = await stored().catch(() => null);
    return seen && seen.lastFrameMs > wasAwayMs && seen;
  });
  expect(after.status).toBe('PROCESSING');
  expect(worker.lanePids).toEqual(pids);
  // The time of the outage is not covered by any frame.
  const minutes = await db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
  const coveredMs = minutes.reduce((sum, minute) => sum + minute.coveredMs, 0);
  const { startedAt } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
  expect(coveredMs).toBeLessThan(after.lastFrameMs - startedAt!.getTime() - (LEASE_SECONDS - 1) * 1000);
  expect((await auditHistory(db)).differences).toEqual([]);
});
