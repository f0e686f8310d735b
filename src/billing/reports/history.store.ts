import { definedFields, within } from '../../http/fields.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import {
  type Feature,
  Prisma,
  type QuotaSource,
  type QuotaTransaction,
  type TransactionType,
  type UsageEvent,
} from '../../platform/prisma-client/client.ts';
import { type Period, periodEnd, periodStart } from '../period.ts';

const { sql, empty } = Prisma;

interface HistoryFilter extends PageQuery {
  readonly billingPeriod?: Period | undefined;
  readonly featureType?: Feature | undefined;
  readonly deviceId?: string | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

const spanOf = (period: Period) => ({ gte: periodStart(period), lt: periodEnd(period) });

export interface UsageFilter extends HistoryFilter {
  readonly sceneId?: string | undefined;
}

function usageWhere(userId: string, filter: UsageFilter) {
  const { featureType: feature, deviceId, sceneId } = filter;
  return {
    userId,
    // A period is a span of time, so that the index of the list serves it.
    ...(filter.billingPeriod && { AND: { occurredAt: spanOf(filter.billingPeriod) } }),
    ...definedFields({ feature, deviceId, sceneId, occurredAt: within(filter) }),
  };
}

const NEWEST_USED = [{ occurredAt: 'desc' as const }, { id: 'desc' as const }];

/** Usage events, newest first. */
export async function listUsage(db: Db, userId: string, filter: UsageFilter): Promise<Page<UsageEvent>> {
  const where = usageWhere(userId, filter);
  return pageOf(
    db.usageEvent.findMany({ where, orderBy: NEWEST_USED, ...rowsOf(filter) }),
    db.usageEvent.count({ where }),
  );
}

/** All usage events of the filter, read in batches. */
export function everyUsage(db: Db, userId: string, filter: UsageFilter): AsyncGenerator<UsageEvent> {
  const where = usageWhere(userId, filter);
  const older = ({ occurredAt, id }: UsageEvent) => ({
    occurredAt: { lte: occurredAt },
    OR: [{ occurredAt: { lt: occurredAt } }, { id: { lt: id } }],
  });
  return inBatches((take, last) =>
    db.usageEvent.findMany({
      where: last ? { AND: [where, older(last)] } : where,
      orderBy: NEWEST_USED,
      take,
    }),
  );
}

export interface LedgerFilter extends HistoryFilter {
  readonly type?: TransactionType | undefined;
  readonly source?: QuotaSource | undefined;
}

/** A row of the ledger as clients see it. */
export type LedgerRow = Omit<
  QuotaTransaction,
  'quotaId' | 'userId' | 'scope' | 'scopeId' | 'period' | 'sourceId'
>;

/** The counters `q` of the user's quota, or of a device's: one for each month and feature. */
function countersOf(userId: string, { deviceId, billingPeriod, featureType }: LedgerFilter): Prisma.Sql {
  return sql`
    SELECT id FROM "Quota"
    WHERE scope = ${deviceId ? 'device' : 'user'}::"QuotaScope" AND "scopeId" = ${deviceId ?? userId}::uuid
      AND "userId" = ${userId}::uuid
      ${billingPeriod ? sql`AND period = ${billingPeriod}` : empty}
      ${featureType ? sql`AND feature = ${featureType}::"Feature"` : empty}`;
}

/** Which rows `t` of the counter `q`. */
const rowsWhere = ({ type, source, startDate, endDate }: LedgerFilter): Prisma.Sql => sql`
  t."quotaId" = q.id
  ${startDate ? sql`AND t."createdAt" >= ${startDate}` : empty}
  ${endDate ? sql`AND t."createdAt" < ${endDate}` : empty}
  ${type ? sql`AND t.type = ${type}::"TransactionType"` : empty}
  ${source ? sql`AND t.source = ${source}::"QuotaSource"` : empty}`;

interface Part {
  readonly skip?: number;
  readonly take: number;
  /** Only rows after this one. */
  readonly last?: LedgerRow | undefined;
}

/** Newest first. Each counter has its rows in the order of time: the newest of each are merged. */
function readLedger(db: Db, userId: string, filter: LedgerFilter, { skip = 0, take, last }: Part) {
  return db.$queryRaw<LedgerRow[]>`
    SELECT t.* FROM (${countersOf(userId, filter)}) q
    CROSS JOIN LATERAL (
      SELECT id, feature::text AS feature, type::text AS type, source::text AS source, amount, "balanceBefore",
        "balanceAfter", "deviceId", "referenceId", reason, "createdAt"
      FROM "QuotaTransaction" t
      WHERE ${rowsWhere(filter)}
        ${last ? sql`AND (t."createdAt", t.id) < (${last.createdAt}, ${last.id}::uuid)` : empty}
      ORDER BY t."createdAt" DESC, t.id DESC LIMIT ${skip + take}) t
    ORDER BY t."createdAt" DESC, t.id DESC LIMIT ${take} OFFSET ${skip}`;
}

async function countLedger(db: Db, userId: string, filter: LedgerFilter): Promise<number> {
  const [{ rows }] = await db.$queryRaw<[{ rows: number }]>`
    SELECT count(*)::int AS rows
    FROM (${countersOf(userId, filter)}) q JOIN "QuotaTransaction" t ON ${rowsWhere(filter)}`;
  return rows;
}

/** The ledger of the user's quota, or of a device's, newest first. */
export const listTransactions = (db: Db, userId: string, filter: LedgerFilter): Promise<Page<LedgerRow>> =>
  pageOf(readLedger(db, userId, filter, rowsOf(filter)), countLedger(db, userId, filter));

/** All ledger rows of the filter, newest first, read in batches. */
export const everyTransaction = (db: Db, userId: string, filter: LedgerFilter): AsyncGenerator<LedgerRow> =>
  inBatches((take, last) => readLedger(db, userId, filter, { take, last }));
