import { requireRoom } from '../../access/user-cap.ts';
import {
  insertHiddenDevice,
  removeHiddenDevice,
  updateHiddenDevice,
} from '../../cameras/devices/hidden-device.store.ts';
import {
  eraseHiddenScene,
  findHiddenScene,
  insertHiddenScene,
  removeHiddenScene,
  updateHiddenScene,
} from '../../cameras/scenes/hidden-scene.store.ts';
import { containing, definedFields } from '../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../http/paging.ts';
import { asJson } from '../../platform/database/as-json.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { firstIdSince } from '../../platform/database/uuid-v7.ts';
import type { Device, Prisma, Recording } from '../../platform/prisma-client/client.ts';
import type { VideoTrack } from '../../video/probe/probed-stream.ts';
import { eraseRuns } from '../store/task.store.ts';
import type { ListRecordings } from './schema.ts';
import { requireSpareBytes } from './stored-bytes.store.ts';

/** A recording with what its hidden device says. */
export type RecordingRow = Recording & {
  readonly device: Pick<
    Device,
    'analysisFps' | 'attributeGroups' | 'isDisabled' | 'plan' | 'privacyMask' | 'rotation'
  >;
};

const WITH_DEVICE = {
  device: {
    select: {
      ...{ analysisFps: true, attributeGroups: true, isDisabled: true },
      ...{ plan: true, privacyMask: true, rotation: true },
    },
  },
} as const;
const visible = (userId: string) => ({ userId, deletedAt: null });

/** What an upload has found out about its file, and what its sender says of it. */
export type NewRecording = Pick<
  Recording,
  | 'codec'
  | 'durationMs'
  | 'format'
  | 'height'
  | 'name'
  | 'objectKey'
  | 'recordedAt'
  | 'sizeBytes'
  | 'sourceFps'
  | 'timezone'
  | 'userId'
  | 'width'
> &
  Partial<Pick<Recording, 'videoTrack'>> & {
    readonly rotation?: Device['rotation'];
    readonly videoTracks?: readonly VideoTrack[];
  };

export interface InsertOptions {
  /** Most recordings of a user. */
  readonly most: number;
  /** Most bytes of all of them. */
  readonly mostBytes: number;
  /** Configuration of its scene until an analysis names another. */
  readonly config: Prisma.InputJsonObject;
  /** Encrypts the address of its hidden device. */
  readonly sealAddress: (address: string) => string;
}

/** The internal address of the hidden device of a recording. No client may name such an address. */
export const addressOf = (recordingId: string): string => `recording:${recordingId}`;

/** Adds a recording with its hidden device and scene. @throws ApiError LIMIT_REACHED */
export function insertRecording(
  db: Db,
  { rotation = 0, videoTracks = [], ...recording }: NewRecording,
  { most, mostBytes, config, sealAddress }: InsertOptions,
  lastStep?: LastStep<RecordingRow>,
): Promise<RecordingRow> {
  const { userId, name, timezone, width, height, codec, sourceFps } = recording;
  return db.$transaction(async (tx) => {
    const count = () => tx.recording.count({ where: visible(userId) });
    await requireRoom(tx, { userId, what: 'recordings', most, count });
    // Under the lock of the user, so that uploads at the same time do not both take the last room.
    await requireSpareBytes(tx, { userId, mostBytes, bytes: Number(recording.sizeBytes) });
    const [made] = await tx.$queryRaw<[{ id: string }]>`SELECT uuid_v7()::text AS id`;
    const { id } = made;
    const streamUrlEncrypted = sealAddress(addressOf(id));
    const facts = { timezone, width, height, codec, sourceFps, rotation };
    const deviceId = await insertHiddenDevice(tx, { userId, name, streamUrlEncrypted, ...facts });
    const sceneId = await insertHiddenScene(tx, { userId, deviceId, name, config });
    const row = await tx.recording.create({
      data: { ...recording, videoTracks: asJson(videoTracks), id, deviceId, sceneId },
      include: WITH_DEVICE,
    });
    await lastStep?.(tx, row);
    return row;
  });
}

export function findRecording(db: Tx, userId: string, id: string): Promise<RecordingRow | null> {
  return db.recording.findFirst({ where: { ...visible(userId), id }, include: WITH_DEVICE });
}

