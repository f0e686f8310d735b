import type { Db, Tx } from '../platform/database/db.ts';
import type { Schedule } from '../platform/jobs/schedule.ts';
import type { Prisma } from '../platform/prisma-client/client.ts';
import type { AlertFacts } from './alert-facts.ts';
import type { Condition, HeldCondition } from './conditions.ts';
import type { RuleStateRow, StoredRule, WatchedRule } from './rule-watch.ts';

/** The enabled rules of these scenes, by scene. */
export async function loadRules(db: Db, sceneIds: readonly string[]): Promise<Map<string, StoredRule[]>> {
  const byScene = new Map<string, StoredRule[]>(sceneIds.map((id) => [id, []]));
  if (sceneIds.length === 0) return byScene;
  const rows = await db.alertRule.findMany({
    where: { sceneId: { in: [...sceneIds] }, deletedAt: null, status: 'enabled' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  for (const row of rows) {
    byScene.get(row.sceneId)?.push({
      ...row,
      conditions: row.conditions as unknown as Condition[],
      schedule: row.schedule as unknown as Schedule | null,
      holdingSinceMs: row.holdingSince?.getTime() ?? null,
      lastTriggeredMs: row.lastTriggeredAt?.getTime() ?? null,
    });
  }
  return byScene;
}

const iso = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** Stores the state of rules that have not changed since. The caller must hold the lease of their run. */
export async function writeRuleStates(tx: Tx, states: readonly RuleStateRow[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ holdingSinceMs, ...row }) => ({ ...row, holdingSince: iso(holdingSinceMs) }));
  await tx.$executeRaw`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS n(id uuid, revision int, "isFiring" boolean, "holdingSince" timestamptz)),
    held AS (
      SELECT r.id FROM "AlertRule" r JOIN n ON n.id = r.id AND n.revision = r.revision
      WHERE r."deletedAt" IS NULL AND r.status = 'enabled' ORDER BY r.id FOR NO KEY UPDATE OF r)
    UPDATE "AlertRule" r SET "isFiring" = n."isFiring", "holdingSince" = n."holdingSince"
    FROM n JOIN held USING (id) WHERE r.id = n.id`;
}

/**
 * Lets a rule fire, with one conditional update: the rule must be unchanged and its cooldown over. A concurrent firing
 * waits here and then matches no row. The update leaves `isFiring` alone, since only `writeRuleStates` writes it.
 * @returns false when the rule may not fire
 */
export async function claimFiring(
  tx: Tx,
  rule: Pick<WatchedRule, 'id' | 'revision'>,
  atMs: number,
): Promise<boolean> {
  const at = iso(atMs);
  const claimed = await tx.$executeRaw`
    UPDATE "AlertRule"
    SET "lastTriggeredAt" = ${at}::timestamptz, "triggerCount" = "triggerCount" + 1
    WHERE id = ${rule.id}::uuid AND revision = ${rule.revision} AND status = 'enabled' AND "deletedAt" IS NULL
      AND ("lastTriggeredAt" IS NULL
           OR "lastTriggeredAt" + make_interval(mins => "cooldownMinutes"::int) <= ${at}::timestamptz)`;
  return claimed > 0;
}

export interface NewAlert {
  /** The id of the firing. */
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly taskId: string;
  readonly computeNodeId: string;
  readonly rule: Pick<WatchedRule, 'id' | 'severity'>;
  readonly held: HeldCondition;
  readonly atMs: number;
  readonly message: string;
  readonly facts: AlertFacts;
  /** The images are not stored yet. */
  readonly awaitsPictures: boolean;
}

export async function insertAlert(tx: Tx, alert: NewAlert): Promise<void> {
  const { id, userId, deviceId, sceneId, taskId, computeNodeId, message, awaitsPictures } = alert;
  const { metricPath, operator, threshold, actualValue } = alert.held;
  await tx.alertEvent.create({
    data: {
      ...{ id, userId, deviceId, sceneId, taskId, computeNodeId, message, awaitsPictures },
      ...{ metricPath, operator, threshold, actualValue },
      ruleId: alert.rule.id,
      severity: alert.rule.severity,
      triggeredAt: new Date(alert.atMs),
      facts: alert.facts as unknown as Prisma.InputJsonValue,
    },
    select: { id: true },
  });
}
