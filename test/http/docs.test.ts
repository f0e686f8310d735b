import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { EXAMPLE_KEY } from '../../src/http/idempotency/idempotency-key.ts';
import { kit } from './support.ts';

const app = kit([]);

describe('the documentation page', () => {
  test('all addresses of the page are relative and served by the API', async () => {
    const { status, text, headers } = await request(app).get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).not.toMatch(/https?:|<script>|style=| on\w+=/);
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(4);
    for (const address of addresses) expect((await request(app).get(`/${address}`)).status).toBe(200);
    const start = (await request(app).get('/docs/start.js')).text;
    const document = /url: '([^']+)'/.exec(start)?.[1];
    expect((await request(app).get(`/${document}`)).body.openapi).toBe('3.1.0');
  });

  test('the page does not send the example Idempotency-Key', async () => {
    const text = (await request(app).get('/docs/start.js')).text;
    let given: { requestInterceptor?: (request: object) => object } = {};
    runInNewContext(text, {
      SwaggerUIBundle: (options: typeof given) => {
        given = options;
      },
    });
    const sent = (key: string) => given.requestInterceptor!({ headers: { 'Idempotency-Key': key } });
    expect(sent(EXAMPLE_KEY)).toEqual({ headers: {} });
    expect(sent('my own')).toEqual({ headers: { 'Idempotency-Key': 'my own' } });
  });

  test('the content security policy allows only this API', async () => {
    const { headers } = await request(app).get('/docs');
    const policy = headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self'");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
    const elsewhere = kit([], { environment: { PUBLIC_URL: 'https://api.example.com/base' } });
    expect((await request(elsewhere).get('/docs')).headers['content-security-policy']).toContain(
      "connect-src 'self' https://api.example.com;",
    );
  });

  test('/docs/ redirects to /docs', async () => {
    const answer = await request(app).get('/docs/');
    expect([answer.status, answer.headers.location]).toEqual([302, '../docs']);
  });

  test('other files of the package are not served', async () => {
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/..%2f..%2fpackage.json']) {
      expect((await request(app).get(path)).status).toBe(404);
    }
  });

  test('the content security policy of API answers allows nothing', async () => {
    const { headers } = await request(app).get('/api/v1/openapi.json');
    expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
  });
});
