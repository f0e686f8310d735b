import { Prisma } from '../platform/prisma-client/client.ts';

/** The columns of `DeviceSight`, for an update of "Device" d with its former rows as `old`. */
export const DEVICE_SIGHT = Prisma.sql`
  d.id, d."userId", d.name, d."deletedAt" IS NOT NULL AS "isDeleted", d."lastFrameAt", d."lastError",
  old."toldOfflineSince" AS "toldBefore", d."toldOfflineSince" AS "toldAfter", clock_timestamp() AS now,
  extract(epoch FROM clock_timestamp() - old."toldOfflineSince")::float8 AS "goneSeconds"`;

/** The columns of `WarnedDevice`, for an update of "Device" d with its former rows as `old`. */
export const WARNED_DEVICE = Prisma.sql`
  d.id, d."userId", d.name, d."deletedAt" IS NOT NULL AS "isDeleted", d."lastFrameAt", clock_timestamp() AS now,
  old.warnings AS "warningsBefore", d.warnings AS "warningsAfter"`;
