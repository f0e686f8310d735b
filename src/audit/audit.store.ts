import { definedFields, within } from '../http/fields.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import type { Context } from '../platform/context.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { inBatches } from '../platform/database/in-batches.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';
import type { AuditEntry } from '../platform/prisma-client/client.ts';
import type { AuditNote } from './audit-note.ts';

export async function insertEntry(tx: Tx, note: AuditNote): Promise<void> {
  const { userId, actor, action, target, details = {}, at } = note;
  await tx.auditEntry.createMany({
    data: {
      ...{
        userId,
        action,
        at,
        actorKind: actor.kind,
        actorId: actor.id,
        networkAddress: actor.networkAddress,
      },
      ...(target && { targetKind: target.kind, targetId: target.id }),
      details: JSON.parse(JSON.stringify(details)),
    },
  });
}

/** An entry that exists once, and is left out beyond `most` entries of its action since `since`. */
export interface OnceNote extends AuditNote {
  readonly once: string;
  readonly since: Date;
  /** Null: no limit. */
  readonly most: number | null;
}

/** Adds an entry unless it exists, the user is gone, or there are enough of them. */
export async function insertOnce(db: Tx, note: OnceNote): Promise<void> {
  const { userId, actor, action, target, details = {}, at, once, since, most } = note;
  await db.$executeRaw`
    INSERT INTO "AuditEntry" ("userId", "actorKind", "actorId", action, "targetKind", "targetId", details,
                              "networkAddress", at, once)
    SELECT u.id, ${actor.kind}::"AuditActor", ${actor.id}::uuid, ${action}, ${target?.kind ?? null}, ${target?.id ?? null},
           ${JSON.stringify(details)}::jsonb, ${actor.networkAddress}, ${at}, ${once}
    FROM "User" u
    WHERE u.id = ${userId}::uuid AND (${most}::int IS NULL OR ${most}::int > (
      SELECT count(*) FROM (
        SELECT 1 FROM "AuditEntry" e
        WHERE e."userId" = ${userId}::uuid AND e.at >= ${since} AND e.action = ${action} LIMIT ${most}::int) AS enough))
    ON CONFLICT DO NOTHING`;
}

export interface AuditFilter {
  /** Absent: of all users. */
  readonly userId?: string | undefined;
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const whereOf = ({ userId, action, actorId, targetId, from, to }: AuditFilter) =>
  definedFields({ userId, action, actorId, targetId, at: within({ startDate: from, endDate: to }) });

const NEWEST_FIRST: { at?: 'desc'; id?: 'desc' }[] = [{ at: 'desc' }, { id: 'desc' }];

export type { AuditEntry };

/** Entries of the filter, newest first. */
export function listEntries(
  db: Db,
  { page, limit, ...filter }: AuditFilter & PageQuery,
): Promise<Page<AuditEntry>> {
  const where = whereOf(filter);
  return pageOf(
    db.auditEntry.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf({ page, limit }) }),
    db.auditEntry.count({ where }),
  );
}

/** All entries of the filter, newest first, read in batches. */
export function everyEntry(db: Db, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  const where = whereOf(filter);
  return inBatches((take, last) => {
    const older = last && { OR: [{ at: { lt: last.at } }, { at: last.at, id: { lt: last.id } }] };
    return db.auditEntry.findMany({ where: { AND: [where, older ?? {}] }, orderBy: NEWEST_FIRST, take });
  });
}

/** Removes entries after AUDIT_RETENTION_DAYS; the database refuses fewer than 30. */
export const removeOldAudit = ({
  config,
  clock,
  db,
}: Pick<Context, 'clock' | 'db'> & {
  readonly config: Pick<Context['config'], 'auditRetentionDays'>;
}): Promise<void> => {
  const before = daysBefore(clock.now(), config.auditRetentionDays);
  return removeOld(db, { table: 'AuditEntry', column: 'at', before });
};
