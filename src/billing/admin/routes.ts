import { presentUser as presentAccess } from '../../access/present.ts';
import { findUserById } from '../../access/user.store.ts';
import { administrator } from '../../audit/record-audit.ts';
import { notFound, orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/db.ts';
import { readBaseLimits } from '../base.store.ts';
import { withApiNames } from '../features.ts';
import { periodOf } from '../period.ts';
import { presentDeviceUsage, presentMonthlyQuota } from '../present.ts';
import { findAnyDevice, isUser, readQuota } from '../quota.store.ts';
import { deviceUsage, monthlyQuota, userDetail } from '../schema.ts';
import { overrideQuota, switchDevice, topUpQuota } from './administer-quota.ts';
import { deviceQuotaBody, topUpBody, userQuotaBody } from './schema.ts';

/** The user as the owner of a quota. @throws ApiError NOT_FOUND */
async function requireUser(context: Context, userId: string) {
  if (!(await isUser(context.db, userId))) throw notFound('User');
  return { scope: 'user', scopeId: userId, userId, now: context.clock.now() } as const;
}

async function requireDevice(context: Context, deviceId: string) {
  const device = orNotFound(await findAnyDevice(context.db, deviceId), 'Device');
  return device;
}

async function presentUser({ db, clock }: { db: Tx; clock: Clock }, userId: string) {
  const period = periodOf(clock.now());
  return presentMonthlyQuota(userId, period, await readQuota(db, { scope: 'user', scopeId: userId }, period));
}

export const quotaAdminRoutes = [
  route({
    name: 'getUser',
    method: 'get',
    path: '/admin/users/{id}',
    scope: 'admin',
    summary: 'Read a user with quotas',
    params: idParams,
    response: userDetail,
  }).answers(async ({ context, params }) => {
    const { db } = context;
    const row = orNotFound(await findUserById(db, params.id), 'User');
    const [limits, month] = await Promise.all([
      readBaseLimits(db, { scope: 'user', scopeId: row.id }),
      presentUser(context, row.id),
    ]);
    return { ...presentAccess(row), monthlyLimits: withApiNames(limits), month };
  }),

  route({
    name: 'topUpUserQuota',
    method: 'post',
    path: '/admin/users/{id}/quota/top-up',
    scope: 'admin',
    summary: 'Add to a user’s limit of this month',
    params: idParams,
    body: topUpBody,
    status: 201,
    response: monthlyQuota,
    idempotency: 'user',
  }).answers(async ({ context, caller, client, params, body, keepAnswer }) => {
    const { featureType, ...topUp } = body;
    const owner = { ...(await requireUser(context, params.id)), by: administrator(caller, client) };
    const { clock } = context;
    await topUpQuota(context.db, { ...owner, ...topUp, feature: featureType }, async (tx) =>
      keepAnswer(tx, await presentUser({ db: tx, clock }, params.id)),
    );
    return presentUser(context, params.id);
  }),

  route({
    name: 'setUserQuota',
    method: 'put',
    path: '/admin/users/{id}/quota',
    scope: 'admin',
    summary: 'Set a user’s limits for this month and all later months',
    description:
      'Limits that are not sent stay as they are. Top-ups of this month are replaced. Limits have the names of the reports (`analysisSeconds`); the older names (`analysis`) are accepted too.',
    params: idParams,
    body: userQuotaBody,
    response: monthlyQuota,
  }).answers(async ({ context, caller, client, params, body }) => {
    const { reason, limits } = body;
    const by = administrator(caller, client);
    await overrideQuota(context.db, { ...(await requireUser(context, params.id)), limits, reason, by });
    return presentUser(context, params.id);
  }),

  route({
    name: 'setDeviceQuota',
    method: 'put',
    path: '/admin/devices/{id}/quota',
    scope: 'admin',
    summary: 'Set a device’s limits within its user’s quota, or disable it',
    description:
      'Limits that are not sent stay as they are. A device without limits of its own is unlimited. Limits have the names of the reports (`analysisSeconds`); the older names (`analysis`) are accepted too.',
    params: idParams,
    body: deviceQuotaBody,
    response: deviceUsage,
  }).answers(async ({ context, caller, client, params, body }) => {
    const { db, clock } = context;
    const { reason, isDisabled, limits } = body;
    const by = administrator(caller, client);
    const { userId } = await requireDevice(context, params.id);
    const owner = { scope: 'device', scopeId: params.id, userId, now: clock.now() } as const;
    await overrideQuota(db, { ...owner, limits, reason, by });
    if (isDisabled !== undefined) await switchDevice(db, { ...owner, reason, by }, isDisabled);
    const period = periodOf(clock.now());
    const device = await requireDevice(context, params.id);
    return presentDeviceUsage(device, period, await readQuota(db, owner, period));
  }),
];