/** The recordings of a user, newest upload first. */
export function listRecordings(
  db: Db,
  userId: string,
  { q, ...page }: ListRecordings,
): Promise<Page<RecordingRow>> {
  const where = { ...visible(userId), ...(q && { name: containing(q) }) };
  return pageOf(
    db.recording.findMany({ where, include: WITH_DEVICE, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.recording.count({ where }),
  );
}

export const countRecordings = (db: Db, userId: string): Promise<number> =>
  db.recording.count({ where: visible(userId) });

/** Those of these keys that belong to a recording, also to one whose deletion is not finished. */
export async function knownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.recording.findMany({
    where: { objectKey: { in: [...keys] } },
    select: { objectKey: true },
  });
  return new Set(rows.map(({ objectKey }) => objectKey));
}

export interface RecordingChange {
  readonly name?: string;
  readonly timezone?: string;
  readonly recordedAt?: Date;
  readonly privacyMask?: Prisma.InputJsonArray;
  readonly rotation?: number;
  readonly attributeGroups?: string[];
  /** What another video of its file says of itself. */
  readonly facts?: VideoFacts;
}

export type VideoFacts = Pick<
  Recording,
  'codec' | 'durationMs' | 'height' | 'sourceFps' | 'videoTrack' | 'width'
>;

/** Changes a recording together with its hidden device and scene. @returns null when there is no such recording */
export async function updateRecording(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
  { privacyMask, rotation, attributeGroups, facts, ...change }: RecordingChange,
): Promise<RecordingRow | null> {
  const [changed] = await tx.recording.updateManyAndReturn({
    where: { ...visible(userId), id },
    data: { ...change, ...facts },
    select: { deviceId: true, sceneId: true },
  });
  if (!changed) return null;
  const { name, timezone } = change;
  const { width, height, codec, sourceFps } = facts ?? {};
  const ofVideo = { width, height, codec, sourceFps };
  const ofDevice = { name, timezone, privacyMask, rotation, attributeGroups, ...ofVideo };
  await updateHiddenDevice(tx, changed.deviceId, definedFields(ofDevice));
  if (name !== undefined) await updateHiddenScene(tx, changed.sceneId, { name });
  return findRecording(tx, userId, id);
}

/**
 * Locks the device, the scene and then the recording, in the order in which other transactions lock them.
 * @returns false when there is no such recording any more
 */
export async function lockRecording(
  tx: Tx,
  { id, deviceId, sceneId }: Pick<Recording, 'deviceId' | 'id' | 'sceneId'>,
): Promise<boolean> {
  await tx.$queryRaw`SELECT 1 FROM "Device" WHERE id = ${deviceId}::uuid FOR NO KEY UPDATE`;
  await tx.$queryRaw`SELECT 1 FROM "Scene" WHERE id = ${sceneId}::uuid FOR NO KEY UPDATE`;
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "Recording" WHERE id = ${id}::uuid AND "deletedAt" IS NULL FOR NO KEY UPDATE`;
  return found.length > 0;
}

/** What a new analysis changes. */
export interface RunPreparation {
  readonly analysisFps?: number;
  readonly plan?: Device['plan'];
  readonly recordedAt?: Date;
  /** The new configuration of the scene from the present one. */
  readonly config: (before: Prisma.JsonValue) => Prisma.InputJsonObject;
}

/** Changes a recording for its next analysis, and forgets the metrics of the last one. @returns null when it was deleted */
export async function prepareRun(
  tx: Tx,
  recording: Recording,
  { analysisFps, plan, recordedAt, config }: RunPreparation,
): Promise<RecordingRow | null> {
  if (!(await lockRecording(tx, recording))) return null;
  const { userId, id, deviceId, sceneId } = recording;
  await updateHiddenDevice(tx, deviceId, definedFields({ analysisFps, plan }));
  const before = await findHiddenScene(tx, sceneId);
  await updateHiddenScene(tx, sceneId, { config: config(before.config), latestMetrics: null });
  return updateRecording(tx, { userId, id }, definedFields({ recordedAt }));
}

/** From now on no call finds the recording; its file and rows are still there. @returns false when it was deleted already */
export function markDeleted(
  db: Db,
  recording: Recording,
  at: Date,
  lastStep: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    if (!(await lockRecording(tx, recording))) return false;
    await removeHiddenDevice(tx, recording.deviceId, at);
    await removeHiddenScene(tx, recording.sceneId, at);
    await tx.recording.update({ where: { id: recording.id }, data: { deletedAt: at } });
    await lastStep(tx);
    return true;
  });
}

/** Recordings that were uploaded before this time, the oldest first. */
export function findUploadedBefore(db: Db, before: Date, atMost: number): Promise<Recording[]> {
  return db.recording.findMany({
    where: { id: { lt: firstIdSince(before) }, createdAt: { lt: before }, deletedAt: null },
    orderBy: { id: 'asc' },
    take: atMost,
  });
}

/** Recordings that were deleted before this time and are not erased yet, the oldest first. */
export function findUnerased(db: Db, before: Date, atMost: number): Promise<Recording[]> {
  return db.recording.findMany({
    where: { deletedAt: { lt: before } },
    orderBy: { deletedAt: 'asc' },
    take: atMost,
  });
}

/**
 * Removes the rows of a deleted recording: its scene with its runs and everything that they stored, and its own row. The device
 * stays, because usage names it.
 */
export async function eraseRows(db: Db, sceneId: string): Promise<void> {
  // Runs first, in the lock order of their nodes; later writes of a node then find no lease.
  await db.$transaction((tx) => eraseRuns(tx, sceneId), { timeout: ERASE_MS });
  await db.$transaction((tx) => eraseHiddenScene(tx, sceneId), { timeout: ERASE_MS });
}

/** A day of analysis may have some ten thousand rows. */
const ERASE_MS = 20_000;
