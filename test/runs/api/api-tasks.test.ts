import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TaskStatus } from '../../../src/platform/prisma-client/client.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let shop: { deviceId: string; sceneId: string };
let ids: Record<'failed' | 'completed' | 'queued', string>;

beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
  shop = await shopOf(owner);
  ids = {
    failed: await task('FAILED', {
      startedAt: day(1),
      completedAt: day(2),
      priority: 1,
      errorMessage: 'No frame',
    }),
    completed: await task('COMPLETED', { startedAt: day(2), completedAt: day(2), processingTimeMs: 1500 }),
    queued: await task('QUEUED', {}),
  };
});
afterAll(() => api.drop());

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
async function task(status: TaskStatus, columns: object, of = { ...shop, user: owner }): Promise<string> {
  const { deviceId, sceneId, user } = of;
  const data = { userId: user.userId, deviceId, sceneId, status, ...columns };
  return (await api.context.db.analysisTask.create({ data })).id;
}
const idsOf = (rows: { id?: string; taskId?: string }[]) => rows.map(({ id, taskId }) => id ?? taskId);

describe('history', () => {
  const history = (query = '') => owner.get(`/devices/${shop.deviceId}/analysis/history${query}`);

  test('lists the runs of the device, newest first, with statuses in capitals', async () => {
    const { body } = await history('?limit=2');
    expect(idsOf(body.data)).toEqual([ids.queued, ids.completed]);
    expect(body.data[1]).toEqual({
      taskId: ids.completed,
      analysisType: 'queue_analysis',
      status: 'COMPLETED',
      computeNodeId: null,
      startedAt: day(2).toISOString(),
      completedAt: day(2).toISOString(),
      processingTimeMs: 1500,
      errorMessage: null,
      createdAt: expect.any(String),
    });
    expect(body.meta.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
  });

  test.each([
    ['?status=FAILED', 1],
    ['?startedAfter=2026-01-02', 1],
    ['?startedBefore=2026-01-02', 1],
    ['?startedAfter=2026-01-01&startedBefore=2026-01-03', 2],
  ])('%s finds %i', async (query, total) => {
    expect((await history(query)).body.meta.pagination.total).toBe(total);
  });

  test('refuses bad ranges, foreign devices and unknown statuses', async () => {
    expect(codeOf(await history('?status=failed'))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await history('?startedAfter=2026-01-03&startedBefore=2026-01-01'))).toEqual([
      400,
      'INVALID_DATE_RANGE',
    ]);
    expect(codeOf(await other.get(`/devices/${shop.deviceId}/analysis/history`))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /analysis/tasks', () => {
  const list = (query = '') => owner.get(`/analysis/tasks${query}`);

  test('lists ten tasks a page, with statuses in small letters', async () => {
    const { body } = await list();
    expect(body.meta.pagination).toEqual({ page: 1, limit: 10, total: 3, totalPages: 1 });
    expect(body.data[2]).toEqual({
      id: ids.failed,
      ...shop,
      analysisType: 'queue_analysis',
      status: 'failed',
      fault: null,
      warnings: [],
      priority: 1,
      reason: null,
      computeNodeId: null,
      startedAt: day(1).toISOString(),
      completedAt: day(2).toISOString(),
      processingTimeMs: null,
      errorMessage: 'No frame',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test.each([
    ['?sortBy=startedAt', ['completed', 'failed', 'queued']],
    ['?sortBy=startedAt&sortOrder=asc', ['failed', 'completed', 'queued']],
    ['?sortBy=completedAt&sortOrder=Desc&status=failed', ['failed']],
    ['?sortBy=status&sortOrder=ASC', ['queued', 'completed', 'failed']],
    ['?sortBy=createdAt&sortOrder=ASC', ['failed', 'completed', 'queued']],
    ['?status=completed', ['completed']],
    ['?q=no%20FRAME', ['failed']],
    ['?q=till&status=queued&analysisType=queue_analysis', ['queued']],
    ['?sortBy=priority&sortOrder=ASC&limit=1', ['failed']],
  ])('%s', async (query, names) => {
    expect(idsOf((await list(query)).body.data)).toEqual(names.map((name) => ids[name as keyof typeof ids]));
  });

  test('answers an empty list for a foreign device in a filter', async () => {
    expect((await other.get(`/analysis/tasks?deviceId=${shop.deviceId}`)).body.data).toEqual([]);
    expect((await list(`?deviceId=${shop.deviceId}`)).body.data).toHaveLength(3);
  });

  test.each([
    '?status=QUEUED',
    '?sortBy=name',
    '?sortOrder=up',
    '?analysisType=x',
    '?limit=0',
    '?deviceId=1',
  ])('%s is refused', async (query) => {
    expect(codeOf(await list(query))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('statistics count per status', async () => {
    expect((await owner.get('/analysis/tasks/statistics')).body.data).toEqual({
      total: 3,
      queued: 1,
      processing: 0,
      completed: 1,
      failed: 1,
      cancelled: 0,
    });
    expect((await other.get('/analysis/tasks/statistics')).body.data.total).toBe(0);
  });
});

describe('/analysis/tasks/{id}', () => {
  test('adds the statistics of the run', async () => {
    expect((await owner.get(`/analysis/tasks/${ids.completed}`)).body.data).toMatchObject({
      id: ids.completed,
      stats: null,
    });
  });

  test('cancels a queued task with a reason, and only once', async () => {
    const second = await shopOf(owner);
    const id = await task('QUEUED', {}, { ...second, user: owner });
    const cancel = { status: 'cancelled', reason: 'closed today' };
    const { status, body } = await owner.patch(`/analysis/tasks/${id}`, cancel);
    expect([status, body.data.status, body.data.reason]).toEqual([200, 'cancelled', 'closed today']);
    expect((await owner.get(`/scenes/${second.sceneId}`)).body.data.analysisStatus).toBe('stopped');
    expect(codeOf(await owner.patch(`/analysis/tasks/${id}`, cancel))).toEqual([409, 'TASK_NOT_CANCELLABLE']);
    expect((await owner.delete(`/analysis/tasks/${id}`)).status).toBe(204);
    expect(codeOf(await owner.get(`/analysis/tasks/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await owner.get('/analysis/tasks?status=cancelled')).body.data).toEqual([]);
  });

  test('does not delete an active task', async () => {
    expect(codeOf(await owner.delete(`/analysis/tasks/${ids.queued}`))).toEqual([409, 'TASK_ACTIVE']);
  });

  test.each([[{}], [{ status: 'failed' }], [{ status: 'cancelled', x: 1 }]])(
    'PATCH %j is refused',
    async (body) => {
      expect(codeOf(await owner.patch(`/analysis/tasks/${ids.queued}`, body))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    },
  );

  test.each([
    ['get', undefined],
    ['patch', { status: 'cancelled' }],
    ['delete', undefined],
  ] as const)('%s: somebody else’s, absent, malformed, no key, wrong scope', async (verb, body) => {
    const path = `/analysis/tasks/${ids.queued}`;
    expect(codeOf(await other[verb](path, body))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner[verb](`/analysis/tasks/${ABSENT}`, body))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner[verb]('/analysis/tasks/x', body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await api.nobody[verb](path, body))).toEqual([401, 'UNAUTHORIZED']);
    const wrong = await api.user(['scene:read']);
    expect(codeOf(await wrong[verb](path, body))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});
