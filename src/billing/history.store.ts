import { within } from '../http/fields.ts';
import { type Page, type PageQuery, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/db.ts';
import type {
  Feature,
  QuotaSource,
  QuotaTransaction,
  TransactionType,
  UsageEvent,
} from '../platform/prisma-client/client.ts';
import { type Period, periodEnd, periodStart } from './period.ts';

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

/** What was used, newest first. */
export async function listUsage(db: Db, userId: string, filter: UsageFilter): Promise<Page<UsageEvent>> {
  const occurredAt = within(filter);
  const where = {
    userId,
    // A period is a span of time: the list's own index serves it.
    ...(filter.billingPeriod && { AND: { occurredAt: spanOf(filter.billingPeriod) } }),
    ...(filter.featureType && { feature: filter.featureType }),
    ...(filter.deviceId && { deviceId: filter.deviceId }),
    ...(filter.sceneId && { sceneId: filter.sceneId }),
    ...(occurredAt && { occurredAt }),
  };
  const orderBy = [{ occurredAt: 'desc' as const }, { id: 'desc' as const }];
  const [items, total] = await Promise.all([
    db.usageEvent.findMany({ where, orderBy, ...rowsOf(filter) }),
    db.usageEvent.count({ where }),
  ]);
  return { items, total };
}

export interface LedgerFilter extends HistoryFilter {
  readonly type?: TransactionType | undefined;
  readonly source?: QuotaSource | undefined;
}

/** The ledger of the user's quota, or of a device's, newest first. */
export async function listTransactions(
  db: Db,
  userId: string,
  filter: LedgerFilter,
): Promise<Page<QuotaTransaction>> {
  const { deviceId } = filter;
  const createdAt = within(filter);
  const where = {
    userId,
    ...(deviceId
      ? { scope: 'device' as const, scopeId: deviceId }
      : { scope: 'user' as const, scopeId: userId }),
    ...(filter.billingPeriod && { period: filter.billingPeriod }),
    ...(filter.featureType && { feature: filter.featureType }),
    ...(filter.type && { type: filter.type }),
    ...(filter.source && { source: filter.source }),
    ...(createdAt && { createdAt }),
  };
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const [items, total] = await Promise.all([
    db.quotaTransaction.findMany({ where, orderBy, ...rowsOf(filter) }),
    db.quotaTransaction.count({ where }),
  ]);
  return { items, total };
}
