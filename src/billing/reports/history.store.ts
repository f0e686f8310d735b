import { definedFields, within } from '../../http/fields.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import type {
  Feature,
  QuotaSource,
  QuotaTransaction,
  TransactionType,
  UsageEvent,
} from '../../platform/prisma-client/client.ts';
import { type Period, periodEnd, periodStart } from '../period.ts';

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

function ledgerWhere(userId: string, filter: LedgerFilter) {
  const { deviceId, billingPeriod: period, featureType: feature, type, source } = filter;
  return {
    userId,
    ...(deviceId
      ? { scope: 'device' as const, scopeId: deviceId }
      : { scope: 'user' as const, scopeId: userId }),
    ...definedFields({ period, feature, type, source, createdAt: within(filter) }),
  };
}

const NEWEST_WRITTEN = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** The ledger of the user's quota, or of a device's, newest first. */
export async function listTransactions(
  db: Db,
  userId: string,
  filter: LedgerFilter,
): Promise<Page<QuotaTransaction>> {
  const where = ledgerWhere(userId, filter);
  return pageOf(
    db.quotaTransaction.findMany({ where, orderBy: NEWEST_WRITTEN, ...rowsOf(filter) }),
    db.quotaTransaction.count({ where }),
  );
}

/** All ledger rows of the filter, read in batches. */
export function everyTransaction(
  db: Db,
  userId: string,
  filter: LedgerFilter,
): AsyncGenerator<QuotaTransaction> {
  const where = ledgerWhere(userId, filter);
  const older = ({ createdAt, id }: QuotaTransaction) => ({
    createdAt: { lte: createdAt },
    OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }],
  });
  return inBatches((take, last) =>
    db.quotaTransaction.findMany({
      where: last ? { AND: [where, older(last)] } : where,
      orderBy: NEWEST_WRITTEN,
      take,
    }),
  );
}
