import { expect, test } from '@jest/globals';
import request from 'supertest';
import { kit } from '../support.ts';

test.each([
  ['false', 'max-age=31536000'],
  ['true', 'max-age=31536000; includeSubDomains'],
])('with HSTS_SUBDOMAINS=%s browsers are told %s', async (HSTS_SUBDOMAINS, wanted) => {
  const { headers } = await request(kit([], { environment: { HSTS_SUBDOMAINS } })).get('/healthz');
  expect(headers['strict-transport-security']).toBe(wanted);
});

test('other hosts are left alone by default', async () => {
  const { headers } = await request(kit([])).get('/healthz');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});
