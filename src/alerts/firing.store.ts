import { grouped } from '../catalogue/grouped.ts';
import { asJson } from '../platform/database/as-json.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { storedSchedule } from '../platform/jobs/schedule.ts';
import type { AlertRule } from '../platform/prisma-client/client.ts';
import type { AlertFacts } from './alert-facts.ts';
import type { HeldCondition } from './conditions.ts';
import type { RuleStateRow, StoredRule, WatchedRule } from './rule-watch.ts';
import { storedConditions } from './schema.ts';

type RuleState = Pick<AlertRule, 'id' | 'isFiring' | 'holdingSince' | 'lastTriggeredAt'> & {
  sceneId: string;
};

/** The enabled rules of these scenes and of their sites, by scene. */
export async function loadRules(db: Db, sceneIds: readonly string[]): Promise<Map<string, StoredRule[]>> {
  const byScene = new Map<string, StoredRule[]>(sceneIds.map((id) => [id, []]));
  if (sceneIds.length === 0) return byScene;
  const watching = await db.$queryRaw<RuleState[]>`
    SELECT id, "sceneId", "isFiring", "holdingSince", "lastTriggeredAt" FROM "SceneRule"
    WHERE "sceneId" = ANY(${[...sceneIds]}::uuid[]) AND status = 'enabled'`;
  if (watching.length === 0) return byScene;
  const rules = await db.alertRule.findMany({
    where: { id: { in: watching.map(({ id }) => id) }, deletedAt: null, status: 'enabled' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const states = grouped(watching, ({ id }) => id);
  for (const rule of rules) {
    const conditions = storedConditions.parse(rule.conditions);
    const schedule = storedSchedule.parse(rule.schedule);
    for (const { holdingSince, lastTriggeredAt, ...state } of states.get(rule.id) ?? []) {
      byScene.get(state.sceneId)?.push({
        ...rule,
        ...state,
        conditions,
        schedule,
        holdingSinceMs: holdingSince?.getTime() ?? null,
        lastTriggeredMs: lastTriggeredAt?.getTime() ?? null,
      });
    }
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
        AS n(id uuid, "sceneId" uuid, revision int, "isFiring" boolean, "holdingSince" timestamptz)),
    held AS (
      SELECT r.id, r."siteId" FROM "AlertRule" r
      WHERE EXISTS (SELECT FROM n WHERE n.id = r.id AND n.revision = r.revision)
        AND r."deletedAt" IS NULL AND r.status = 'enabled' ORDER BY r.id FOR NO KEY UPDATE OF r),
    of_sites AS (
      INSERT INTO "SiteRuleState" ("ruleId", "sceneId", "isFiring", "holdingSince")
      SELECT n.id, n."sceneId", n."isFiring", n."holdingSince"
      FROM n JOIN held USING (id) JOIN "Scene" s ON s.id = n."sceneId"
      JOIN "SiteDevice" sd ON sd."siteId" = held."siteId" AND sd."deviceId" = s."deviceId"
      ON CONFLICT ("ruleId", "sceneId") DO UPDATE
      SET "isFiring" = excluded."isFiring", "holdingSince" = excluded."holdingSince")
    UPDATE "AlertRule" r SET "isFiring" = n."isFiring", "holdingSince" = n."holdingSince"
    FROM n JOIN held USING (id) WHERE r.id = n.id AND r."sceneId" = n."sceneId"`;
}

/**
 * Lets a rule fire at a scene, with one conditional update: the rule must be unchanged and its cooldown over, that of a rule of a
 * site at this scene. A concurrent firing waits here and then matches no row. The update leaves `isFiring` alone, since only
 * `writeRuleStates` writes it.
 * @returns false when the rule may not fire
 */
export async function claimFiring(
  tx: Tx,
  rule: Pick<WatchedRule, 'id' | 'sceneId' | 'revision'>,
  atMs: number,
): Promise<boolean> {
  const at = iso(atMs);
  const ofSite = await tx.$executeRaw`
    INSERT INTO "SiteRuleState" AS state ("ruleId", "sceneId", "lastTriggeredAt")
    SELECT id, ${rule.sceneId}::uuid, ${at}::timestamptz FROM "AlertRule"
    WHERE id = ${rule.id}::uuid AND revision = ${rule.revision} AND status = 'enabled' AND "deletedAt" IS NULL
      AND "siteId" IS NOT NULL
    FOR NO KEY UPDATE
    ON CONFLICT ("ruleId", "sceneId") DO UPDATE SET "lastTriggeredAt" = excluded."lastTriggeredAt"
    WHERE state."lastTriggeredAt" IS NULL OR state."lastTriggeredAt"
      + (SELECT make_interval(mins => "cooldownMinutes"::int) FROM "AlertRule" WHERE id = excluded."ruleId")
      <= excluded."lastTriggeredAt"`;
  const claimed = await tx.$executeRaw`
    UPDATE "AlertRule"
    SET "lastTriggeredAt" = greatest("lastTriggeredAt", ${at}::timestamptz), "triggerCount" = "triggerCount" + 1
    WHERE id = ${rule.id}::uuid AND revision = ${rule.revision} AND status = 'enabled' AND "deletedAt" IS NULL
      AND (${ofSite > 0} OR ("siteId" IS NULL AND ("lastTriggeredAt" IS NULL
           OR "lastTriggeredAt" + make_interval(mins => "cooldownMinutes"::int) <= ${at}::timestamptz)))`;
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
      facts: asJson(alert.facts),
    },
    select: { id: true },
  });
}
