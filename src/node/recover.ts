import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import { every, type Repeating } from '../platform/jobs/every.ts';
import { closeOverdueStops, expireLeases, listLapsed } from '../runs/lease.store.ts';
import { endSessionsOfDead } from './end-sessions.ts';
import { isAnythingLeft, markOfflineNodes } from './node-notices.store.ts';

/** Runs whose rows are waited for together. */
const STUCK_AT_ONCE = 50;

/**
 * Makes true again what nodes that are gone have left: lapsed leases, stops nobody carried out, their own state. Cheap
 * where there is nothing to do, so that it may be called every second.
 */
export async function recover(context: Pick<Context, 'config' | 'db' | 'logger'>): Promise<void> {
  const { db, logger } = context;
  if (!(await isAnythingLeft(db))) return;
  let runs = await expireLeases(db);
  const stuck = await listLapsed(db, STUCK_AT_ONCE);
  if (stuck.length > 0 && (await endSessionsOfDead(context, stuck)) > 0) runs += await expireLeases(db);
  runs += await closeOverdueStops(db);
  const nodes = await markOfflineNodes(db);
  if (nodes > 0) logger.warn({ nodes }, 'compute nodes are silent: they are offline');
  if (runs === 0) return;
  logger.warn({ runs }, 'leases or stops of other nodes lapsed');
  await notify(db, CHANNELS.runs, '');
}

/**
 * The same beside the nodes, in a program without runs of its own: also where no node is left, what the API shows
 * becomes true.
 */
export function startRecovery(context: Context): Repeating {
  const { config, logger } = context;
  const renewMs = config.renewSeconds * 1000;
  let reachedSinceMs: number | null = null;
  return every(
    renewMs,
    async () => {
      await context.db.$queryRaw`SELECT 1`;
      reachedSinceMs ??= performance.now();
      // After an outage of the database the nodes get the chance to renew first.
      if (performance.now() - reachedSinceMs >= renewMs) await recover(context);
    },
    (error) => {
      reachedSinceMs = null;
      if (!isDatabaseAway(error)) logger.error({ err: error }, 'lapsed leases could not be looked for');
    },
  );
}
