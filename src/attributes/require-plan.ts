import { ApiError } from '../http/errors.ts';
import type { Db } from '../platform/database/db.ts';
import type { DevicePlan } from '../platform/prisma-client/client.ts';
import { findAttributeDevices, findDevicePlan, findScenePlan, type PlaceFilter } from './attribute.store.ts';

/** @throws ApiError FORBIDDEN for a plan without attributes */
export function requirePlan(plan: DevicePlan): void {
  if (plan === 'LEVEL_02') return;
  throw new ApiError(
    'FORBIDDEN',
    'Pedestrian attributes need a device of plan LEVEL_02: change the device’s plan',
  );
}

/**
 * The devices whose records a list may show; undefined where the filter already restricts them. A device or scene in
 * the filter needs the plan; one of another user leads to an empty list.
 * @throws ApiError FORBIDDEN
 */
export async function requireListPlan(
  db: Db,
  userId: string,
  { deviceId, sceneId }: PlaceFilter,
): Promise<readonly string[] | undefined> {
  if (!deviceId && !sceneId) {
    const devices = await findAttributeDevices(db, userId);
    if (devices.length === 0) requirePlan('LEVEL_01');
    return devices;
  }
  const plans = await Promise.all([
    deviceId ? findDevicePlan(db, userId, deviceId) : undefined,
    sceneId ? findScenePlan(db, userId, sceneId) : undefined,
  ]);
  // A foreign and an absent device or scene get the same answer, whatever the other filter is.
  if (plans.includes(null)) return [];
  for (const plan of plans) if (plan) requirePlan(plan);
  return undefined;
}
