import { BUILT_IN_LIMITS } from '../../src/billing/features.ts';
import { WHOLE_USER } from '../../src/billing/usage.store.ts';
import { ID_SALT, literal } from './functions.ts';
import type { SeedPlan } from './plan.ts';

const DRAW = { scene: 30, feature: 31, amount: 32 };

/** Fills usage events of the numbers `$1` to `$2`: mostly slices of a run of that day, some alerts, attributes, tokens. */
export const fillUsage = (plan: SeedPlan): string => `
  INSERT INTO "UsageEvent" (id, "userId", "deviceId", "sceneId", "taskId", feature, "analysisType", quantity, "sourceId",
    period, "occurredAt", "createdAt")
  SELECT e.id, s.user_id, s.device_id, s.scene_id, task.id, feature, 'queue_analysis',
    CASE feature WHEN 'analysis' THEN 60 WHEN 'vlm' THEN 200 + pg_temp.below(i, ${DRAW.amount}, 600) ELSE 1 END,
    CASE feature WHEN 'analysis' THEN task.id || ':' || i ELSE feature || ':' || e.id END,
    to_char(at AT TIME ZONE 'UTC', 'YYYY-MM'), at, at
  FROM generate_series($1::bigint, $2::bigint) i
  CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', ${literal(plan.until.toISOString())}::timestamptz
    - (${plan.usage} - i + 1) * ${(plan.usageDays * 86_400_000) / plan.usage} * interval '1 ms') AS at) t
  CROSS JOIN LATERAL (SELECT (ARRAY['analysis', 'analysis', 'analysis', 'analysis', 'analysis', 'analysis', 'analysis',
    'alert', 'attribute', 'vlm'])[1 + pg_temp.below(i, ${DRAW.feature}, 10)]::"Feature" AS feature) f
  JOIN seed_scene s ON s.n = 1 + pg_temp.below(i, ${DRAW.scene}, (SELECT count(*)::int FROM seed_scene))
  CROSS JOIN LATERAL (SELECT pg_temp.id(at, i, ${ID_SALT.usage}) AS id) e
  CROSS JOIN LATERAL (SELECT pg_temp.id(date_trunc('day', at, 'UTC'), s.n, ${ID_SALT.visitRun}) AS id) task
  ORDER BY i`;

const limits = Object.entries(BUILT_IN_LIMITS)
  .map(([feature, limit]) => `(${literal(feature)}::"Feature", ${limit === null ? 'NULL' : limit}::bigint)`)
  .join(', ');

/**
 * Derives from the usage events: daily sums, counters of users and devices, and the ledger. The ledger opens each month
 * with the limit and ends with the rest of the counter.
 */
export const DERIVE_USAGE: readonly string[] = [
  `INSERT INTO "UsageDay" ("userId", "deviceId", day, feature, "analysisType", quantity)
   SELECT "userId", owner, ("occurredAt" AT TIME ZONE 'UTC')::date, feature, "analysisType", sum(quantity)
   FROM "UsageEvent" CROSS JOIN LATERAL (VALUES ("deviceId"), (${literal(WHOLE_USER)}::uuid)) o(owner)
   GROUP BY 1, 2, 3, 4, 5`,

  `CREATE TEMP TABLE seed_charge AS
   SELECT e.*, o.scope, o.scope_id FROM "UsageEvent" e
   CROSS JOIN LATERAL (VALUES ('user'::"QuotaScope", e."userId"), ('device', e."deviceId")) o(scope, scope_id)`,

  `INSERT INTO "Quota" (scope, "scopeId", "userId", period, feature, "limit", used, "isUnlimited", "createdAt", "updatedAt")
   SELECT c.scope, c.scope_id, c."userId", c.period, c.feature, CASE c.scope WHEN 'user' THEN coalesce(l."limit", 0) ELSE 0 END,
     sum(c.quantity), c.scope = 'device' OR l."limit" IS NULL, min(c."occurredAt"), max(c."occurredAt")
   FROM seed_charge c JOIN (VALUES ${limits}) l(feature, "limit") USING (feature)
   GROUP BY c.scope, c.scope_id, c."userId", c.period, c.feature, l."limit"`,

  `INSERT INTO "QuotaTransaction" ("quotaId", "userId", scope, "scopeId", period, feature, type, source, "sourceId",
     amount, "balanceBefore", "balanceAfter", "deviceId", "createdAt")
   SELECT id, "userId", scope, "scopeId", period, feature, 'credit', 'system_initial', period, "limit", 0, "limit",
     CASE scope WHEN 'device' THEN "scopeId" END, "createdAt"
   FROM "Quota" WHERE NOT "isUnlimited"`,

  `INSERT INTO "QuotaTransaction" ("quotaId", "userId", scope, "scopeId", period, feature, type, source, "sourceId",
     amount, "balanceBefore", "balanceAfter", "deviceId", "referenceId", "createdAt")
   SELECT q.id, q."userId", q.scope, q."scopeId", q.period, q.feature, 'debit', 'consumption', c."sourceId", c.quantity,
     q."limit" - sum(c.quantity) OVER so_far + c.quantity, q."limit" - sum(c.quantity) OVER so_far, c."deviceId", c.id,
     c."occurredAt"
   FROM seed_charge c JOIN "Quota" q ON q.scope = c.scope AND q."scopeId" = c.scope_id AND q.period = c.period
     AND q.feature = c.feature
   WINDOW so_far AS (PARTITION BY q.id ORDER BY c."occurredAt", c.id)
   ORDER BY c."occurredAt"`,
];

/** Fills ended runs of the numbers `$1` to `$2`. */
export const fillTasks = (plan: SeedPlan): string => `
  INSERT INTO "AnalysisTask" (id, "userId", "deviceId", "sceneId", status, "runStatus", "computeNodeId", epoch, reason,
    stats, "startedAt", "runningAt", "completedAt", "processingTimeMs", "createdAt", "updatedAt")
  SELECT pg_temp.id(at, i, ${ID_SALT.task}), s.user_id, s.device_id, s.scene_id, 'COMPLETED', 'stopped', s.node_id, 1,
    'user_request', '{"processedFrames":18000,"droppedFrames":0,"fps":5,"avgProcessingTimeMs":24}', at,
    at + interval '1 s', at + interval '1 h', 3600000, at, at + interval '1 h'
  FROM generate_series($1::bigint, $2::bigint) i
  CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', ${literal(plan.until.toISOString())}::timestamptz
    - interval '2 h' - (${plan.tasks} - i) * ${(29 * 86_400_000) / Math.max(1, plan.tasks)} * interval '1 ms') AS at) t
  JOIN seed_scene s ON s.n = 1 + i % (SELECT count(*) FROM seed_scene)
  ORDER BY i`;
