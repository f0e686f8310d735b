import type { Prisma } from '../prisma-client/client.ts';

/** For a JSON column: undefined fields are left out. */
export const asJson = (value: object): Prisma.InputJsonObject => JSON.parse(JSON.stringify(value));
