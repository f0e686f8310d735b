import { isDeepStrictEqual } from 'node:util';
import { requireRoom } from '../access/user-cap.ts';
import { invalidField, notFound, orNotFound } from '../http/errors.ts';
import { definedFields } from '../http/fields.ts';
import type { Context } from '../platform/context.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import type { AlertRule } from '../platform/prisma-client/client.ts';
import {
  countRules,
  endFirings,
  holdRule,
  holdScene,
  holdSite,
  insertRule,
  notifyOfRules,
  type Place,
  type RuleRow,
  removeRule,
  updateRule,
} from './rule.store.ts';
import type { CreateRule, PatchRule } from './schema.ts';

/** @throws ApiError NOT_FOUND when the scene or site is not the caller's, LIMIT_REACHED */
export function createRule(
  { db, config }: Pick<Context, 'config' | 'db'>,
  userId: string,
  body: CreateRule,
  lastStep?: LastStep<RuleRow>,
): Promise<RuleRow> {
  return db.$transaction(async (tx) => {
    const count = () => countRules(tx, userId);
    await requireRoom(tx, { userId, what: 'alert rules', most: config.maxRulesPerUser, count });
    const place = (await holdPlace(tx, userId, body))!;
    await notifyOfRules(tx, place);
    const row = await insertRule(tx, {
      userId,
      ...place,
      name: body.name,
      description: body.description ?? null,
      severity: body.severity,
      conditions: body.conditions,
      logicOperator: body.logicOperator,
      cooldownMinutes: body.cooldownMinutes,
      durationSeconds: body.durationSeconds,
      schedule: body.schedule ?? null,
    });
    await lastStep?.(tx, row);
    return row;
  });
}

/**
 * Keeps the scene or site that is sent.
 * @returns the columns that say what a rule watches; null when neither is sent
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for the scene of a recording
 */
async function holdPlace(
  tx: Tx,
  userId: string,
  { sceneId, siteId }: Pick<PatchRule, 'sceneId' | 'siteId'>,
): Promise<(Place & { readonly deviceId: string | null }) | null> {
  if (siteId !== undefined) {
    if (!(await holdSite(tx, userId, siteId))) throw notFound('Site', 'siteId');
    return { siteId, sceneId: null, deviceId: null };
  }
  if (sceneId === undefined) return null;
  const { isRecording, deviceId } = orNotFound(await holdScene(tx, userId, sceneId), 'Scene', 'sceneId');
  if (!isRecording) return { siteId: null, sceneId, deviceId };
  throw invalidField(
    'sceneId',
    'belongs to a recording, and alert rules watch cameras: try the conditions with POST /alerts/rules/preview',
  );
}

/**
 * Changed conditions, place or logic end a firing, and so does disabling the rule. The cooldown goes on.
 * @throws ApiError NOT_FOUND for the rule, the scene or the site
 */
export function changeRule(
  db: Db,
  { userId, id }: { userId: string; id: string },
  body: PatchRule,
): Promise<RuleRow> {
  return db.$transaction(async (tx) => {
    // The scene is locked before the rule, as when a scene is deleted. So the two cannot deadlock.
    const place = await holdPlace(tx, userId, body);
    const before = orNotFound(await holdRule(tx, userId, id), 'Rule');
    for (const watched of place ? [before, place] : [before]) await notifyOfRules(tx, watched);
    const changed = { ...body, ...place };
    const ends = changes(before, changed, ENDS_FIRING) || body.status === 'disabled';
    if (ends) await endFirings(tx, id);
    return updateRule(
      tx,
      { userId, id },
      {
        ...definedFields(changed),
        ...(changes(before, changed, EVALUATED) && { revision: { increment: 1 } }),
        ...(ends && { isFiring: false, holdingSince: null }),
      },
    );
  });
}

/** @throws ApiError NOT_FOUND */
export async function deleteRule(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  userId: string,
  id: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const rule = orNotFound(await holdRule(tx, userId, id), 'Rule');
    await removeRule(tx, { userId, id, at: clock.now() });
    await notifyOfRules(tx, rule);
  });
}

const ENDS_FIRING = ['conditions', 'sceneId', 'siteId', 'logicOperator'] as const;
const EVALUATED = [
  ...ENDS_FIRING,
  'severity',
  'cooldownMinutes',
  'durationSeconds',
  'schedule',
  'status',
] as const;

function changes(
  before: AlertRule,
  body: { readonly [Field in keyof PatchRule]: PatchRule[Field] | null },
  fields: readonly (keyof PatchRule & keyof AlertRule)[],
) {
  return fields.some(
    (field) => body[field] !== undefined && !isDeepStrictEqual(plain(body[field]), plain(before[field])),
  );
}

/** As stored in JSON: two equal values are equal whatever the order of their keys. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
