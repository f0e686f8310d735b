import { requireQuota } from '../../billing/require-quota.ts';
import { findDevice } from '../../cameras/devices/device.store.ts';
import { probeDevice } from '../../cameras/devices/probe-device.ts';
import { findScene } from '../../cameras/scenes/scene.store.ts';
import { ApiError, notFound, orNotFound } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { Device, Scene, StartedBy } from '../../platform/prisma-client/client.ts';
import { isAnyNodeOnline } from '../store/nodes.store.ts';
import { type QueuedRun, queueRun } from '../store/queue-run.store.ts';
import { AT_REST } from '../store/states.ts';

/** A node needs about this time to start. */
const NODE_RETRY_SECONDS = 10;

export interface StartOptions {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  /** 1-5, 1 first. */
  readonly priority: number;
  readonly startedBy: StartedBy;
}

/**
 * Queues the analysis of a scene. Faults that the caller can repair are checked first; a missing node comes last, because
 * it may still start.
 * @throws ApiError in this order: NOT_FOUND, NO_ACTIVE_SCENES, ALREADY_RUNNING, DEVICE_OFFLINE, QUOTA_EXCEEDED,
 * NO_COMPUTE_NODE
 */
export async function startAnalysis(
  context: Context,
  options: StartOptions,
  lastStep?: LastStep<QueuedRun>,
): Promise<QueuedRun> {
  const { db } = context;
  const { userId, deviceId, sceneId } = options;
  const device = orNotFound(await findDevice(db, userId, deviceId), 'Device');
  requireStartable(await findScene(db, userId, sceneId), deviceId);
  await requireOnline(context, device);
  if (device.isDisabled) throw new ApiError('QUOTA_EXCEEDED', 'This device is disabled: ask the operator');
  await requireQuota(context, { userId, deviceId }, 'analysis');
  await requireNode(context);

  const queued = await queueRun(db, options, lastStep);
  if (queued) return queued;
  requireStartable(await findScene(db, userId, sceneId), deviceId);
  throw alreadyRunning();
}

export const alreadyRunning = () =>
  new ApiError('ALREADY_RUNNING', 'Analysis of this scene is already queued or running: stop it first');

function requireStartable(scene: Scene | null, deviceId: string): void {
  if (!scene) throw notFound('Scene', 'sceneId');
  if (scene.deviceId !== deviceId) {
    throw new ApiError('NO_ACTIVE_SCENES', 'The scene belongs to another device');
  }
  if (scene.status !== 'active') {
    throw new ApiError('NO_ACTIVE_SCENES', `The scene is ${scene.status}: set its status to active`);
  }
  if (!AT_REST.includes(scene.analysisStatus)) throw alreadyRunning();
}

async function requireOnline(context: Context, device: Device): Promise<void> {
  if (device.onlineStatus === 'online') return;
  const { fault } = await probeDevice(context, device, 'presence');
  if (fault === null) return;
  const { reason, sentence } = fault;
  const details = [{ path: 'streamUrl', message: sentence, reason }];
  throw new ApiError('DEVICE_OFFLINE', `The device is offline: ${sentence}`, details);
}

/** @throws ApiError NO_COMPUTE_NODE */
export async function requireNode({ db }: Pick<Context, 'db'>): Promise<void> {
  if (await isAnyNodeOnline(db)) return;
  const message = 'No compute node is online: start one with `npm run worker`, or try again in a moment';
  throw new ApiError('NO_COMPUTE_NODE', message, [], { retryAfterSeconds: NODE_RETRY_SECONDS });
}
