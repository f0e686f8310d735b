import { ApiError } from '../http/errors.ts';
import type { Context } from '../platform/context.ts';
import type { Feature } from '../platform/prisma-client/client.ts';
import { UNITS } from './features.ts';
import { periodOf } from './period.ts';
import { readQuota } from './quota.store.ts';
import { isExceeded } from './quota-state.ts';

/**
 * Checks that the user, and the device where one is given, have quota of a feature left this month.
 * @throws ApiError QUOTA_EXCEEDED
 */
export async function requireQuota(
  { db, clock }: Context,
  { userId, deviceId }: { userId: string; deviceId?: string },
  feature: Feature,
): Promise<void> {
  const owners = [
    { scope: 'user' as const, scopeId: userId },
    ...(deviceId ? [{ scope: 'device' as const, scopeId: deviceId }] : []),
  ];
  for (const owner of owners) {
    const state = (await readQuota(db, owner, periodOf(clock.now())))[feature];
    if (!isExceeded(state)) continue;
    const whose = owner.scope === 'user' ? 'Your' : 'This device’s';
    const used = `${state.used} of ${state.limit} ${UNITS[feature]}`;
    throw new ApiError(
      'QUOTA_EXCEEDED',
      `${whose} ${feature} quota of this month is used up (${used}): ask for more`,
    );
  }
}
