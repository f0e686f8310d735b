import type { Db } from '../platform/database/db.ts';
import type { Feature } from '../platform/prisma-client/client.ts';
import type { Period } from './period.ts';

export interface QuotaUse {
  readonly feature: Feature;
  readonly used: 'below_80_percent' | 'from_80_percent' | 'all' | 'unlimited';
  readonly count: number;
}

/** How many quotas of users and devices of a month are used up, nearly used up, or not. */
export function countQuotas(db: Db, period: Period): Promise<QuotaUse[]> {
  return db.$queryRaw<QuotaUse[]>`
    SELECT feature::text AS feature,
           CASE WHEN "isUnlimited" THEN 'unlimited' WHEN used >= "limit" THEN 'all'
                WHEN used * 10 >= "limit" * 8 THEN 'from_80_percent' ELSE 'below_80_percent' END AS used,
           count(*)::int AS count
    FROM "Quota" WHERE period = ${period} AND "foldedAt" IS NULL
    GROUP BY 1, 2`;
}
