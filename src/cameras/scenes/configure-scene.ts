import { isDeepStrictEqual } from 'node:util';
import { type Actor, recordAudit } from '../../audit/record-audit.ts';
import { ApiError, orNotFound } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import type { Context } from '../../platform/context.ts';
import { asJson } from '../../platform/database/as-json.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { Scene } from '../../platform/prisma-client/client.ts';
import { sceneConfigSchema } from '../../vision/scene-config.ts';
import { storedConfig } from '../../vision/stored-config.ts';
import type { Polygon } from '../../vision/types.ts';
import { targetColumns } from '../target.ts';
import {
  findCameraScene,
  insertScene,
  lockSceneAndDevice,
  removeScene,
  type SceneColumns,
  updateScene,
} from './scene.store.ts';
import { ACTIVE_ANALYSIS, type CreateScene, type PatchScene } from './schema.ts';

/** @throws ApiError NOT_FOUND when the device is not the caller's, LIMIT_REACHED */
export async function createScene(
  { db, config: { maxScenesPerUser: most } }: Pick<Context, 'config' | 'db'>,
  userId: string,
  body: CreateScene,
  lastStep?: LastStep<Scene>,
): Promise<Scene> {
  const { deviceId, name, description, config, target } = body;
  const columns = {
    name,
    description: description ?? null,
    config: asJson(config),
    ...targetColumns(target),
  };
  const row = await insertScene(db, { userId, deviceId, most }, columns, lastStep);
  return orNotFound(row, 'Device', 'deviceId');
}

/** Who changes a scene and when, for the audit log. */
export interface ChangedBy {
  readonly actor: Actor;
  readonly at: Date;
}

/** @throws ApiError NOT_FOUND, IMMUTABLE_FIELD, SCENE_ANALYSIS_ACTIVE */
export async function changeScene(
  db: Db,
  own: { userId: string; id: string },
  body: PatchScene,
  by: ChangedBy,
): Promise<Scene> {
  if (body.config !== undefined) return changeConfig(db, own, body, by);
  const before = orNotFound(await findCameraScene(db, own.userId, own.id), 'Scene');
  const columns = columnsOf(before, body);
  const isAnyTime = isForAnyTime(body);
  if (!isAnyTime) requireAtRest(before);
  if (Object.keys(columns).length === 0) return before;
  return (await updateScene(db, own, columns, isAnyTime)) ?? refuseChange(db, own.userId, own.id);
}

/** Under a lock, so that no change of the mask is lost. */
function changeConfig(
  db: Db,
  own: { userId: string; id: string },
  body: PatchScene,
  by: ChangedBy,
): Promise<Scene> {
  return db.$transaction(async (tx) => {
    const before = orNotFound(await lockSceneAndDevice(tx, own), 'Scene');
    const columns = columnsOf(before, body);
    if (!isForAnyTime(body)) requireAtRest(before);
    const after = orNotFound(await updateScene(tx, own, columns, true), 'Scene');
    await recordMasks(tx, { before, after: masksIn(after.config) }, by);
    return after;
  });
}

/** The masks of a scene's configuration. */
export const masksIn = (config: unknown): readonly Polygon[] => storedConfig.parse(config).privacyMask ?? [];

/** Records that the masks of a scene have changed, if they have. */
export async function recordMasks(
  tx: Tx,
  { before, after }: { before: Scene; after: readonly unknown[] },
  by: ChangedBy,
): Promise<void> {
  if (isDeepStrictEqual(masksIn(before.config), after)) return;
  const { userId, id } = before;
  const what = { target: { kind: 'scene', id }, details: { polygons: after.length } };
  await recordAudit(tx, { userId, action: 'masks_changed', ...what, ...by });
}

/** Whether a change is possible while the analysis is active: of nothing but the masks and the target. */
const isForAnyTime = ({ config = {}, ...others }: PatchScene): boolean => {
  const names = [...Object.keys(definedFields(others)), ...Object.keys(definedFields(config))];
  return names.length > 0 && names.every((name) => name === 'target' || name === 'privacyMask');
};

/** The columns that a change sets. @throws ApiError IMMUTABLE_FIELD */
export function columnsOf(before: Scene, body: PatchScene): SceneColumns {
  refuseFixedFields(before, body);
  const { name, description, status, config, target } = body;
  return definedFields({
    ...{ name, description, status, ...targetColumns(target) },
    config: config && asJson(mergeConfig(before, config)),
  });
}

/** Two changes as one; the second decides. */
export function mergePatches(first: PatchScene, second: PatchScene): PatchScene {
  if (!first.config || !second.config) return { ...first, ...second };
  const parameters = { ...first.config.parameters, ...second.config.parameters };
  return { ...first, ...second, config: { ...first.config, ...second.config, parameters } };
}

/** @throws ApiError NOT_FOUND, SCENE_ANALYSIS_ACTIVE */
export async function deleteScene(
  db: Db,
  { userId, id }: { userId: string; id: string },
  by: ChangedBy,
): Promise<void> {
  const lastStep = (tx: Tx, before: Scene) => recordMasks(tx, { before, after: [] }, by);
  if (!(await removeScene(db, { userId, id, at: by.at }, lastStep))) await refuseChange(db, userId, id);
}

function refuseFixedFields(before: Scene, body: PatchScene): void {
  for (const field of ['deviceId', 'analysisType'] as const) {
    if (body[field] === undefined || body[field] === before[field]) continue;
    const message = 'cannot be changed: create another scene';
    throw new ApiError('IMMUTABLE_FIELD', `${field} ${message}`, [{ path: field, message }]);
  }
}

/** Whether a run of the scene is queued or held by a node. */
export const isActiveScene = ({ analysisStatus }: Pick<Scene, 'analysisStatus'>): boolean =>
  ACTIVE_ANALYSIS.some((active) => active === analysisStatus);

function requireAtRest(scene: Scene): void {
  if (!isActiveScene(scene)) return;
  const { analysisStatus } = scene;
  throw new ApiError('SCENE_ANALYSIS_ACTIVE', `The scene’s analysis is ${analysisStatus}: stop it first`);
}

/** Tells why a guarded change matched no row. */
async function refuseChange(db: Db, userId: string, id: string): Promise<never> {
  orNotFound(await findCameraScene(db, userId, id), 'Scene');
  throw new ApiError('SCENE_ANALYSIS_ACTIVE', 'The scene’s analysis is active: stop it first');
}

/** The configuration of a scene after a change. */
export function mergeConfig(before: Pick<Scene, 'config'>, patch: NonNullable<PatchScene['config']>) {
  const { zones, parameters, privacyMask } = sceneConfigSchema.parse(before.config);
  return {
    zones: patch.zones ?? zones,
    parameters: { ...parameters, ...patch.parameters },
    privacyMask: patch.privacyMask ?? privacyMask,
  };
}
