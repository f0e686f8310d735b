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
 * The devices whose rows a list may show: undefined where the filter says it already. A device or scene in the filter
 * decides by its plan; one that is not the caller’s leads to an empty list by itself.
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
  // Somebody else’s and an absent one answer the same, whatever the other filter is.
  if (plans.includes(null)) return [];
  for (const plan of plans) if (plan) requirePlan(plan);
  return undefined;
}
