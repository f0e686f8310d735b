import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { kit } from './support.ts';

const answersParams = (path: string) =>
  route({
    name: 'answersItsPathAndParameters',
    method: 'get',
    path,
    scope: 'scene:read',
    summary: 'answers its path and parameters',
    params: z.record(z.string(), z.string()),
    response: z.strictObject({ path: z.string(), params: z.record(z.string(), z.string()) }),
  }).answers(async ({ params }) => ({ path, params: { ...params } }));

const app = kit(
  [
    '/tasks/{id}',
    '/tasks/statistics',
    '/insights/{id}/attributes',
    '/insights/attributes/stats',
    '/images/{day}/{name}',
  ].map(answersParams),
);
const get = (path: string) => request(app).get(`/api/v1${path}`).set('Authorization', 'Bearer good');

describe('the route of a path', () => {
  test.each([
    ['/tasks/7', '/tasks/{id}', { id: '7' }],
    ['/tasks/statistics', '/tasks/statistics', {}],
    ['/insights/attributes/stats', '/insights/attributes/stats', {}],
    ['/insights/attributes/attributes', '/insights/{id}/attributes', { id: 'attributes' }],
    ['/images/2026-11-21/a.jpg', '/images/{day}/{name}', { day: '2026-11-21', name: 'a.jpg' }],
    ['/TASKS/Seven', '/tasks/{id}', { id: 'Seven' }],
    ['/tasks/7/', '/tasks/{id}', { id: '7' }],
    ['/tasks/%2F%20', '/tasks/{id}', { id: '/ ' }],
    ['/tasks/constructor', '/tasks/{id}', { id: 'constructor' }],
  ])('of %s is %s', async (sent, path, params) => {
    expect((await get(sent)).body.data).toEqual({ path, params });
  });

  test.each(['/', '', '/tasks', '/tasks/', '/tasks//', '/tasks/7/8', '//tasks/7', '/__proto__', '/*'])(
    'there is none for %p',
    async (path) => {
      expect((await get(path)).body).toMatchObject({ statusCode: 404, error: { code: 'NOT_FOUND' } });
    },
  );

  test('a parameter that is not valid percent-encoding is a fault of the request', async () => {
    expect((await get('/tasks/%E0%A4%A')).body).toMatchObject({
      statusCode: 400,
      message: 'The path is not valid percent-encoding: write % as %25',
    });
  });
});
