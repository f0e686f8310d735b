import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { route } from '../../src/http/route.ts';
import { Contract } from '../support/contract.ts';

const routes = [
  route({
    name: 'one',
    method: 'get',
    path: '/things/{id}',
    scope: 'scene:read',
    summary: 'one',
    params: z.object({ id: z.string() }),
    response: z.strictObject({ at: z.iso.datetime(), count: z.int().nullable() }).meta({ id: 'Thing' }),
  }).answers(async () => ({ at: '', count: 1 })),
  route({
    name: 'remove',
    method: 'delete',
    path: '/things/{id}',
    scope: 'scene:write',
    summary: 'remove',
    params: z.object({ id: z.string() }),
  }).answers(async () => {}),
];
const contract = new Contract(() =>
  openApiDocument({ routes, tags: [], glossary: {}, version: '1', publicUrl: '' }),
);

const META = { timestamp: '2026-01-31T08:15:00.000Z', requestId: '11111111-1111-1111-1111-111111111111' };
const thing = (data: object) => JSON.stringify({ success: true, statusCode: 200, data, meta: META });
const refusal = (code: string) =>
  JSON.stringify({ success: false, statusCode: 404, message: 'No', error: { code }, meta: META });
const GOOD = { at: '2026-01-31T08:15:00.000Z', count: null };
const answer = {
  method: 'GET',
  path: '/api/v1/things/7?page=1',
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': META.requestId },
  body: thing(GOOD),
};

test('a documented answer has no fault; answers outside the API are not checked', () => {
  expect(contract.faultOf(answer)).toBeUndefined();
  expect(contract.faultOf({ ...answer, status: 404, body: refusal('NOT_FOUND') })).toBeUndefined();
  expect(contract.faultOf({ ...answer, method: 'DELETE', status: 204, body: '' })).toBeUndefined();
  expect(contract.faultOf({ ...answer, path: '/healthz', body: 'ok' })).toBeUndefined();
});

test.each([
  ['a status', { status: 202 }, /202: this status is not documented/],
  ['a field', { body: thing({ ...GOOD, extra: 1 }) }, /additional properties/],
  ['null', { body: thing({ ...GOOD, at: null }) }, /\/data\/at must be string/],
  ['a format', { body: thing({ ...GOOD, at: 'today' }) }, /\/data\/at must match (format|pattern)/],
  [
    'an error code',
    { status: 404, body: refusal('DEVICE_OFFLINE') },
    /must be equal to one of the allowed values/,
  ],
  [
    'a media type',
    { headers: { ...answer.headers, 'content-type': 'text/html' } },
    /"text\/html" is not documented/,
  ],
  ['a missing header', { headers: { 'content-type': 'application/json' } }, /required headers X-Request-Id/],
  ['a body', { method: 'DELETE', status: 204 }, /a body, although none is documented/],
  ['a call', { path: '/api/v1/others' }, /no such call/],
])('%s that is not documented is a fault', (_what, change, fault) => {
  expect(contract.faultOf({ ...answer, ...change })).toMatch(fault);
});
