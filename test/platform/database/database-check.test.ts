import { expect, test } from '@jest/globals';
import { describeDatabaseError } from '../../../src/platform/database/database-check.ts';

const URL = 'postgresql://shop:secret@db.example.com/shop';

/** As Prisma words it: with a piece of our source. */
const prismaError = (code: string, last: string) =>
  Object.assign(
    new Error(
      `\nInvalid \`tx.user.create()\` invocation in\n/srv/src/access/user.store.ts:40:24\n\n  37 async function\n→ 40 tx.user.create(\n${last}`,
    ),
    { name: 'PrismaClientKnownRequestError', code },
  );

test.each([
  [
    'a transaction that took too long',
    prismaError(
      'P2028',
      'Transaction API error: A query cannot be executed on an expired transaction. The timeout for this transaction was 5000 ms.',
    ),
    /^PostgreSQL at db\.example\.com:5432\/shop was too slow, .* Nothing was changed: try again\.$/,
  ],
  [
    'a transaction that got no connection',
    prismaError('P2028', 'Transaction API error: Unable to start a transaction in the given time.'),
    /^PostgreSQL at db\.example\.com:5432\/shop was too slow, /,
  ],
  [
    'any other error of Prisma',
    prismaError('P2002', 'Unique constraint failed.'),
    /^Unique constraint failed\.$/,
  ],
])('%s is told in one sentence, without source and password', (_, error, expected) => {
  const { message, cause } = describeDatabaseError(error, URL);
  expect(message).toMatch(expected);
  expect(message).not.toMatch(/\n|secret|→/);
  expect(cause).toBe(error);
});
