import { expect, test } from '@jest/globals';
import request from 'supertest';
import { kit } from './support.ts';

test('/healthz answers 200 while /readyz answers 503', async () => {
  const away = kit([], {
    ready: {
      database: () => Promise.reject(new Error('at secret.example')),
      queue: () => new Promise(() => undefined),
      program: () => 'ends',
      images: async () => null,
    },
  });
  expect((await request(away).get('/healthz')).status).toBe(200);
  const { status, body } = await request(away).get('/readyz');
  expect([status, body]).toEqual([
    503,
    {
      status: 'not ready',
      parts: {
        ...{ database: 'does not answer', queue: 'does not answer' },
        ...{ program: 'ends', images: 'ready' },
      },
    },
  ]);
  expect((await request(kit([])).get('/readyz')).status).toBe(200);
});
