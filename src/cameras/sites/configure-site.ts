import { notFound, orNotFound } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { CreateSite, PatchSite } from './schema.ts';
import { insertSite, removeSite, type SiteWithDevices, updateSite } from './site.store.ts';

/** @throws ApiError NOT_FOUND when a device is not the caller's, LIMIT_REACHED */
export async function createSite(
  { db, config }: Pick<Context, 'config' | 'db'>,
  userId: string,
  body: CreateSite,
  lastStep: LastStep<SiteWithDevices>,
): Promise<SiteWithDevices> {
  const most = config.maxSitesPerUser;
  return orNotFound(await insertSite(db, { userId, most }, body, lastStep), 'Device', 'deviceIds');
}

/** @throws ApiError NOT_FOUND when the site or a device is not the caller's */
export async function changeSite(
  db: Db,
  own: { userId: string; id: string },
  body: PatchSite,
): Promise<SiteWithDevices> {
  const changed = await updateSite(db, own, body);
  if (changed === 'no site') throw notFound('Site');
  if (changed === 'no device') throw notFound('Device', 'deviceIds');
  return changed;
}

/** Removes a site and its rules; its devices stay. @throws ApiError NOT_FOUND */
export async function deleteSite(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  id: string,
): Promise<void> {
  if (!(await removeSite(db, { userId, id, at: clock.now() }))) throw notFound('Site');
}
