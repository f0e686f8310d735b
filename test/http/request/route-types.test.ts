import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { route } from '../../../src/http/route.ts';

const named = { name: 'readThing', method: 'get', path: '/things', summary: 'Read a thing' } as const;
const body = z.object({ a: z.string() });

test('the type check refuses handlers and rows that their declaration does not allow, and misspelt properties', () => {
  const scope = 'device:read';
  const routes = [
    // @ts-expect-error a property that no route has
    route({ ...named, scope, respons: body }),
    // @ts-expect-error a scope that nobody has
    route({ ...named, scope: 'thing:read' }),
    // @ts-expect-error a number instead of an object
    route({ ...named, scope, response: body }).answers(async () => 1),
    // @ts-expect-error an answer where there is none
    route({ ...named, scope }).answers(async () => 1),
    // @ts-expect-error an item instead of a page
    route({ ...named, scope, response: body, paging: 'A' }).answers(async () => ({ a: 'x' })),
    // @ts-expect-error bytes are no Binary
    route({ ...named, scope, produces: 'image/jpeg' }).answers(async () => new Uint8Array()),
    route({ ...named, scope, body, response: body }).answers(
      // @ts-expect-error the body has no such field
      async ({ body: sent }) => ({ a: sent.b }),
    ),
    route({ ...named, scope: null, response: z.string() }).answers(
      // @ts-expect-error without a scope there is no caller
      async ({ caller }) => caller.userId,
    ),
    route({ ...named, scope, response: z.object({ a: body }) }).answers({
      handler: async () => ({ a: { a: '' } }),
      // @ts-expect-error an object is no cell of a CSV
      async *csv() {
        yield { a: { a: '' } };
      },
    }),
    route({ ...named, scope, body, response: body, idempotency: 'user' }).answers(
      async ({ body: sent, keepAnswer }) => {
        // @ts-expect-error another answer is kept than is given
        const keep = (tx: never) => keepAnswer(tx, { b: 1 });
        expect(keep).toBeDefined();
        return sent;
      },
    ),
    route({ ...named, scope, response: z.string() }).answers(async ({ caller }) => caller.userId),
  ];
  expect(routes).toHaveLength(11);
});
