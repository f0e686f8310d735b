import { containing, definedFields } from '../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { CHANNELS } from '../platform/database/notify.ts';
import type { Schedule } from '../platform/jobs/schedule.ts';
import { type AlertRule, Prisma } from '../platform/prisma-client/client.ts';
import type { ListRules } from './schema.ts';

const own = (userId: string, id: string) => ({ id, userId, deletedAt: null });
const device = { select: { id: true, name: true } } as const;
const devices = {
  where: { device: { deletedAt: null } },
  select: { device: { select: { scenes: { where: { deletedAt: null }, select: { config: true } } } } },
} as const;
const include = {
  scene: { select: { id: true, name: true, config: true, device } },
  site: { select: { id: true, name: true, devices } },
  states: { where: { isFiring: true }, select: { sceneId: true }, take: 1 },
} as const satisfies Prisma.AlertRuleInclude;

export type RuleRow = Prisma.AlertRuleGetPayload<{ include: typeof include }>;

export function findRule(db: Db, userId: string, id: string): Promise<RuleRow | null> {
  return db.alertRule.findFirst({ where: own(userId, id), include });
}

/** Lists rules, newest first. */
export async function listRules(db: Db, userId: string, query: ListRules): Promise<Page<RuleRow>> {
  const contains = query.q ? containing(query.q) : undefined;
  const { sceneId, siteId, deviceId, severity, status } = query;
  const where: Prisma.AlertRuleWhereInput = {
    ...{ userId, deletedAt: null },
    ...definedFields({ sceneId, siteId, deviceId, severity, status }),
    ...(contains && { OR: [{ name: contains }, { description: contains }] }),
  };
  return pageOf(
    db.alertRule.findMany({ where, include, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.alertRule.count({ where }),
  );
}

/** The number of rules of the user. */
export const countRules = (tx: Tx, userId: string): Promise<number> =>
  tx.alertRule.count({ where: { userId, deletedAt: null } });

/** What a rule watches: one of the two. */
export type Place = Pick<AlertRule, 'sceneId' | 'siteId'>;

export interface HeldScene {
  readonly id: string;
  readonly deviceId: string;
  readonly name: string;
  /** Of a recording, which is not live. */
  readonly isRecording: boolean;
}

/** Locks the scene, so that it stays until the transaction ends. @returns null when it is not the user’s */
export async function holdScene(tx: Tx, userId: string, sceneId: string): Promise<HeldScene | null> {
  const rows = await tx.$queryRaw<HeldScene[]>`
    SELECT s.id, s."deviceId", s.name, EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = s.id) AS "isRecording"
    FROM "Scene" s
    WHERE s.id = ${sceneId}::uuid AND s."userId" = ${userId}::uuid AND s."deletedAt" IS NULL FOR SHARE OF s`;
  return rows[0] ?? null;
}

/** Keeps the site until the transaction ends. @returns false when it is not the user’s */
export async function holdSite(tx: Tx, userId: string, siteId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "Site" WHERE id = ${siteId}::uuid AND "userId" = ${userId}::uuid FOR KEY SHARE`;
  return rows.length > 0;
}

/** Tells nodes that the rules of a scene, or of all scenes of a site, are to be read again. */
export async function notifyOfRules(tx: Tx, { sceneId, siteId }: Place): Promise<void> {
  await tx.$executeRaw`
    SELECT pg_notify(${CHANNELS.rules}, s.id::text) FROM "Scene" s
    WHERE s.id = ${sceneId}::uuid
       OR s."deviceId" IN (SELECT sd."deviceId" FROM "SiteDevice" sd WHERE sd."siteId" = ${siteId}::uuid)`;
}

/** At none of the scenes of its site does the rule hold any more. The cooldowns go on. */
export async function endFirings(tx: Tx, ruleId: string): Promise<void> {
  await tx.siteRuleState.updateMany({ where: { ruleId }, data: { isFiring: false, holdingSince: null } });
}

/** After devices have left a site: its rules hold at none of their scenes any more. */
export async function endFiringsOutside(tx: Tx, siteId: string): Promise<void> {
  const outside = { device: { sites: { none: { siteId } } } };
  await tx.siteRuleState.updateMany({
    where: { rule: { siteId }, scene: outside },
    data: { isFiring: false, holdingSince: null },
  });
}

/** Removes the rules of a site that is being removed. */
export async function removeRulesOfSite(tx: Tx, siteId: string, at: Date): Promise<void> {
  await tx.alertRule.updateMany({ where: { siteId, deletedAt: null }, data: { deletedAt: at } });
}

/** Locks the rule against other changes until the transaction ends. */
export async function holdRule(tx: Tx, userId: string, id: string): Promise<AlertRule | null> {
  await tx.$queryRaw`
    SELECT 1 FROM "AlertRule"
    WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid AND "deletedAt" IS NULL FOR UPDATE`;
  return tx.alertRule.findFirst({ where: own(userId, id) });
}

/** `schedule` null means that the rule has no schedule. */
type WithSchedule<Columns> = Omit<Columns, 'schedule'> & { readonly schedule?: Schedule | null };

/** Prisma needs a constant of its own to write NULL into a JSON column. */
const withSchedule = <Columns extends object>({
  schedule,
  ...rest
}: Columns & { schedule?: Schedule | null }) => ({
  ...rest,
  ...(schedule !== undefined && { schedule: schedule ?? Prisma.DbNull }),
});

export function insertRule(
  tx: Tx,
  data: WithSchedule<Prisma.AlertRuleUncheckedCreateInput>,
): Promise<RuleRow> {
  return tx.alertRule.create({ data: withSchedule(data), include });
}

export function updateRule(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
  data: WithSchedule<Prisma.AlertRuleUncheckedUpdateInput>,
): Promise<RuleRow> {
  return tx.alertRule.update({ where: own(userId, id), data: withSchedule(data), include });
}

export async function removeRule(
  tx: Tx,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<void> {
  const data = { deletedAt: at, isFiring: false, holdingSince: null };
  await tx.alertRule.updateMany({ where: own(userId, id), data });
  await endFirings(tx, id);
}

/** Removes the rules of scenes that are being removed. */
export async function removeRulesOf(tx: Tx, sceneIds: readonly string[], at: Date): Promise<void> {
  const where = { sceneId: { in: [...sceneIds] }, deletedAt: null };
  await tx.alertRule.updateMany({ where, data: { deletedAt: at } });
}
