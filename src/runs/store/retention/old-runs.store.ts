import type { Db } from '../../../platform/database/db.ts';
import { removeOld } from '../../../platform/database/remove-old.ts';
import { Prisma } from '../../../platform/prisma-client/client.ts';
import { ACTIVE_TASKS } from '../states.ts';

/** Rows of a run `t` have frame times; a node may store them this much earlier or later than the run began or ended. */
const SLACK = Prisma.sql`interval '1 day'`;
const during = (time: string) => {
  const at = Prisma.raw(`x."${time}"`);
  return Prisma.sql`${at} >= t."createdAt" - ${SLACK} AND ${at} <= t."completedAt" + ${SLACK}`;
};

/** No row `x` of a table names the run `t`. Because of OFFSET the rows of each run are looked up in an index, and no table is read as a whole. */
const unnamedIn = (table: string, where: Prisma.Sql = Prisma.sql`true`) => Prisma.sql`
  NOT EXISTS (SELECT 1 FROM ${Prisma.raw(`"${table}"`)} x WHERE x."taskId" = t.id AND ${where} OFFSET 0)`;

/** Nothing that users can still read names the run `t`. The runs of a recording go with it. */
const UNUSED = Prisma.sql`
  NOT (t.status::text = ANY(${ACTIVE_TASKS}))
  AND ${unnamedIn('Visit')}
  AND ${unnamedIn('AttributeTrack')}
  AND ${unnamedIn('AttributeRecord', Prisma.sql`x."sceneId" = t."sceneId" AND ${during('capturedAt')}`)}
  AND ${unnamedIn(
    'AlertEvent',
    Prisma.sql`
      x."sceneId" = t."sceneId" AND x."userId" = t."userId" AND x."deletedAt" IS NULL AND ${during('triggeredAt')}`,
  )}
  AND ${unnamedIn(
    'UsageEvent',
    Prisma.sql`x."userId" = t."userId" AND x."deviceId" = t."deviceId" AND ${during('occurredAt')}`,
  )}
  AND NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = t."sceneId")`;

/** Removes runs that ended before a time. */
export const removeOldRuns = (db: Db, before: Date): Promise<void> =>
  removeOld(db, { table: 'AnalysisTask', column: 'completedAt', before, only: UNUSED });
