import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { comparedPeriods } from '../../../src/analytics/reports/period.ts';
import { readReport } from '../../../src/analytics/reports/read-report.ts';
import { formatsFor } from '../../../src/analytics/reports/render/formats.ts';
import { reportText } from '../../../src/analytics/reports/render/plain-text.ts';
import { findReportedSite } from '../../../src/analytics/reports/report.store.ts';
import { RunTills } from '../../../src/metrics/tills/run-tills.ts';
import { removeOldSpans, writeTills } from '../../../src/metrics/tills/till.store.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { readCsv } from '../../http/answer/read-csv.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addVisits } from './history-rows.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 20, 10);
const at = (minutes: number) => START + minutes * MINUTE_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const till = (id: string, left: number) => ({
  ...{ id, name: `Till ${id}`, type: 'polygon', points: rectangle(left, 0.5, left + 0.3, 1) },
});
const TILLS = [till('b', 0), till('a', 0.3)];

let api: TestApi;
let owner: ApiUser;
let sceneId: string;
const clock = new TestClock();

const ask = (query: string, id = sceneId) => owner.get(`/analytics/scenes/${id}/tills?${query}`);
const read = async (query: string) => {
  const answer = await ask(query);
  expect(answer.body.message ?? '').toBe('');
  return answer.body.data;
};
const HOUR = `from=${iso(at(0))}&to=${iso(at(60))}`;

/** States of both tills for some minutes; a letter for each minute. */
async function addStates(fromMinute: number, a: string, b: string, names = TILLS): Promise<void> {
  const states = { s: 'serving', f: 'free', c: 'closed' } as const;
  const run = new RunTills(names);
  for (const [minute, letter] of [...b].entries()) {
    if (letter === '-') continue;
    const now = [letter, a[minute]!].map((one) => states[one as 's']);
    for (let second = 0; second < 60; second++)
      run.add([
        {
          timeMs: at(fromMinute + minute) + second * 1000,
          states: now,
          isWaitedFor: [second < 30, second < 30],
        },
      ]);
  }
  const { db } = api.context;
  await db.$transaction((tx) => writeTills(tx, [{ sceneId, tills: run.take(null) }]));
}

beforeAll(async () => {
  clock.time = new Date(at(150));
  api = await testApi({}, clock);
  owner = await api.user();
  const device = await owner.post('/devices', SHOP);
  const body = { deviceId: device.body.data.id, name: 'Row', analysisType: 'queue_analysis' };
  const scene = await owner.post('/scenes', { ...body, config: { zones: { tills: TILLS } } });
  expect(scene.status).toBe(201);
  sceneId = scene.body.data.id;
  const { db } = api.context;
  await addStates(0, 'ssffcc', 'fsc-ff');
  // In the second quarter of an hour till a is called otherwise, and there is a third till.
  await addStates(15, 's', 'c', [TILLS[0]!, { ...TILLS[1]!, name: 'Express' }]);
  await addVisits(db, sceneId, [
    { outcome: 'completed', arrivedAtMs: at(0), decidedAtMs: at(1), waitMs: 1_000, serviceMs: 20_000 },
    { outcome: 'completed', arrivedAtMs: at(1), decidedAtMs: at(3), waitMs: 1_000, serviceMs: 40_000 },
    { outcome: 'completed', arrivedAtMs: at(2), decidedAtMs: at(16), waitMs: 1_000, serviceMs: 60_000 },
    { outcome: 'completed', arrivedAtMs: at(2), decidedAtMs: at(17), waitMs: 1_000, serviceMs: 60_000 },
    { outcome: 'lost', arrivedAtMs: at(2), decidedAtMs: at(18), waitMs: 1_000, serviceMs: 60_000 },
  ]);
  const visits = await db.visit.findMany({ where: { sceneId }, orderBy: { outcomeDecidedAt: 'asc' } });
  const [first, second, third, , lost] = visits.map(({ id }) => id);
  const atA = { where: { id: { in: [first!, second!, lost!] } }, data: { tillId: 'a' } };
  await db.visit.updateMany(atA);
  const services = [
    { tillId: 'gone', startedAt: iso(at(14)), endedAt: iso(at(14) + 20_000) },
    { tillId: 'a', startedAt: iso(at(14) + 25_000), endedAt: iso(at(15)) },
  ];
  await db.visit.updateMany({ where: { id: third! }, data: { tillId: 'a', services } });
});
afterAll(() => api?.drop());

