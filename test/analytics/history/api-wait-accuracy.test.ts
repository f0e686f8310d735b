import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadLine, writeSaid } from '../../../src/metrics/waits/line.store.ts';
import type { Said } from '../../../src/metrics/waits/line-waits.ts';
import { type ApiUser, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addVisits, type VisitRow } from './history-rows.ts';

/** The clocks of Berlin go back at 1:00 UTC of this day: 2 o'clock is there twice. */
const MIDNIGHT = Date.UTC(2026, 9, 25);
const HOUR_MS = 3_600_000;
const COUNT = 1_200;

let api: TestApi;
let owner: ApiUser;
let place: Awaited<ReturnType<typeof shopOf>>;
const visits: VisitRow[] = Array.from({ length: COUNT }, (_, at) => ({
  outcome:
    at % 10 === 0 ? ('abandoned' as const) : at % 25 === 3 ? ('lost' as const) : ('completed' as const),
  arrivedAtMs: MIDNIGHT + Math.floor((at * 4 * HOUR_MS) / COUNT),
  decidedAtMs: MIDNIGHT + Math.floor((at * 4 * HOUR_MS) / COUNT) + 600_000,
  waitMs: at % 25 === 3 ? null : 1000 * ((at * 37) % 300),
  serviceMs: at % 10 === 0 || at % 25 === 3 ? null : 1000 * (40 + (at % 50)),
}));
const said: Said[] = visits.flatMap((_, at) =>
  at % 4 === 1 ? [] : [{ number: at + 1, ahead: at % 5, median: 140, low: 60, high: 240 }],
);

beforeAll(async () => {
  const clock = new TestClock();
  clock.time = new Date(MIDNIGHT + 24 * HOUR_MS);
  api = await testApi({}, clock);
  owner = await api.user();
  place = await shopOf(owner);
  const { db } = api.context;
  await addVisits(db, place.sceneId, visits);
  const { taskId } = await db.visit.findFirstOrThrow();
  await db.$transaction((tx) => writeSaid(tx, [{ taskId, said }]));
});
afterAll(() => api?.drop());

const ask = (query: string) => owner.get(`/analytics/scenes/${place.sceneId}/wait-accuracy?${query}`);

/** The same figures from the visits. */
function figures(of: (visit: VisitRow) => boolean) {
  const told = said.map(({ number }) => visits[number - 1]!).filter(of);
  const waits = told.flatMap(({ outcome, waitMs }) => (outcome === 'completed' ? [waitMs! / 1000] : []));
  const gaveUp = told.flatMap(({ outcome, waitMs }) => (outcome === 'abandoned' ? [waitMs! / 1000] : []));
  const insideBand = waits.filter((wait) => wait >= 60 && wait <= 240).length;
  const open = gaveUp.filter((left) => left <= 240).length;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const known = waits.length + gaveUp.length;
  return {
    ...{ predictions: told.length, served: waits.length, gaveUp: gaveUp.length, insideBand },
    lost: told.length - known,
    insideBandShare: expect.closeTo(insideBand / waits.length, 3),
    meanAbsoluteErrorSeconds: expect.closeTo(mean(waits.map((wait) => Math.abs(140 - wait))), 2),
    biasSeconds: expect.closeTo(mean(waits.map((wait) => 140 - wait)), 2),
    insideBandShareWithGaveUp: {
      atLeast: expect.closeTo(insideBand / known, 3),
      atMost: expect.closeTo((insideBand + open) / known, 3),
    },
  };
}

test('every prediction is scored, by the hour on the wall in which people joined', async () => {
  const { data } = (await ask('timezone=Europe/Berlin')).body;
  expect(data).toMatchObject({ timezone: 'Europe/Berlin', ...figures(() => true) });
  const hourOf = ({ arrivedAtMs }: VisitRow) =>
    Math.floor((arrivedAtMs - MIDNIGHT) / HOUR_MS) + (arrivedAtMs < MIDNIGHT + HOUR_MS ? 2 : 1);
  expect(data.hours).toEqual(
    [2, 3, 4].map((hour) => ({ hour, ...figures((visit) => hourOf(visit) === hour) })),
  );
  const newest = said
    .map(({ number }) => visits[number - 1]!)
    .filter(({ outcome }) => outcome === 'completed')
    .slice(-1000);
  expect(data.latest).toEqual({
    served: newest.length,
    insideBand: newest.filter(({ waitMs }) => waitMs! >= 60_000 && waitMs! <= 240_000).length,
  });
});

test.each([
  ['a range without predictions', 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', 200],
  ['more than 92 days', 'from=2026-01-01T00:00:00Z&to=2026-06-02T00:00:00Z', 400],
  ['a zone that is not there', 'timezone=Moon/Base', 400],
  ['a range that ends before it begins', 'from=2026-02-01T00:00:00Z&to=2026-01-02T00:00:00Z', 400],
])('%s', async (_, query, status) => {
  const answer = await ask(query);
  expect(answer.status).toBe(status);
  if (status === 200)
    expect(answer.body.data).toMatchObject({
      predictions: 0,
      insideBandShare: null,
      hours: [],
      latest: { served: 0 },
    });
});

test('a scene learns from its visits with what was said then, and a new one from the busiest of its site', async () => {
  const { db } = api.context;
  const { taskId } = await db.visit.findFirstOrThrow();
  const nowMs = MIDNIGHT + 5 * HOUR_MS;
  const load = (sceneId: string) => loadLine(db, { sceneId, taskId, nowMs, lastFrameMs: null });
  const own = await load(place.sceneId);
  expect(own.refused).toBe(0);
  expect(own.line.ofSite).toEqual([]);
  expect(own.line.visits).toHaveLength(COUNT);
  expect(own.line.visits.filter((visit) => visit.said !== null)).toHaveLength(said.length);
  expect(own.line.visits.find((visit) => visit.said !== null)!.said).toEqual({
    ...{ median: 140, low: 60, high: 240, reason: null },
  });

  const copy = await shopOf(owner);
  expect((await load(copy.sceneId)).line.ofSite).toEqual([]);
  const deviceIds = [place.deviceId, copy.deviceId];
  await owner.post('/sites', { name: 'Shop', timezone: 'Europe/Berlin', deviceIds });
  const ofCopy = await load(copy.sceneId);
  expect(ofCopy.line.visits).toEqual([]);
  expect(ofCopy.line.ofSite).toHaveLength(300);

  // Ends before begins, and a service of a year.
  await db.$executeRaw`UPDATE "Visit" SET "serviceEndedAt" = "serviceStartedAt" - interval '1 hour' WHERE number = 2`;
  await db.$executeRaw`UPDATE "Visit" SET "queueEnteredAt" = "queueEnteredAt" - interval '1 year' WHERE number = 5`;
  const bad = await load(place.sceneId);
  expect([bad.refused, bad.line.visits.length]).toEqual([2, COUNT - 2]);
});

test('a site that is deleted while the scene is read does not matter', async () => {
  const body = { name: 'Closing', timezone: 'UTC', deviceIds: [place.deviceId] };
  const { id } = (await owner.post('/sites', body)).body.data;
  const { db } = api.context;
  // What the second query of the relations finds: the row that leads to the site, without the site.
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`DELETE FROM "Site" WHERE id = ${id}::uuid`,
  ]);
  expect((await ask('')).status).toBe(200);
  await db.siteDevice.deleteMany({ where: { siteId: id } });
});
