import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countedArrivals, decidedVisits } from '../../../src/metrics/folded/counted-visits.store.ts';
import { type Db, queryRows } from '../../../src/platform/database/db.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

const DAY = ['2026-02-10T00:00:00Z', '2026-02-11T00:00:00Z'] as const;
const RANGE = { from: '$2', to: '$3' };

let database: TestDatabase;
let db: Db;
let sceneId: string;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  // Of two scenes: every fifth visit is of staff, every seventh came to the till without a queue, the last one is open.
  for (let scene = 0; scene < 2; scene++) {
    const { task } = await queueScene(db, await addDevice(db));
    sceneId = task.sceneId;
    await db.$executeRaw`
      INSERT INTO "Visit" ("taskId", "sceneId", number, "trackId", state, "queueEnteredAt", "arrivalDecidedAt", "outcomeDecidedAt",
                           outcome)
      SELECT ${task.id}::uuid, ${sceneId}::uuid, n, n, (CASE WHEN n = 10000 THEN 'queued' WHEN n % 5 = 0 THEN 'discarded' ELSE 'closed' END)::"VisitState",
        CASE WHEN n % 7 > 0 THEN at END, at + interval '2 s',
        CASE WHEN n < 10000 THEN at + interval '5 min' END, CASE WHEN n < 10000 AND n % 5 > 0 THEN 'completed'::"VisitOutcome" END
      FROM generate_series(1, 10000) AS n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '10 min' AS at) AS t`;
  }
  await db.$executeRaw`VACUUM ANALYZE "Visit"`;
});
afterAll(() => database?.drop());

const planOf = async (text: string): Promise<string> =>
  (await queryRows<{ 'QUERY PLAN': string }>(db, `EXPLAIN ${text}`, [[sceneId], ...DAY]))
    .map((row) => row['QUERY PLAN'])
    .filter((line) => line.includes('Visit_') || line.includes('on "Visit"'))
    .join('\n');

test('history is read from indexes of visits alone', async () => {
  const arrivals = await planOf(countedArrivals(RANGE));
  expect(arrivals).toMatch(/Index Only Scan using "Visit_arrivals_idx"/);
  expect(arrivals).toMatch(/Index Only Scan using "Visit_discarded_idx"/);
  expect(await planOf(decidedVisits(RANGE))).toMatch(/Index Only Scan using "Visit_counted_idx"/);
});

test('arrivals are the visits that joined the queue and were not of staff, also those that are open', async () => {
  const sumFrom = async (from: string, to: string) => {
    const text = `SELECT sum(arrivals)::int AS arrivals FROM (${countedArrivals(RANGE)}) counted`;
    return (await queryRows<{ arrivals: number }>(db, text, [[sceneId], from, to]))[0]?.arrivals;
  };
  const numbers = Array.from({ length: 10_000 }, (_, at) => at + 1);
  const expected = numbers.filter((n) => n % 7 > 0 && (n === 10_000 || n % 5 > 0));
  expect(await sumFrom('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toBe(expected.length);
});

test('dead rows of visits are removed long before they are a fifth of the table', async () => {
  const [options] = await queryRows<{ share: number }>(
    db,
    `SELECT option_value::float8 AS share FROM pg_class c, pg_options_to_table(c.reloptions)
     WHERE c.oid = '"Visit"'::regclass AND option_name = 'autovacuum_vacuum_scale_factor'`,
    [],
  );
  expect(options?.share).toBeLessThanOrEqual(0.05);
});