describe('GET /analytics/scenes/{id}/tills', () => {
  test('states, services and spans of each till in the order of the scene, then tills that are gone', async () => {
    const { tills, ...all } = await read(`${HOUR}&bucket=15m`);
    expect(all).toMatchObject({ from: iso(at(0)), to: iso(at(60)), bucket: '15m', timezone: 'UTC' });
    expect(tills.map(({ tillId, name }: { tillId: string; name: string }) => [tillId, name])).toEqual([
      ['b', 'Till b'],
      ['a', 'Express'],
      ['gone', 'gone'],
    ]);
    const [b, a, gone] = tills;
    expect(b).toMatchObject({ services: 0, avgServiceSeconds: null, servingSeconds: 60, freeSeconds: 180 });
    expect(b).toMatchObject({ closedSeconds: 120, unknownSeconds: 3600 - 360 });
    expect(a).toMatchObject({
      services: 3,
      avgServiceSeconds: 31.667,
      p90ServiceSeconds: 39,
      servingSeconds: 180,
    });
    expect(a.series.services).toEqual([2, 1, 0, 0]);
    expect(a.series.avgServiceSeconds).toEqual([30, 35, null, null]);
    expect(gone).toMatchObject({
      services: 1,
      avgServiceSeconds: 20,
      servingSeconds: 0,
      unknownSeconds: 3600,
    });
    expect(b.spans).toEqual([
      { state: 'free', from: iso(at(0)), to: iso(at(1)) },
      { state: 'serving', from: iso(at(1)), to: iso(at(2)) },
      { state: 'closed', from: iso(at(2)), to: iso(at(3)) },
      { state: 'unknown', from: iso(at(3)), to: iso(at(4)) },
      { state: 'free', from: iso(at(4)), to: iso(at(6)) },
      { state: 'unknown', from: iso(at(6)), to: iso(at(15)) },
      { state: 'closed', from: iso(at(15)), to: iso(at(16)) },
      { state: 'unknown', from: iso(at(16)), to: iso(at(60)) },
    ]);
  });

  test('open tills, utilisation and lost time of the scene', async () => {
    const all = await read(`${HOUR}&bucket=15m`);
    // Both tills, minutes with frames: f s, s s, f c (a free), c f, c f and s c (open 1, 2, 1, 1, 1, 1 of six).
    expect(all).toMatchObject({ avgOpenTills: 1.333, tillUtilization: 0.5, waitedWithFreeTillSeconds: 120 });
    expect(all.series.avgOpenTills).toEqual([1.4, 1, null, null]);
    expect(all.series.waitedWithFreeTillSeconds).toEqual([120, 0, null, null]);
  });

  test('buckets of a minute say the same as longer ones', async () => {
    const [fine, coarse] = [await read(`${HOUR}&bucket=1m`), await read(`${HOUR}&bucket=1h`)];
    for (const name of ['avgOpenTills', 'tillUtilization', 'waitedWithFreeTillSeconds'])
      expect(fine[name]).toEqual(coarse[name]);
    const without = ({ series: _, ...one }: { series: unknown }) => one;
    expect(fine.tills.map(without)).toEqual(coarse.tills.map(without));
    expect(fine.tills[1].series.servingSeconds.slice(0, 3)).toEqual([60, 60, 0]);
    expect(fine.series.avgOpenTills.slice(0, 5)).toEqual([2, 2, 1, null, 1]);
  });

  test('an unfinished bucket has no unknown time after now', async () => {
    const { tills, unfinishedIndex } = await read(`from=${iso(at(120))}&to=${iso(at(180))}&bucket=1h`);
    expect(unfinishedIndex).toBe(0);
    expect(tills[0].unknownSeconds).toBe(30 * 60);
    expect(tills[0].spans).toEqual([{ state: 'unknown', from: iso(at(120)), to: iso(at(150)) }]);
  });

  test('a range of more than 25 hours has no spans', async () => {
    const { tills } = await read(`from=${iso(at(-48 * 60))}&to=${iso(at(60))}`);
    expect(tills[0]).toMatchObject({ spans: null, servingSeconds: 60 });
  });

  test('CSV has a row for each bucket and till, with the name of that time', async () => {
    const path = `/analytics/scenes/${sceneId}/tills?${HOUR}&bucket=15m`;
    const answer = await owner.get(path).set('Accept', 'text/csv');
    const [header, ...rows] = readCsv(answer.text);
    expect(header).toEqual([
      ...['t', 'tillId', 'name', 'services', 'avgServiceSeconds', 'p90ServiceSeconds'],
      ...['servingSeconds', 'freeSeconds', 'closedSeconds', 'unknownSeconds', 'utilization'],
    ]);
    expect(rows).toHaveLength(4 * 3);
    expect(rows[1]).toEqual([
      ...[iso(at(0)), 'a', 'Till a', '2', '30', '38'],
      ...['120', '60', '120', '600', '0.667'],
    ]);
    expect(rows[4]!.slice(0, 3)).toEqual([iso(at(15)), 'a', 'Express']);
  });

  test('the report of a day has the tills: as JSON, CSV, HTML, and as plain text for mails', async () => {
    const { deviceId } = (await owner.get(`/scenes/${sceneId}`)).body.data;
    const shop = { name: 'Shop', timezone: 'UTC', deviceIds: [deviceId] };
    const siteId = (await owner.post('/sites', shop)).body.data.id;
    const path = `/reports/${siteId}?period=day&date=2026-11-20`;
    const { tills } = (await owner.get(path)).body.data;
    expect(tills).toEqual([
      expect.objectContaining({ tillId: 'b', name: 'Till b', services: 0, utilization: 0.25 }),
      expect.objectContaining({ tillId: 'a', name: 'Express', services: 3, servingSeconds: 180 }),
      expect.objectContaining({ tillId: 'gone', services: 1 }),
    ]);
    const [columns, ...cells] = readCsv((await owner.get(path).set('Accept', 'text/csv')).text);
    const names = ['level', 'sceneName', 'tillId', 'tillName', 'services', 'servingSeconds', 'arrivals'];
    expect(cells.slice(-4).map((row) => names.map((name) => row[columns!.indexOf(name)]))).toEqual([
      ['hour', '', '', '', '', '', ''],
      ['till', 'Row', 'b', 'Till b', '0', '60', ''],
      ['till', 'Row', 'a', 'Express', '3', '180', ''],
      ['till', 'Row', 'gone', 'gone', '1', '0', ''],
    ]);
    const page = await owner.get(path).set('Accept', 'text/html');
    expect(page.text).toContain('<bdi>Express</bdi>');
    const site = await findReportedSite(api.context.db, owner.userId, siteId);
    const report = await readReport(api.context, site!, comparedPeriods('day', '2026-11-20', 'UTC')!);
    const lines = reportText(report, formatsFor('en', 'UTC')).split('\n');
    const from = lines.findIndex((line) => line.startsWith('Till '));
    expect(lines.slice(from, from + 4).map((line) => line.split(/ {2,}/))).toEqual([
      ['Till', 'Services', 'Average service, min', '9 of 10 services, min', 'Utilisation'],
      expect.arrayContaining(['Express', '3']),
      expect.arrayContaining(['gone', '1']),
      expect.arrayContaining(['Till b', '0']),
    ]);
  });

  test('a scene without tills has an empty list, and numbers that are null', async () => {
    const device = await owner.post('/devices', { ...SHOP, name: 'Other' });
    const body = { deviceId: device.body.data.id, name: 'Queue', analysisType: 'queue_analysis' };
    const scene = await owner.post('/scenes', body);
    const { data } = (await ask(`${HOUR}&bucket=1h`, scene.body.data.id)).body;
    expect(data).toMatchObject({ tills: [], avgOpenTills: null, tillUtilization: null });
  });

  test.each(['from=yesterday', 'bucket=2m', `from=${iso(at(1))}&to=${iso(at(0))}`, 'timezone=Mars'])(
    '%s is refused',
    async (query) => expect((await ask(query)).status).toBe(400),
  );

  test('a scene of somebody else is not found', async () => {
    const other = await shopOf(await api.user());
    expect(codeOf(await ask(HOUR, other.sceneId))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /visits', () => {
  test('tells the tills of a visit, and filters by the till', async () => {
    const { data } = (await owner.get(`/visits?sceneId=${sceneId}&tillId=a&outcome=completed`)).body;
    expect(data).toHaveLength(3);
    expect(data[0]).toMatchObject({
      tillId: 'a',
      tills: [
        { tillId: 'gone', startedAt: iso(at(14)), endedAt: iso(at(14) + 20_000), seconds: 20 },
        { tillId: 'a', seconds: 35 },
      ],
    });
    expect(data[2]).toMatchObject({ tillId: 'a', tills: [{ tillId: 'a', seconds: 20 }] });
    const all = (await owner.get(`/visits?sceneId=${sceneId}`)).body.data;
    expect(all.filter(({ tillId }: { tillId: string | null }) => tillId === null)).toHaveLength(1);
    expect((await owner.get(`/visits?sceneId=${sceneId}&tillId=x`)).body.data).toEqual([]);
    expect((await owner.get(`/visits?tillId=a%20b`)).status).toBe(400);
  });

  test('CSV has the till', async () => {
    const answer = await owner.get(`/visits?sceneId=${sceneId}`).set('Accept', 'text/csv');
    const [header, first] = readCsv(answer.text);
    expect(header).toContain('tillId');
    expect(header).not.toContain('tills');
    expect(first![header!.indexOf('tillId')]).toBe('a');
  });
});

test('after the retention of minutes the sums stay and the seconds are gone', async () => {
  const { db } = api.context;
  await removeOldSpans(db, new Date(at(15)));
  const { tills } = await read(`${HOUR}&bucket=15m`);
  expect(tills[0]).toMatchObject({ servingSeconds: 60, freeSeconds: 180 });
  expect(tills[0].spans[0]).toEqual({ state: 'unknown', from: iso(at(0)), to: iso(at(15)) });
  expect(tills[0].spans[1]).toEqual({ state: 'closed', from: iso(at(15)), to: iso(at(16)) });
});

test('tills of a running scene stay; one that is renamed or removed later keeps its rows, with the name of then', async () => {
  const { db } = api.context;
  const zones = { tills: [{ ...TILLS[0]!, name: 'Bread' }] };
  const change = () => owner.patch(`/scenes/${sceneId}`, { config: { zones } });
  const run = (analysisStatus: 'running' | 'stopped') =>
    db.scene.update({ where: { id: sceneId }, data: { analysisStatus } });
  await run('running');
  expect(codeOf(await change())).toEqual([400, 'SCENE_ANALYSIS_ACTIVE']);
  await run('stopped');
  expect((await change()).status).toBe(200);
  const names = async (query: string) =>
    (await read(query)).tills.map(({ tillId, name }: { tillId: string; name: string }) => [tillId, name]);
  const gone = ['gone', 'gone'];
  expect(await names(`${HOUR}&bucket=15m`)).toEqual([['b', 'Till b'], ['a', 'Express'], gone]);
  expect(await names(`from=${iso(at(120))}&to=${iso(at(150))}&bucket=15m`)).toEqual([['b', 'Bread']]);
  await addStates(120, 's', 'f', [{ ...TILLS[0]!, name: 'Bread' }]);
  expect(await names(`from=${iso(at(0))}&to=${iso(at(150))}`)).toEqual([
    ['b', 'Bread'],
    ['a', 'Express'],
    gone,
  ]);
});
