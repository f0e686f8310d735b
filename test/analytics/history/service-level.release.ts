import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { serviceLevel } from '../../../src/waits/service-level.ts';
import { type ApiUser, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addVisits, levelOf, type VisitRow } from './history-rows.ts';

const DAY_MS = 86_400_000;
const DAYS = 90;
const START = Date.parse('2026-08-01T00:00:00Z');
const VISITS = 1_000_000;
const SPREAD = 7_919;
const OUTCOMES = ['completed', 'completed', 'completed', 'abandoned', 'lost'] as const;

let api: TestApi;
let owner: ApiUser;
const clock = new TestClock();
beforeAll(async () => {
  clock.time = new Date(START + DAYS * DAY_MS);
  api = await testApi({}, clock);
  owner = await api.user();
});
afterAll(() => api?.drop());

/** The same in SQL below: outcomes and targets by turns, times in no order, and each fourth wait as long as its target. */
function visit(number: number): VisitRow {
  const arrivedAtMs = START + ((number * SPREAD) % (DAYS * 86_000)) * 1_000;
  const waitMs = (number * 31_337) % 400_000;
  const targetMs = [null, 60_000, 180_000, waitMs][Math.floor(number / OUTCOMES.length) % 4]!;
  const outcome = OUTCOMES[number % OUTCOMES.length]!;
  return { outcome, arrivedAtMs, decidedAtMs: arrivedAtMs + waitMs, waitMs, targetMs };
}

test('the service level of each day is that of 1,000,000 visits by the definition in words', async () => {
  const { db } = api.context;
  const device = await owner.post('/devices', SHOP);
  const body = { deviceId: device.body.data.id, name: 'Till', analysisType: 'queue_analysis' };
  const { id } = (await owner.post('/scenes', { ...body, config: { zones: SHOP_ZONES } })).body.data;
  await addVisits(db, id, [visit(0)]);
  await db.$executeRawUnsafe(
    `INSERT INTO "Visit" ("taskId", "sceneId", number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt", "arrivalDecidedAt",
       "outcomeDecidedAt", "isInTime")
     SELECT one."taskId", one."sceneId", n + 1, n + 1, one.state, ($1::text[])[n % 5 + 1]::"VisitOutcome", came, came + wait * interval '1 ms',
       came, came + wait * interval '1 ms',
       CASE WHEN n % 5 < 4 THEN wait <= (ARRAY[NULL, 60000, 180000, wait])[n / 5 % 4 + 1] END
     FROM "Visit" one CROSS JOIN generate_series(1, $2::int - 1) n
     CROSS JOIN LATERAL (SELECT to_timestamp($3::float8) + (n::bigint * ${SPREAD} % ${DAYS * 86_000}) * interval '1 s' AS came,
       (n::bigint * 31337 % 400000)::int AS wait) times
     WHERE one."sceneId" = $4::uuid`,
    OUTCOMES,
    VISITS,
    START / 1_000,
    id,
  );
  const days = Array.from({ length: DAYS }, (): VisitRow[] => []);
  for (let number = 0; number < VISITS; number++) {
    const row = visit(number);
    days[Math.floor((row.decidedAtMs! - START) / DAY_MS)]!.push(row);
  }
  const range = `from=${new Date(START).toISOString()}&to=${clock.time.toISOString()}`;
  const { data } = (await owner.get(`/analytics/scenes/${id}/series?${range}&bucket=1d&timezone=UTC`)).body;
  const counts = days.map(levelOf);
  expect(data.serviceLevelCount).toEqual(
    counts.map(({ within, late, gaveUpLate }) => within + late + gaveUpLate),
  );
  expect(data.serviceLevel).toEqual(counts.map((one) => Math.round(serviceLevel(one)! * 1000) / 1000));
}, 1_800_000);
