import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import {
  type ApiUser,
  codeOf,
  QUEUE_ZONE,
  SHOP,
  type TestApi,
  TestClock,
  testApi,
} from '../../support/api.ts';
import { addMinutes, addVisits } from '../history/history-rows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday 23 November 2026, 00:00 in Berlin, and the Monday before. */
const MONDAY = Date.parse('2026-11-22T23:00:00Z');
const BEFORE = MONDAY - 7 * DAY_MS;
/** Names that would break out of a text, an attribute, a line, a cell of a spreadsheet. */
const SITE_NAME = `</title><script>alert("1")</script>\r\nBcc: x@example.com`;
const SCENE_NAME = `=HYPERLINK("http://evil.example") '"><img src=x onerror=alert(1)> \u202Egnp.exe`;

let api: TestApi;
let owner: ApiUser;
let siteId: string;
let sceneId: string;
let deviceId: string;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(MONDAY + 30 * HOUR_MS);
  api = await testApi({}, clock);
  owner = await api.user();
  deviceId = (await owner.post('/devices', { ...SHOP, name: 'Camera <1>' })).body.data.id;
  const scene = { deviceId, name: 'Queue', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } };
  sceneId = (await owner.post('/scenes', scene)).body.data.id;
  const site = { name: 'Shop', timezone: 'Europe/Berlin', deviceIds: [deviceId] };
  siteId = (await owner.post('/sites', site)).body.data.id;
  const { db } = api.context;
  // Names like these are refused; whatever a row has, the answer is text.
  await db.scene.update({ where: { id: sceneId }, data: { name: SCENE_NAME } });
  await db.site.update({ where: { id: siteId }, data: { name: SITE_NAME } });
  const minutesOf = (startMs: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ atMs: startMs + at * 60_000, inQueue: 1 }));
  // Nine to eleven, and on the Monday before nine to half past ten.
  await addMinutes(db, sceneId, [
    ...minutesOf(MONDAY + 9 * HOUR_MS, 120),
    ...minutesOf(BEFORE + 9 * HOUR_MS, 90),
  ]);
  const at = (startMs: number, minutes: number) => ({
    arrivedAtMs: startMs + 9 * HOUR_MS + minutes * 60_000,
    decidedAtMs: startMs + 9 * HOUR_MS + (minutes + 5) * 60_000,
  });
  await addVisits(db, sceneId, [
    { outcome: 'completed', ...at(MONDAY, 1), waitMs: 60_000, serviceMs: 30_000, targetMs: 180_000 },
    { outcome: 'completed', ...at(MONDAY, 2), waitMs: 120_000, serviceMs: 50_000, targetMs: 180_000 },
    { outcome: 'completed', ...at(MONDAY, 62), waitMs: 300_000, serviceMs: 40_000, targetMs: 180_000 },
    { outcome: 'abandoned', ...at(MONDAY, 10), waitMs: 200_000, targetMs: 180_000 },
    { outcome: 'discarded', ...at(MONDAY, 11), waitMs: 999_000 },
    { outcome: 'completed', ...at(BEFORE, 3), waitMs: 30_000, serviceMs: 30_000 },
    { outcome: 'lost', ...at(BEFORE, 4), waitMs: 30_000 },
  ]);
});
afterAll(() => api?.drop());

const get = (query = '', user = owner, id = siteId) => user.get(`/reports/${id}${query}`);
const html = async (query = '') => (await get(`${query}${query ? '&' : '?'}format=html`)).text;

/** Of rows from before it was measured. */
const NO_ERROR = {
  ...{ expectedErrorPercent: null, expectedErrorLowPercent: null, expectedErrorHighPercent: null },
  ...{
    expectedWaitErrorPercent: null,
    expectedWaitErrorLowPercent: null,
    expectedWaitErrorHighPercent: null,
  },
};

