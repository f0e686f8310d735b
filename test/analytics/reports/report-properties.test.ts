import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { findSiteScope } from '../../../src/analytics/history/history-scope.store.ts';
import { readSeries } from '../../../src/analytics/history/read-series.ts';
import type { Numbers } from '../../../src/analytics/reports/numbers.ts';
import { comparedPeriods, type Span } from '../../../src/analytics/reports/period.ts';
import { readReport } from '../../../src/analytics/reports/read-report.ts';
import { findReportedSite } from '../../../src/analytics/reports/report.store.ts';
import type { OpeningHours } from '../../../src/catalogue/hours/opening-hours.ts';
import { serviceLevel } from '../../../src/waits/service-level.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { isOpenAt, openingHoursAround, openMsOf } from '../../support/opening-hours.ts';
import { dearCases, fc } from '../../support/property.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { addMinutes, addVisits, joinsQueue, levelOf, type VisitRow } from '../history/history-rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Rows lie in so many days from the Monday before the week before. */
const DAYS = 23;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** Zones with a local date on which, or in whose week, their clocks change, or any date. */
const DATES = [
  ['Europe/Berlin', '2026-10-25'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Havana', '2026-11-01'],
  ['America/Havana', '2026-03-08'],
  ['Pacific/Apia', '2012-01-04'],
  ['Asia/Kathmandu', '2026-06-01'],
] as const;

const visit = fc.record({
  outcome: fc.constantFrom<VisitRow['outcome']>(
    'completed',
    'completed',
    'abandoned',
    'lost',
    'discarded',
    null,
  ),
  // Half of the visits are near the period of the report, so that hours have several of them.
  at: fc.oneof(
    fc.integer({ min: 0, max: DAYS * DAY_MS - 1 }),
    fc.integer({ min: 13.5 * DAY_MS, max: 15.5 * DAY_MS }).map(Math.floor),
  ),
  lasts: fc.integer({ min: 0, max: 4 * 3_600_000 }),
  waitMs: fc.option(fc.integer({ min: 0, max: 3_600_000 })),
  serviceMs: fc.option(fc.integer({ min: 0, max: 600_000 })),
  targetMs: fc.constantFrom(null, 600_000, 1_800_000),
});
const minute = fc.record({
  at: fc.integer({ min: 0, max: DAYS * 1440 - 1 }),
  coveredMs: fc.constantFrom(0, 1, 20_000, 60_000),
});
const plan = fc.constantFrom(...DATES).chain((date) =>
  fc.record({
    date: fc.constant(date),
    hours: fc.option(openingHoursAround(date[1])),
    kind: fc.constantFrom('day' as const, 'week' as const),
    /** When the report is read, from the start of the rows. */
    readMs: fc.oneof(fc.constant(60 * DAY_MS), fc.integer({ min: 7 * DAY_MS, max: 21 * DAY_MS })),
    scenes: fc.array(
      fc.record({
        zones: fc.constantFrom('both' as const, 'queue' as const),
        minutes: fc.uniqueArray(minute, { maxLength: 40, selector: ({ at }) => at }),
        visits: fc.array(visit, { maxLength: 40 }),
      }),
      { maxLength: 3 },
    ),
  }),
);

const ZONE = {
  type: 'polygon' as const,
  points: [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
  ] as [number, number][],
};
const ZONES = { both: { queueZone: ZONE, checkoutZone: ZONE }, queue: { queueZone: ZONE } };

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The definition in words: the value of rank share × (count − 1), interpolated. */
function percentileOf(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const low = sorted[Math.floor(rank)]!;
  const high = sorted[Math.min(sorted.length - 1, Math.floor(rank) + 1)]!;
  return low + (high - low) * (rank % 1);
}

interface Stored {
  readonly id: string;
  readonly zones: keyof typeof ZONES;
  readonly rows: readonly { atMs: number; coveredMs: number }[];
  readonly people: readonly VisitRow[];
}

interface Told {
  readonly scenes: readonly Stored[];
  readonly hours: OpeningHours | null;
  readonly timezone: string;
  readonly nowMs: number;
}

/** The numbers of a span, from the rows themselves. */
function expectedOf({ scenes, hours, timezone, nowMs }: Told, { fromMs, toMs }: Span): Numbers {
  const isIn = (ms: number | undefined) =>
    ms !== undefined && ms >= fromMs && ms < toMs && isOpenAt(hours, timezone, ms);
  const people = scenes.flatMap((scene) => scene.people);
  const decided = people.filter(
    ({ outcome, decidedAtMs }) => outcome !== null && outcome !== 'discarded' && isIn(decidedAtMs),
  );
  const of = (wanted: VisitRow['outcome']) => decided.filter(({ outcome }) => outcome === wanted);
  const served = of('completed');
  const arrivals = people.filter(
    (visit) => visit.outcome !== 'discarded' && joinsQueue(visit) && isIn(visit.arrivedAtMs),
  );
  const covered = scenes.map(({ rows }) =>
    sum(rows.filter(({ atMs }) => isIn(atMs)).map(({ coveredMs }) => coveredMs)),
  );
  const isSeen = sum(covered) > 0 || decided.length > 0 || arrivals.length > 0;
  const hasService = scenes.some(({ zones }) => zones === 'both');
  const count = (value: number, isMeasured = true) => (value === 0 && !(isSeen && isMeasured) ? null : value);
  const elapsedMs = openMsOf(hours, timezone, { fromMs, toMs: Math.max(fromMs, Math.min(toMs, nowMs)) });
  const least = covered.length > 0 ? Math.min(...covered) : 0;
  const secondsOf = (name: 'waitMs' | 'serviceMs') =>
    served.flatMap((person) => (person[name] == null ? [] : [person[name] / 1000]));
  const ended = served.length + of('abandoned').length;
  return {
    coveragePercent: least === 0 ? 0 : elapsedMs > 0 ? Math.min(100, (least / elapsedMs) * 100) : 100,
    arrivals: count(arrivals.length),
    completed: count(served.length),
    // A scene without a checkout zone cannot tell who gave up.
    abandoned: count(of('abandoned').length, hasService),
    lost: count(of('lost').length),
    abandonmentRate: ended === 0 ? null : count(of('abandoned').length / ended, hasService),
    p50WaitSeconds: percentileOf(secondsOf('waitMs'), 0.5),
    p90WaitSeconds: percentileOf(secondsOf('waitMs'), 0.9),
    p50ServiceSeconds: percentileOf(secondsOf('serviceMs'), 0.5),
    serviceLevel: serviceLevel(levelOf(decided)),
    ...{ avgOpenTills: null, tillUtilization: null, waitedWithFreeTillSeconds: null },
    // The minutes do not say how well the line was seen.
    ...{ expectedErrorPercent: null, expectedErrorLowPercent: null, expectedErrorHighPercent: null },
    expectedWaitErrorPercent: null,
    ...{ expectedWaitErrorLowPercent: null, expectedWaitErrorHighPercent: null },
  };
}

/** What of the numbers is not as expected. */
function differences(place: string, found: Numbers, expected: Numbers): string[] {
  return (Object.keys(expected) as (keyof Numbers)[]).flatMap((name) => {
    const [a, b] = [found[name], expected[name]];
    const isSame = a === b || (a !== null && b !== null && Math.abs(a - b) < 0.001);
    return isSame ? [] : [`${place}: ${name} is ${a}, not ${b}`];
  });
}

test('a report has the numbers that the raw rows give, at every level', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(plan, async ({ date: [timezone, date], hours, kind, readMs, scenes }) => {
      const start = DateTime.fromISO(date, { zone: timezone }).minus({ days: 14 }).toMillis();
      const first = await addDevice(db);
      const site = await db.site.create({
        data: {
          userId: first.userId,
          name: 'Shop',
          timezone,
          ...(hours && { openingHours: hours as object }),
        },
      });
      const stored: Stored[] = [];
      for (const { zones, minutes, visits } of scenes) {
        const device = await db.device.create({
          data: { userId: first.userId, name: 'Camera', streamUrlEncrypted: first.streamUrlEncrypted },
        });
        await db.siteDevice.create({ data: { siteId: site.id, deviceId: device.id } });
        const { scene } = await queueScene(db, device, { zones: ZONES[zones] });
        const rows = minutes.map(({ at, coveredMs }) => ({ atMs: start + at * MINUTE_MS, coveredMs }));
        const people = visits.map(({ outcome, at, lasts, ...durations }) => ({
          ...{ outcome, arrivedAtMs: start + at, decidedAtMs: start + at + lasts, ...durations },
        }));
        await addMinutes(db, scene.id, rows);
        await addVisits(db, scene.id, people);
        stored.push({ id: scene.id, zones, rows, people });
      }
      const nowMs = start + readMs;
      const context = { db, clock: { now: () => new Date(nowMs) } };
      const periods = comparedPeriods(kind, date, timezone)!;
      const report = await readReport(context, (await findReportedSite(db, first.userId, site.id))!, periods);

      const faults: string[] = [];
      const check = (place: string, found: Numbers, span: Span, of: readonly Stored[] = stored) =>
        faults.push(...differences(place, found, expectedOf({ scenes: of, hours, timezone, nowMs }, span)));
      check('now', report.summary.current, periods.current);
      check('before', report.summary.previous, periods.previous);
      for (const { scene, current, previous } of report.scenes) {
        const own = stored.filter(({ id }) => id === scene.id);
        check('scene now', current, periods.current, own);
        check('scene before', previous!, periods.previous, own);
      }
      for (const span of [...report.days, ...report.hours])
        check(`span ${span.localTime}`, span.current, span);
      // Each time of the period before that has a counterpart is found there.
      for (const [found, spans] of [
        [report.days, periods.previous.days],
        [report.hours, periods.previous.hours],
      ] as const) {
        const seen = new Set<string>();
        for (const { localTime, previous } of found) {
          const clock = (ms: number) => DateTime.fromMillis(ms, { zone: timezone }).toFormat('c HH:mm');
          const own = DateTime.fromISO(localTime, { setZone: true }).toFormat('c HH:mm');
          const same = spans.filter(({ fromMs }) => clock(fromMs) === own);
          // Of an hour that the clock repeats, the first belongs to the single one of the other week.
          const at = seen.has(own) ? 1 : 0;
          seen.add(own);
          if ((previous !== null) !== (same[at] !== undefined)) faults.push(`before ${localTime}`);
          if (same.length === 1 && previous !== null) check(`before ${localTime}`, previous, same[0]!);
        }
      }

      expect(faults).toEqual([]);

      // The same as the series of the site, whose code is another.
      const scope = (await findSiteScope(db, first.userId, site.id))!;
      const bucket = kind === 'day' ? '1d' : '1w';
      const series = await readSeries(context, scope, { ...periods.current, timezone, bucket });
      const {
        abandonmentRate,
        arrivals,
        completed,
        abandoned,
        lost,
        coveragePercent,
        p50WaitSeconds,
        p90WaitSeconds,
      } = report.summary.current;
      expect(series.points).toMatchObject([
        {
          abandonmentRate,
          arrivals,
          completed,
          abandoned,
          lost,
          coveragePercent,
          p50WaitSeconds,
          p90WaitSeconds,
        },
      ]);
    }),
    { numRuns: dearCases(6) },
  );
});
