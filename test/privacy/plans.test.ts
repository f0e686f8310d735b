import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from '../../src/platform/database/db.ts';
import { Prisma } from '../../src/platform/prisma-client/client.ts';
import { eraseBatch, isCounted } from '../../src/privacy/erasure/erase.store.ts';
import { VISIT_ROWS } from '../../src/privacy/ranged-rows.store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

let database: TestDatabase;
let db: Db;
let sceneId: string;
beforeAll(async () => {
  database = await testDatabase();
  ({ db } = database);
  for (let scene = 0; scene < 2; scene++) {
    const { task } = await queueScene(db, await addDevice(db));
    ({ sceneId } = task);
    // A visit every ten minutes for some months.
    await db.$executeRaw`
      INSERT INTO "Visit" ("taskId", "sceneId", number, "trackId", state, "queueEnteredAt", "arrivalDecidedAt", "outcomeDecidedAt",
                           outcome)
      SELECT ${task.id}::uuid, ${sceneId}::uuid, n, n, 'closed', at, at + interval '2 s', at + interval '5 min', 'completed'
      FROM generate_series(1, 10000) AS n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '10 min' AS at) AS t`;
  }
  await db.$executeRaw`ANALYZE "Visit"`;
});
afterAll(() => database.drop());

/** A client that explains statements instead of executing them. */
function explaining(plans: string[]): Db {
  const explain = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const { text, values: parameters } = Prisma.sql(strings, ...values);
    const rows = await db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, ...parameters);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    return [];
  };
  return { $executeRaw: explain, $queryRaw: explain } as unknown as Db;
}

test('the visits of a range are found by an index of their scene, not among those of everybody', async () => {
  const range = {
    sceneId,
    from: new Date('2026-02-10T00:00:00Z'),
    to: new Date('2026-02-11T00:00:00Z'),
  };
  const plans: string[] = [];
  const client = explaining(plans);
  await isCounted(client, range);
  await eraseBatch(client, VISIT_ROWS, range);
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toMatch(/Visit_\w+_idx/);
    expect(plan).not.toContain('Seq Scan');
  }
});
