import { isDeepStrictEqual } from 'node:util';
import { requireRoom } from '../access/user-cap.ts';
import { invalidField, notFound, orNotFound } from '../http/errors.ts';
import { definedFields } from '../http/fields.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import type { AlertRule } from '../platform/prisma-client/client.ts';
import {
  countRules,
  type HeldScene,
  holdRule,
  holdScene,
  insertRule,
  type RuleRow,
  removeRule,
  updateRule,
} from './rule.store.ts';
import type { CreateRule, PatchRule } from './schema.ts';

/** @throws ApiError NOT_FOUND when the scene is not the caller's, LIMIT_REACHED */
export function createRule(
  { db, config }: Pick<Context, 'config' | 'db'>,
  userId: string,
  body: CreateRule,
  lastStep?: LastStep<RuleRow>,
): Promise<RuleRow> {
  return db.$transaction(async (tx) => {
    const count = () => countRules(tx, userId);
    await requireRoom(tx, { userId, what: 'alert rules', most: config.maxRulesPerUser, count });
    const scene = orNotFound(await holdScene(tx, userId, body.sceneId), 'Scene', 'sceneId');
    requireLive(scene);
    const { deviceId } = scene;
    await notify(tx, CHANNELS.rules, body.sceneId);
    const row = await insertRule(tx, {
      userId,
      deviceId,
      sceneId: body.sceneId,
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

/** @throws ApiError VALIDATION_ERROR for the scene of a recording */
function requireLive({ isRecording }: HeldScene): void {
  if (!isRecording) return;
  throw invalidField(
    'sceneId',
    'belongs to a recording, and alert rules watch cameras: try the conditions with POST /alerts/rules/preview',
  );
}

/**
 * Changed conditions, scene or logic end a firing, and so does disabling the rule. The cooldown goes on.
 * @throws ApiError NOT_FOUND for the rule or the scene
 */
export function changeRule(
  db: Db,
  { userId, id }: { userId: string; id: string },
  body: PatchRule,
): Promise<RuleRow> {
  return db.$transaction(async (tx) => {
    // The scene is locked before the rule, as when a scene is deleted. So the two cannot deadlock.
    const scene = body.sceneId === undefined ? null : await holdScene(tx, userId, body.sceneId);
    const before = orNotFound(await holdRule(tx, userId, id), 'Rule');
    if (body.sceneId !== undefined && !scene) throw notFound('Scene', 'sceneId');
    if (scene) requireLive(scene);
    for (const sceneId of new Set([before.sceneId, body.sceneId ?? before.sceneId])) {
      await notify(tx, CHANNELS.rules, sceneId);
    }
    return updateRule(
      tx,
      { userId, id },
      {
        ...definedFields(body),
        ...(scene && { deviceId: scene.deviceId }),
        ...(changes(before, body, EVALUATED) && { revision: { increment: 1 } }),
        ...((changes(before, body, ENDS_FIRING) || body.status === 'disabled') && {
          isFiring: false,
          holdingSince: null,
        }),
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
    await notify(tx, CHANNELS.rules, rule.sceneId);
  });
}

const ENDS_FIRING = ['conditions', 'sceneId', 'logicOperator'] as const;
const EVALUATED = [
  ...ENDS_FIRING,
  'severity',
  'cooldownMinutes',
  'durationSeconds',
  'schedule',
  'status',
] as const;

function changes(before: AlertRule, body: PatchRule, fields: readonly (keyof PatchRule & keyof AlertRule)[]) {
  return fields.some(
    (field) => body[field] !== undefined && !isDeepStrictEqual(plain(body[field]), plain(before[field])),
  );
}

/** As stored in JSON: two equal values are equal whatever the order of their keys. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
