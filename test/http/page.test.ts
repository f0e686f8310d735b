import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import { page } from '../../src/http/page.ts';
import { kit } from './support.ts';

const SCRIPT = 'console.log(1);'.repeat(100);
let folder: string;
let app: Express;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>first');
  writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, '.stamp'), 'x');
  app = express().use(page(['/nowhere', folder]));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the built page', () => {
  test('is asked for each time, and not sent again where nothing has changed', async () => {
    const first = await request(app).get('/');
    expect([first.status, first.text, first.headers['cache-control']]).toEqual([
      ...[200, '<!doctype html>first', 'no-cache'],
    ]);
    const again = await request(app).get('/').set('If-None-Match', first.headers.etag!);
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('its files with a hash stay for ever, compressed where the browser takes it', async () => {
    const get = (encoding: string) =>
      request(app).get('/assets/index-abc.js').set('Accept-Encoding', encoding);
    const packed = await get('br, gzip');
    expect(packed.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    const plain = await get('identity');
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, SCRIPT]);
    expect((await request(app).head('/assets/index-abc.js')).headers['content-length']).toBeDefined();
  });

  test('may load only from the service, and turns no text into markup', async () => {
    const policy = (await request(app).get('/')).headers['content-security-policy']!;
    expect(policy.split(';')).toEqual([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:"],
      ...[
        "connect-src 'self'",
        "manifest-src 'self'",
        "frame-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
      ],
      ...["form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
      'trusted-types service-worker',
    ]);
  });

  test('of scripts inside its document only those that were built may run', async () => {
    const inside = mkdtempSync(join(folder, 'inside-'));
    writeFileSync(
      join(inside, 'index.html'),
      '<script>a = 1;</script><script src="x"></script><script>\nb</script>',
    );
    const policy = (await request(express().use(page([inside]))).get('/')).headers[
      'content-security-policy'
    ]!;
    const hashes = ['a = 1;', '\nb'].map(
      (code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
    );
    expect(policy.split(';')).toContain(`script-src 'self' ${hashes.join(' ')}`);
  });

  test.each([
    '/.stamp',
    '/index.html',
    '/assets/..%2f.stamp',
    '/assets/',
    '/assets/index-abc.js.gz',
    '/other',
  ])('%s is none of its files', async (path) => {
    expect((await request(app).get(path)).status).toBe(404);
  });

  test('a new build is served without a restart', async () => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html>second build');
    expect((await request(app).get('/')).text).toContain('second build');
  });
});

test('where the page is not built, its address says what to do', async () => {
  const { status, text, headers } = await request(express().use(page(['/nowhere']))).get('/');
  expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/npm run -s page/);
});

test('the API is where it was: unknown addresses are its own answers, not the page', async () => {
  const answer = await request(kit([])).get('/nothing');
  expect(answer.body).toMatchObject({ statusCode: 404, error: { code: 'NOT_FOUND' } });
  expect(answer.headers['content-security-policy']).not.toContain('script-src');
});
