import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/simulator/random.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { serviceLevel } from '../../../src/waits/service-level.ts';
import { type ApiUser, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addVisits, levelOf, type VisitRow } from './history-rows.ts';

const DAY_MS = 86_400_000;
const DAYS = 90;
const START = Date.parse('2026-08-01T00:00:00Z');
const SCENES = 8;
const VISITS = 125_000;

let api: TestApi;
let owner: ApiUser;
const clock = new TestClock();
beforeAll(async () => {
  clock.time = new Date(START + DAYS * DAY_MS);
  api = await testApi({}, clock);
  owner = await api.user();
});
afterAll(() => api?.drop());

function visitsOf(seed: number): VisitRow[] {
  const random = createRandom(seed);
  return Array.from({ length: VISITS }, (): VisitRow => {
    const arrivedAtMs = START + Math.floor(random.next() * DAYS * DAY_MS);
    const outcome = random.pick([
      'completed',
      'completed',
      'completed',
      'abandoned',
      'lost',
      'discarded',
    ] as const);
    const waitMs = random.chance(0.05) ? null : Math.floor(-90_000 * Math.log(1 - random.next()));
    const serviceMs = outcome === 'completed' ? 60_000 : null;
    // Targets change, and one wait in many is exactly as long as the target.
    const targetMs = random.pick([null, 60_000, 180_000, waitMs]);
    return {
      ...{ outcome, arrivedAtMs, waitMs, serviceMs, targetMs },
      decidedAtMs: arrivedAtMs + (waitMs ?? 0),
    };
  });
}

test('the service level of each day is that of 1,000,000 visits by the definition in words', async () => {
  for (let scene = 0; scene < SCENES; scene++) {
    const device = await owner.post('/devices', { ...SHOP, name: `Camera ${scene}` });
    const body = { deviceId: device.body.data.id, name: 'Till', analysisType: 'queue_analysis' };
    const { id } = (await owner.post('/scenes', { ...body, config: { zones: SHOP_ZONES } })).body.data;
    const visits = visitsOf(scene);
    await addVisits(api.context.db, id, visits);
    const days = Array.from({ length: DAYS }, (): VisitRow[] => []);
    for (const visit of visits) days[Math.floor((visit.decidedAtMs! - START) / DAY_MS)]?.push(visit);
    const range = `from=${new Date(START).toISOString()}&to=${clock.time.toISOString()}`;
    const series = await owner.get(`/analytics/scenes/${id}/series?${range}&bucket=1d&timezone=UTC`);
    const { data } = series.body;
    const counts = days.map(levelOf);
    expect(data.serviceLevelCount).toEqual(
      counts.map(({ within, late, gaveUpLate }) => within + late + gaveUpLate),
    );
    expect(data.serviceLevel).toEqual(counts.map((one) => Math.round(serviceLevel(one)! * 1000) / 1000));
  }
});
