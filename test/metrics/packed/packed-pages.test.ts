import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sampleMetrics } from '../../../scripts/seed/numbers.ts';
import { usualAtThisHour } from '../../../src/insights/rules/usual.store.ts';
import { packRows } from '../../../src/metrics/packed/pack-rows.job.ts';
import { countListed, listNewest } from '../../../src/metrics/packed/packed-lists.store.ts';
import { PACKED_SNAPSHOTS } from '../../../src/metrics/packed/packed-tables.store.ts';
import { currentBytes, windowBytes } from '../../../src/metrics/stored-numbers.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { type ApiUser, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { dearCases, fc } from '../../support/property.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';

const NOW = new Date('2031-05-10T15:00:00Z');
/** Days that are packed, and the two that are not. */
const DAYS = 5;
const FIRST = Date.UTC(2031, 4, 6);
const STEP_MS = 100_000;
const STEPS = (DAYS * 86_400_000) / STEP_MS;
const TYPES = ['15min', '30min', '5min', '60min', 'total'] as const;
type Table = 'MetricSnapshot' | 'RollingRecord';
const SAMPLES = Array.from({ length: 20 }, (_, at) => {
  const { current, rolling5Min } = sampleMetrics(createRandom(at));
  return { current, window: { ...rolling5Min, coveragePercent: 100 } };
});

let api: TestApi;
let owner: ApiUser;
beforeAll(async () => {
  api = await testApi();
  owner = await api.user();
});
afterAll(() => api?.drop());

interface Row {
  readonly step: number;
  readonly type: (typeof TYPES)[number];
  /** Written before the job, after it, or by version 0.2, whose rows are never packed. */
  readonly written: 'early' | 'late' | 'without bytes';
}

const at = (step: number) => new Date(FIRST + step * STEP_MS);
/** A turn packs a day of each scene. */
async function pack(): Promise<void> {
  for (let turn = 0; turn < DAYS; turn++) await packRows({ db: api.context.db, clock: { now: () => NOW } });
}

async function addScene() {
  const shop = await shopOf(owner);
  await api.context.db.scene.update({ where: { id: shop.sceneId }, data: { metricsUpdatedAt: NOW } });
  return shop;
}

const insert = (
  table: Table,
  shop: { sceneId: string; deviceId: string },
  rows: readonly (Row & { id?: string })[],
) =>
  insertRows(
    api.context.db,
    table,
    rows.map(({ step, type, written, id = randomUUID() }) => {
      const { current, window } = SAMPLES[step % SAMPLES.length]!;
      const isSnapshot = table === 'MetricSnapshot';
      const numbers = isSnapshot ? current : window;
      return {
        ...{ id, ...shop, windowStart: at(step - 1), windowEnd: at(step), createdAt: at(step + 1) },
        ...(isSnapshot ? { durationSeconds: step % 7 } : { windowType: type }),
        ...(written === 'without bytes'
          ? { numbers: null, [isSnapshot ? 'currentMetrics' : 'metrics']: numbers }
          : {
              numbers: `\\x${Buffer.from(isSnapshot ? currentBytes(current) : windowBytes(numbers)).toString('hex')}`,
              [isSnapshot ? 'currentMetrics' : 'metrics']: null,
            }),
      };
    }),
  );

const step = fc.integer({ min: 0, max: STEPS });
const written = fc.oneof(
  { weight: 6, arbitrary: fc.constant('early' as const) },
  fc.constantFrom('late' as const, 'without bytes' as const),
);
const row = fc.record({ step, type: fc.constantFrom(...TYPES), written });
const range = fc.record({
  start: fc.option(step, { nil: undefined }),
  steps: fc.option(step, { nil: undefined }),
  type: fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
  limit: fc.integer({ min: 4, max: 40 }),
});

/** The answers of all pages and of the one after them. */
async function readPages(path: string, limit: number): Promise<{ data: { id: string }[]; meta: unknown }[]> {
  const pages = [];
  for (let page = 1; ; page++) {
    const { status, body } = await owner.get(`${path}&limit=${limit}&page=${page}`);
    expect(status).toBe(200);
    pages.push({ data: body.data, meta: body.meta.pagination });
    if (page > body.meta.pagination.totalPages) return pages;
  }
}

