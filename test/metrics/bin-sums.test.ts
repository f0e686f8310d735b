import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addToHistogram, type Histogram, histogramPercentile } from '../../src/metrics/histogram.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('the migration counts earlier values as the middle of their bin', async () => {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  const counted: Histogram = { counts: [], seconds: [] };
  for (const seconds of [0.3, 1.02, 54.2, 55, 170.8, 90_000]) addToHistogram(counted, seconds);
  const sceneId = scene.id;
  await db.sceneTotals.create({ data: { sceneId, since: new Date(0), waitHistogram: counted.counts } });
  const migration = await readFile('prisma/migrations/20261122221500_bin_sums/migration.sql', 'utf8');
  await db.$executeRawUnsafe(migration.slice(migration.indexOf('UPDATE "SceneTotals"')));
  const row = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId } });
  expect(row.serviceBinSeconds).toEqual([]);
  expect(row.waitBinSeconds).toHaveLength(counted.counts.length);
  for (const [bin, sum] of row.waitBinSeconds.entries()) {
    if (counted.counts[bin] === 0) expect(sum).toBe(0);
    else if (bin < counted.counts.length - 1) {
      const off = Math.abs(sum - counted.seconds[bin]!) / counted.seconds[bin]!;
      expect(off).toBeLessThan(bin === 0 ? 1 : 0.05);
    }
  }
  const stored = { counts: row.waitHistogram, seconds: row.waitBinSeconds };
  expect(Math.abs(histogramPercentile(stored, 0.6, 90_000)! - 55)).toBeLessThan(55 * 0.05);
});