describe('GET /reports/{siteId}', () => {
  test('without a date it is about yesterday, compared with the same weekday', async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect([data.siteName, data.period, data.timezone, data.isUnfinished]).toEqual([
      ...[SITE_NAME, 'day', 'Europe/Berlin', false],
    ]);
    expect([data.current, data.previous]).toEqual([
      { from: '2026-11-22T23:00:00.000Z', to: '2026-11-23T23:00:00.000Z', date: '2026-11-23' },
      { from: '2026-11-15T23:00:00.000Z', to: '2026-11-16T23:00:00.000Z', date: '2026-11-16' },
    ]);
    expect(data.summary).toEqual({
      current: {
        ...{
          coveragePercent: 8.333,
          arrivals: 4,
          completed: 3,
          abandoned: 1,
          lost: 0,
          abandonmentRate: 0.25,
        },
        ...{ p50WaitSeconds: 120, p90WaitSeconds: 264, p50ServiceSeconds: 40, serviceLevel: 0.5 },
        ...{ avgOpenTills: null, tillUtilization: null, waitedWithFreeTillSeconds: null },
        ...NO_ERROR,
      },
      previous: {
        ...{ coveragePercent: 6.25, arrivals: 2, completed: 1, abandoned: 0, lost: 1, abandonmentRate: 0 },
        ...{ p50WaitSeconds: 30, p90WaitSeconds: 30, p50ServiceSeconds: 30, serviceLevel: null },
        ...{ avgOpenTills: null, tillUtilization: null, waitedWithFreeTillSeconds: null },
        ...NO_ERROR,
      },
    });
    expect(data.change).toMatchObject({
      arrivals: { absolute: 2, percent: 100 },
      abandoned: { absolute: 1, percent: null },
      p50WaitSeconds: { absolute: 90, percent: 300 },
    });
    expect(data.scenes).toEqual([
      {
        ...{ sceneId, sceneName: SCENE_NAME, deviceId, deviceName: 'Camera <1>' },
        ...data.summary,
      },
    ]);
    expect([data.days.length, data.hours.length]).toEqual([1, 24]);
    expect(data.hours[9]).toMatchObject({
      ...{ from: '2026-11-23T08:00:00.000Z', localTime: '2026-11-23T09:00:00+01:00' },
      current: { coveragePercent: 100, arrivals: 3, completed: 2, abandoned: 1, p50WaitSeconds: 90 },
      previous: { coveragePercent: 100, arrivals: 2, completed: 1, lost: 1 },
    });
    expect(data.hours[10].previous).toMatchObject({ coveragePercent: 50, arrivals: 0, p50WaitSeconds: null });
    // Nothing was measured: null, never 0.
    expect(data.hours[8].current).toMatchObject({ coveragePercent: 0, arrivals: null, completed: null });
    expect(data.busiestHours.map((hour: { localTime: string }) => hour.localTime.slice(11, 16))).toEqual([
      ...['09:00', '10:00'],
    ]);
  });

  test('a week begins on Monday, and one that has not ended is not compared', async () => {
    const { data } = (await get('?period=week&date=2026-11-25')).body;
    expect([data.current.date, data.previous.date, data.isUnfinished, data.change]).toEqual([
      ...['2026-11-23', '2026-11-16', true, null],
    ]);
    expect([data.days.length, data.hours.length]).toEqual([7, 168]);
    expect(data.days[0]).toMatchObject({ current: { arrivals: 4 }, previous: { arrivals: 2 } });
    expect(data.summary.current.arrivals).toBe(4);
    // 2 of the 30 hours until now.
    expect(data.summary.current.coveragePercent).toBe(6.667);
    const last = (await get('?period=week')).body.data;
    expect([last.current.date, last.summary.current.arrivals]).toEqual(['2026-11-16', 2]);
  });

  test('a scene with two tills is planned for the day after, by the half hour', async () => {
    const device = (await owner.post('/devices', SHOP)).body.data.id;
    const tills = ['a', 'b'].map((id, at) => ({
      ...{ id, name: id, type: 'polygon' },
      points: rectangle(at * 0.5, 0.6, at * 0.5 + 0.4, 1),
    }));
    const zones = { queueZone: QUEUE_ZONE, tills };
    const body = { deviceId: device, name: 'Row', analysisType: 'queue_analysis', config: { zones } };
    const scene = (await owner.post('/scenes', body)).body.data.id;
    const place = { name: 'Row', timezone: 'Europe/Berlin', deviceIds: [device] };
    const site = (await owner.post('/sites', place)).body.data.id;
    const learning = (await get('', owner, site)).body.data.plan;
    expect(learning.scenes[0]).toMatchObject({ sceneId: scene, halfHours: null });
    // Two a minute from ten to eleven, each served for 40 s, on the eight days before Tuesday.
    const days = Array.from({ length: 8 }, (_, day) => MONDAY - day * DAY_MS + 10 * HOUR_MS);
    const { db } = api.context;
    await addMinutes(
      db,
      scene,
      days.flatMap((fromMs) => Array.from({ length: 60 }, (_, at) => ({ atMs: fromMs + at * 60_000 }))),
    );
    await addVisits(
      db,
      scene,
      days.flatMap((fromMs) =>
        Array.from({ length: 120 }, (_, at) => ({
          ...{ outcome: 'completed' as const, arrivedAtMs: fromMs + at * 30_000 },
          ...{ decidedAtMs: fromMs + at * 30_000 + 60_000, waitMs: 20_000, serviceMs: 40_000 },
        })),
      ),
    );
    const { plan } = (await get('', owner, site)).body.data;
    expect(plan).toMatchObject({
      date: '2026-11-24',
      scenes: [{ sceneName: 'Row', target: { waitSeconds: 180, share: 0.9 } }],
    });
    const busy = plan.scenes[0].halfHours.filter(({ people }: { people: number }) => people > 40);
    expect(busy).toMatchObject([
      { from: '2026-11-24T09:00:00.000Z', localTime: '2026-11-24T10:00:00+01:00', tills: 2 },
      { from: '2026-11-24T09:30:00.000Z', to: '2026-11-24T10:00:00.000Z', tills: 2 },
    ]);
    expect((await get('?format=html', owner, site)).text).toContain('Plan for Tue');
    const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], start: '10:30', end: '18:00' }];
    await owner.patch(`/sites/${site}`, { openingHours: { windows, exceptions: [] } });
    const planned = (await get('', owner, site)).body.data.plan.scenes[0].halfHours;
    expect(planned[0]).toMatchObject({ from: '2026-11-24T09:30:00.000Z', tills: 2 });
    expect((await get('?date=2026-11-20', owner, site)).body.data.plan).toBeNull();
    expect((await get()).body.data.plan).toBeNull();
  });

  test.each([
    ['?date=2026-02-30', 'date'],
    ['?date=1999-01-01', 'must lie in the years 2001 to 2999'],
    ['?date=23.11.2026', 'must be a date like 2026-11-23'],
    ['?period=month', 'period: must be one of day, week'],
    ['?format=pdf', 'format: must be one of json, csv, html'],
    ['?from=2026-11-23', 'from: is not a query parameter here'],
  ])('%s is refused', async (query, message) => {
    const answer = await get(query);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.message.toLowerCase()).toContain(message.toLowerCase());
  });

  test('a date that the time zone skipped is refused', async () => {
    const made = await owner.post('/sites', { name: 'Apia', timezone: 'Pacific/Apia' });
    const answer = await get('?date=2011-12-30', owner, made.body.data.id);
    expect(codeOf(answer)).toEqual([400, 'INVALID_DATE_RANGE']);
    // A site without devices has a report without numbers.
    const empty = await get('', owner, made.body.data.id);
    expect(empty.body.data).toMatchObject({
      scenes: [],
      busiestHours: [],
      summary: { current: { arrivals: null } },
    });
    expect((await get('?format=html', owner, made.body.data.id)).text).toContain('Nothing was measured');
  });

  test('the site of another user is not found, in any format', async () => {
    const other = await api.user();
    for (const query of ['', '?format=csv', '?format=html'])
      expect(codeOf(await get(query, other))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('formats', () => {
  test.each([
    ['', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['', 'text/csv', 'text/csv'],
    ['', '*/*', 'application/json'],
    ['?format=csv', 'text/html', 'text/csv'],
    ['?format=html', 'application/json', 'text/html'],
    ['?format=json', 'text/html', 'application/json'],
  ])('"%s" with Accept: %s is %s', async (query, accept, type) => {
    const answer = await get(query).set('Accept', accept);
    const vary = type === 'application/json' ? 'Origin, Accept, Accept-Encoding' : 'Origin, Accept';
    expect([answer.status, answer.headers['content-type']!.split(';')[0], answer.headers.vary]).toEqual([
      ...[200, type, vary],
    ]);
  });

  test('a document loads nothing, runs nothing, and shows hostile names as text', async () => {
    const answer = await get('?format=html');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline';/,
    );
    const page = answer.text;
    expect(page).not.toMatch(
      /<script|<img|<iframe|<link|onerror=alert\(1\)>|javascript:|url\((?!#hatch)|\u202E/i,
    );
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    // The only addresses are those of namespaces.
    expect([...page.matchAll(/https?:\/\/[^"\s<&]+/g)].map(([address]) => address).sort()).toEqual([
      ...['http://evil.example', 'http://www.w3.org/2000/svg', 'http://www.w3.org/2000/svg'],
    ]);
    expect(page).toMatch(/<svg [^>]*role="img" aria-label="Arrivals per hour"/);
  });

  test('tables have all numbers; the language is that of the user', async () => {
    const row = (page: string) =>
      page
        .match(/<tr><td align="left">09:00<\/td>.*/)![0]
        .replace(/<[^>]+>/g, ' ')
        .trim()
        .split(/\s{2,}/);
    expect(row(await html())).toEqual(['09:00', '3', '2', '2', '1', '1:30', '1:54', '100%']);
    await owner.patch('/users/me', { locale: 'de-DE' });
    const german = await html('?period=day');
    expect(german).toContain('<html lang="de-DE">');
    expect(german).toContain('Montag, 23. November 2026');
    expect(german).toContain('4 Personen sind gekommen, 100\u00a0% mehr als in der Vorwoche.');
    const week = await html('?period=week');
    expect(week).toContain('Woche 47, 16.–22. November 2026');
    await owner.patch('/users/me', { locale: null });
  });

  test('CSV has a row for the site, each scene, day and hour, and no formula', async () => {
    const { text, headers } = await get('?format=csv');
    expect(headers['content-disposition']).toBe('attachment; filename="reports.csv"');
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")`);
    // One name has a line break, in quotes.
    const rows = text.replaceAll(SITE_NAME.replaceAll('"', '""'), 'Shop').trimEnd().split('\r\n');
    expect(rows.length).toBe(1 + 1 + 1 + 1 + 24);
    expect(rows[0]).toMatch(
      /^level,from,to,localTime,siteName,sceneId,.*coveragePercent,arrivals,.*previousServiceLevel,.*$/,
    );
    expect(rows[1]).toMatch(
      /^"site","2026-11-22T23:00:00.000Z",.*,8.333,4,3,1,0,0.25,120,264,40,0.5,{10}6.25,2,1,0,1,0,30,30,30,{20}$/,
    );
    expect(rows[12]).toMatch(/^"hour","2026-11-23T07:00:00.000Z",.*T08:00:00\+01:00",.*,0,{19}0,{28}$/);
  });
});