test.each([
  ['snapshots', 'MetricSnapshot'],
  ['rolling', 'RollingRecord'],
] as const)(
  'all pages of %s are those of a plain sort, whether rows are packed, came late, or are never packed',
  async (list, table) => {
    const isRolling = table === 'RollingRecord';
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, {
          selector: ({ step, type }) => (isRolling ? `${step} ${type}` : step),
          maxLength: 150,
          size: 'max',
        }),
        fc.array(range, { minLength: 3, maxLength: 3 }),
        async (all, ranges) => {
          const shop = await addScene();
          const rows = all.map((each) => ({ ...each, id: randomUUID() }));
          const sorted = rows.toSorted((a, b) => b.step - a.step || (a.type < b.type ? -1 : 1));
          const read = () =>
            Promise.all(
              ranges.map(async ({ start, steps, type, limit }) => {
                const end = steps === undefined ? undefined : (start ?? 0) + steps;
                const path = new URLSearchParams({
                  sceneId: shop.sceneId,
                  ...(start !== undefined && { startDate: at(start).toISOString() }),
                  ...(end !== undefined && { endDate: at(end).toISOString() }),
                  ...(isRolling && type && { windowType: type }),
                });
                const pages = await readPages(`/analytics/${list}?${path}`, limit);
                const expected = sorted.filter(
                  (each) =>
                    each.step >= (start ?? 0) &&
                    each.step < (end ?? Infinity) &&
                    (!isRolling || !type || each.type === type),
                );
                expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(
                  expected.map(({ id }) => id),
                );
                return pages;
              }),
            );
          await insert(table, shop, rows);
          const before = await read();
          const db = api.context.db as unknown as Record<
            string,
            { deleteMany(query: object): Promise<unknown> }
          >;
          const late = rows.filter((each) => each.written === 'late');
          await db[isRolling ? 'rollingRecord' : 'metricSnapshot']!.deleteMany({
            where: { id: { in: late.map(({ id }) => id) } },
          });
          await pack();
          await insert(table, shop, late);
          expect(await read()).toEqual(before);
        },
      ),
      { numRuns: dearCases(6) },
    );
  },
);

test('a page is the same when rows are packed while it is read', async () => {
  for (const statement of [1, 2, 3, 4]) {
    const shop = await addScene();
    const rows = Array.from({ length: 200 }, (_, n) => ({
      ...{ id: randomUUID(), step: n, type: 'total' as const },
      written: n % 2 === 0 ? ('early' as const) : ('without bytes' as const),
    }));
    await insert('MetricSnapshot', shop, rows);
    let statements = 0;
    const db = api.context.db.$extends({
      query: {
        async $queryRaw({ args, query }) {
          const answer = await query(args);
          statements += 1;
          if (statements === statement) await pack();
          return answer;
        },
      },
    }) as unknown as Db;
    const page = await listNewest<{ id: string }>(db, PACKED_SNAPSHOTS, shop, { skip: 10, take: 20 });
    expect(page.map(({ id }) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .toReversed()
        .slice(10, 30),
    );
    expect(await countListed(db, PACKED_SNAPSHOTS, shop)).toBe(200);
  }
});

test('the latest rows are found where all are packed', async () => {
  const shop = await addScene();
  const rows = Array.from({ length: 400 }, (_, n) => ({
    step: n,
    type: TYPES[n % 4]!,
    written: 'early' as const,
  }));
  await insert('MetricSnapshot', shop, rows);
  await insert('RollingRecord', shop, rows);
  const read = async () =>
    (await owner.get(`/analytics/scenes/${shop.sceneId}/latest?snapshotLimit=60`)).body.data;
  const before = await read();
  expect(before.snapshots).toHaveLength(60);
  expect(before.rolling['15min'].windowEnd).toBe(at(396).toISOString());
  await pack();
  expect(await api.context.db.metricSnapshot.count({ where: { sceneId: shop.sceneId } })).toBe(0);
  expect(await read()).toEqual(before);
});

test('the preview of a rule and the usual value are the same before and after the rows are packed', async () => {
  const shop = await addScene();
  const { db } = api.context;
  const steps = Array.from({ length: STEPS }, (_, n) => n);
  await insert(
    'MetricSnapshot',
    shop,
    steps.map((n) => ({ step: n, type: 'total', written: 'early' })),
  );
  await insert(
    'RollingRecord',
    shop,
    steps.map((n) => ({ step: n, type: '60min', written: 'early' })),
  );
  const read = async () => {
    const { body } = await owner.post('/alerts/rules/preview', {
      sceneId: shop.sceneId,
      conditions: [
        { metricPath: 'current.inQueue', operator: 'GT', threshold: 3 },
        { metricPath: 'rolling60Min.arrivals', operator: 'GT', threshold: 3 },
      ],
      startDate: at(10).toISOString(),
      endDate: at(STEPS - 10).toISOString(),
      curvePoints: 50,
    });
    return {
      preview: body.data,
      // Windows end at multiples of 100 s: those of whole hours are the same on each day.
      usual: await usualAtThisHour(db, {
        sceneId: shop.sceneId,
        name: 'arrivals',
        at: NOW,
        timezone: 'Europe/Berlin',
      }),
    };
  };
  const before = await read();
  expect(before.preview.snapshotCount).toBe(STEPS - 20);
  expect(before.preview.firingCount).toBeGreaterThan(10);
  expect(before.usual?.days).toBe(DAYS - 1);
  await pack();
  expect(await db.rollingHour.count({ where: { sceneId: shop.sceneId } })).toBe(3 * 24);
  expect(await read()).toEqual(before);
});
