import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditHistory } from '../../src/analytics/history/audit-history.ts';
import { checkImageStorage } from '../../src/images/check-storage.ts';
import { removeOldHistory } from '../../src/metrics/folded/history-retention.job.ts';
import { decided } from '../../src/metrics/sums.ts';
import { addDecided, noTotals } from '../../src/metrics/totals.ts';
import { visitOfRow } from '../../src/metrics/visit-of-row.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { rowsOf } from '../../src/privacy/export/export.store.ts';
import { EXPORTED_ROWS } from '../../src/privacy/ranged-rows.store.ts';
import { workOnNext } from '../../src/privacy/work-on-jobs.ts';
import { addMinutes, addVisits } from '../analytics/history/history-rows.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { addScene } from './filled-scene.ts';

const FROM = new Date('2026-11-01T10:00:00Z');
const TO = new Date('2026-11-01T14:05:00Z');
const at = (time: string) => new Date(`2026-11-01T${time}:30.000Z`);
/** The last one lies in the quarter of an hour in which the range ends, after its end. */
const INSIDE = [at('10:05'), at('12:17'), at('14:09')];
const OUTSIDE = [at('07:10'), at('09:59'), at('14:15'), at('16:20')];

let api: TestApi;
let db: Db;
beforeAll(async () => {
  api = await testApi();
  ({ db } = api.context);
  await checkImageStorage(api.context);
});
afterAll(() => api.drop());

/** A scene whose visits and minutes of these times are removed by retention. */
async function folded(days: { readonly visits: number; readonly minutes: number }) {
  const scene = await addScene(db);
  const moments = [...INSIDE, ...OUTSIDE].map(Number);
  const visit = { outcome: 'completed', waitMs: 0, serviceMs: 0 } as const;
  await addVisits(
    db,
    scene.sceneId,
    moments.map((arrivedAtMs) => ({ ...visit, arrivedAtMs })),
  );
  await addMinutes(
    db,
    scene.sceneId,
    moments.map((moment) => ({ atMs: moment - 30_000 })),
  );
  const totals = noTotals();
  for (const row of await db.visit.findMany({ where: { sceneId: scene.sceneId } })) {
    totals.arrivals += 1;
    addDecided(totals, decided(visitOfRow(row)));
  }
  await db.sceneTotals.update({ where: { sceneId: scene.sceneId }, data: totals });
  const config = { visitRetentionDays: days.visits, minuteRetentionDays: days.minutes } as never;
  await removeOldHistory({ db, config, clock: { now: () => new Date('2027-01-01T00:00:00Z') } });
  return scene;
}

const rowsLeft = async (sceneId: string) => ({
  visits: await db.visit.count({ where: { sceneId } }),
  minutes: await db.occupancyMinute.count({ where: { sceneId } }),
  visitQuarters: await times(db.visitQuarter.findMany({ where: { sceneId }, orderBy: { quarter: 'asc' } })),
  quarters: await times(db.occupancyQuarter.findMany({ where: { sceneId }, orderBy: { quarter: 'asc' } })),
});
const times = async (rows: Promise<{ quarter: Date }[]>) =>
  (await rows).map(({ quarter }) => quarter.toISOString().slice(11, 16));

async function erase(userId: string) {
  const { id } = await db.dataJob.create({
    data: { userId, kind: 'erasure', rangeFrom: FROM, rangeTo: TO, deviceIds: [] },
  });
  expect(await workOnNext(api.context, new AbortController().signal)).toBe(true);
  return db.dataJob.findUniqueOrThrow({ where: { id } });
}

async function expectTotals(sceneId: string, counted: number) {
  const totals = await db.sceneTotals.findUniqueOrThrow({ where: { sceneId } });
  expect(totals).toMatchObject({ arrivals: counted, completedCount: counted, waitHistogram: [counted] });
  const { differences } = await auditHistory(db);
  expect(differences.filter((difference) => difference.sceneId === sceneId)).toEqual([]);
}

const LEFT = ['07:00', '09:45', '14:15', '16:15'];

test('an erasure removes the sums of removed visits and minutes that overlap the range, and the totals fit the rest', async () => {
  const { sceneId, userId } = await folded({ visits: 31, minutes: 31 });
  await expectTotals(sceneId, 7);
  expect(await rowsLeft(sceneId)).toMatchObject({ visits: 0, minutes: 0 });
  const { status, counts } = await erase(userId);
  expect([status, counts]).toEqual(['completed', expect.objectContaining({ visitQuarters: 3, quarters: 3 })]);
  expect(await rowsLeft(sceneId)).toEqual({ visits: 0, minutes: 0, visitQuarters: LEFT, quarters: LEFT });
  await expectTotals(sceneId, 4);
});

test('visits and minutes that are still there are erased by their own times', async () => {
  const young = await folded({ visits: 400, minutes: 400 });
  await erase(young.userId);
  // The visit and the minute of 14:09 lie after the range.
  const left = [...LEFT.slice(0, 2), '14:00', ...LEFT.slice(2)];
  expect(await rowsLeft(young.sceneId)).toEqual({ visits: 5, minutes: 5, visitQuarters: [], quarters: left });
  await expectTotals(young.sceneId, 5);

  const mixed = await folded({ visits: 31, minutes: 400 });
  await erase(mixed.userId);
  expect(await rowsLeft(mixed.sceneId)).toEqual({
    visits: 0,
    minutes: 5,
    visitQuarters: LEFT,
    quarters: left,
  });
  await expectTotals(mixed.sceneId, 4);
});

test('an export has the sums of what is removed', async () => {
  const { sceneId } = await folded({ visits: 31, minutes: 31 });
  const exported: Record<string, number> = {};
  const found: Readonly<Record<string, unknown>>[] = [];
  for (const rows of EXPORTED_ROWS) {
    for await (const row of rowsOf(db, rows, { sceneId, from: FROM, to: TO })) {
      exported[rows.name] = (exported[rows.name] ?? 0) + 1;
      if (rows.name === 'visitQuarters') found.push(row);
    }
  }
  expect(exported).toMatchObject({ visitQuarters: 3, quarters: 3 });
  expect([exported.visits, exported.minutes]).toEqual([undefined, undefined]);
  expect(found[0]).toEqual({
    ...{ sceneId, quarter: FROM, arrivals: 1 },
    ...{ outcomes: ['completed'], waitMs: [0], serviceMs: [0], inTime: null, tillIds: null },
  });
});
