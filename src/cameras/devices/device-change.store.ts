import { Prisma } from '../../platform/prisma-client/client.ts';

/** The columns that an update of "Device" d returns for events; `old` is the row before the update. */
const DEVICE = Prisma.sql`
  d.id, d."userId", d.name, d."deletedAt" IS NOT NULL AS "isDeleted", d."lastFrameAt", clock_timestamp() AS now`;

const WARNINGS = Prisma.sql`old.warnings AS "warningsBefore", d.warnings AS "warningsAfter"`;

/** A `PresenceChange`. */
export const PRESENCE_CHANGE = Prisma.sql`${DEVICE}, d."lastError",
  old."toldOfflineSince" AS "offlineBefore", d."toldOfflineSince" AS "offlineAfter",
  extract(epoch FROM clock_timestamp() - old."toldOfflineSince")::float8 AS "offlineSeconds"`;

/** A `WarningChange`. */
export const WARNING_CHANGE = Prisma.sql`${DEVICE}, ${WARNINGS}`;

/** Both. */
export const PRESENCE_AND_WARNING_CHANGE = Prisma.sql`${PRESENCE_CHANGE}, ${WARNINGS}`;
