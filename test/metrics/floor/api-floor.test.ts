import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCells } from '../../../src/metrics/floor/encode-cells.ts';
import { FloorSums } from '../../../src/metrics/floor/floor-sums.ts';
import { removeOldFloor } from '../../../src/metrics/floor/retention.job.ts';
import { FLOOR_CELLS } from '../../../src/vision/floor/grid.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let sceneId: string;

/** Row 2 of column 3, with people who walk a twentieth of the picture width to the right each second. */
const CELL = 2 * 32 + 3;
const LEFT_HALF = Uint8Array.from({ length: FLOOR_CELLS }, (_, cell) => (cell % 32 < 16 ? 1 : 0));

async function addHour(hour: string, seconds: number, analysed: Uint8Array | null = null): Promise<void> {
  const sums = new FloorSums();
  sums.add([CELL, seconds * 1000, seconds * 0.05, 0]);
  const row = { coveredMs: 1_800_000, cells: encodeCells({ sums, analysed }) };
  await api.context.db.floorHour.create({ data: { sceneId, hour: new Date(hour), ...row } });
}

beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
  ({ sceneId } = await shopOf(owner));
  await addHour('2026-01-05T09:00:00Z', 10);
  await addHour('2026-01-05T10:00:00Z', 30);
  await addHour('2026-01-05T11:00:00Z', 100);
  await addHour('2026-01-07T00:00:00Z', 10, LEFT_HALF);
});
afterAll(() => api.drop());

const floor = (range: string, user = owner, id = sceneId) =>
  user.get(`/analytics/scenes/${id}/floor?${range}`);

describe('GET /analytics/scenes/{id}/floor', () => {
  test('adds up the hours of the range', async () => {
    const { status, body } = await floor('from=2026-01-05T09:00:00Z&to=2026-01-05T11:00:00Z');
    expect(status).toBe(200);
    const { seconds, dx, dy, ...rest } = body.data;
    expect(rest).toEqual({
      ...{ sceneId, columns: 32, rows: 18, coveredSeconds: 3600 },
      ...{ from: '2026-01-05T09:00:00.000Z', to: '2026-01-05T11:00:00.000Z' },
    });
    expect([seconds.length, dx.length, dy.length]).toEqual([576, 576, 576]);
    expect([seconds[CELL], dx[CELL], dy[CELL]]).toEqual([40, expect.closeTo(0.05, 2), 0]);
    expect([seconds[0], dx[0], dy[0]]).toEqual([0, null, null]);
  });

  test('rounds other times outward to whole hours, and names them', async () => {
    const { body } = await floor('from=2026-01-05T10:59:59.999Z&to=2026-01-05T11:00:00.001Z');
    expect(body.data).toMatchObject({ from: '2026-01-05T10:00:00.000Z', to: '2026-01-05T12:00:00.000Z' });
    expect(body.data.seconds[CELL]).toBe(130);
    const other = await floor('from=2026-01-05T15:30:00%2B05:30&to=2026-01-05T16:30:00%2B05:30');
    expect(other.body.data).toMatchObject({
      from: '2026-01-05T10:00:00.000Z',
      seconds: body.data.seconds.map((value: number, cell: number) => (cell === CELL ? 30 : value)),
    });
  });

  test('has null for cells that were not analysed, and for every cell of a time without frames', async () => {
    const half = (await floor('from=2026-01-07&to=2026-01-08')).body.data;
    expect([half.seconds[CELL], half.seconds[0], half.seconds[16], half.seconds[575]]).toEqual([
      10,
      0,
      null,
      null,
    ]);
    const both = (await floor('from=2026-01-05&to=2026-01-08')).body.data;
    expect([both.seconds[CELL], both.seconds[16]]).toEqual([150, 0]);
    for (const range of [
      'from=2026-01-06&to=2026-01-07',
      'from=2026-01-05T10:30:00Z&to=2026-01-05T10:30:00Z',
    ]) {
      const { data } = (await floor(range)).body;
      expect(data.coveredSeconds).toBe(0);
      expect(new Set([...data.seconds, ...data.dx, ...data.dy])).toEqual(new Set([null]));
    }
  });

  test.each([
    ['a range that ends before it starts', 'from=2026-01-06&to=2026-01-05', 'INVALID_DATE_RANGE', 'from'],
    ['ten years', 'from=2016-01-05&to=2026-01-05', 'INVALID_DATE_RANGE', 'to'],
    ['400 days and a millisecond', 'from=2025-01-01&to=2026-02-05T00:00:00.001Z', 'INVALID_DATE_RANGE', 'to'],
    ['no end', 'from=2026-01-05', 'VALIDATION_ERROR', 'to'],
    ['no time at all', '', 'VALIDATION_ERROR', 'from'],
    ['a day that does not exist', 'from=2026-02-30&to=2026-03-01', 'VALIDATION_ERROR', 'from'],
    ['the name of another call', 'startDate=2026-01-05&endDate=2026-01-06', 'VALIDATION_ERROR', 'startDate'],
  ])('refuses %s', async (_name, range, code, path) => {
    const answer = await floor(range);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test('takes 400 days', async () => {
    expect((await floor('from=2025-01-01&to=2026-02-05')).status).toBe(200);
  });

  test('does not know scenes of others, removed scenes and made-up ids', async () => {
    const range = 'from=2026-01-05&to=2026-01-06';
    const scene = (await shopOf(owner)).sceneId;
    expect((await floor(range, owner, scene)).status).toBe(200);
    await owner.delete(`/scenes/${scene}`);
    for (const [user, id] of [
      [other, sceneId],
      [owner, ABSENT],
      [owner, scene],
    ] as const)
      expect((await floor(range, user, id)).status).toBe(404);
  });
});

test('hours older than FLOOR_RETENTION_DAYS are removed', async () => {
  const { context } = api;
  await addHour('2024-01-01T00:00:00Z', 1);
  const clock = { ...context.clock, now: () => new Date('2026-01-05T10:30:00Z') };
  const left = async () => context.db.floorHour.count({ where: { sceneId } });
  await removeOldFloor({ ...context, clock });
  expect(await left()).toBe(4);
  await removeOldFloor({ ...context, clock, config: { ...context.config, floorRetentionDays: 1 } });
  expect(await left()).toBe(4);
  await removeOldFloor({
    ...context,
    clock: { ...clock, now: () => new Date('2026-01-06T10:30:00Z') },
    config: { ...context.config, floorRetentionDays: 1 },
  });
  expect(await left()).toBe(2);
});
