import type { Context } from '../../platform/context.ts';
import { isDatabaseAway } from '../../platform/database/database-away.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { every, type Repeating } from '../../platform/jobs/every.ts';
import { closeOverdueStops, expireLeases, listLapsed } from '../store/lease.store.ts';
import { emitWaiting } from '../store/waiting/emit-waiting.ts';
import { endSessionsOfDead } from './end-sessions.ts';
import { findWork, markOfflineNodes } from './node-notices.store.ts';

/** Locked runs that one call handles at most. */
const MAX_LOCKED = 50;

/**
 * Requeues runs whose leases have lapsed, closes runs whose stop is overdue, marks dead nodes as offline, and tells which runs
 * wait for capacity. It costs little
 * when there is nothing to do, so that it may be called every second.
 */
export async function recover(context: Pick<Context, 'config' | 'db' | 'logger'>): Promise<void> {
  const { db, logger } = context;
  const { isWaiting, isLeft } = await findWork(db);
  if (isWaiting) await emitWaiting(db);
  if (!isLeft) return;
  let runs = await expireLeases(db);
  const locked = await listLapsed(db, MAX_LOCKED);
  if (locked.length > 0 && (await endSessionsOfDead(context, locked)) > 0) runs += await expireLeases(db);
  runs += await closeOverdueStops(db);
  const nodes = await markOfflineNodes(db);
  if (nodes > 0) logger.warn({ nodes }, 'compute nodes without a heartbeat are offline');
  if (runs === 0) return;
  logger.warn({ runs }, 'runs with lapsed leases or overdue stops were requeued or closed');
  await notify(db, CHANNELS.runs, '');
}

/** Repeats `recover` in an API, so that the shown states are right also when no node is left. */
export function startRecovery(context: Context): Repeating {
  const { config, logger } = context;
  const renewMs = config.renewSeconds * 1000;
  let availableSinceMs: number | null = null;
  return every(
    renewMs,
    async () => {
      await context.db.$queryRaw`SELECT 1`;
      availableSinceMs ??= performance.now();
      // After an outage of the database the nodes can renew their leases first.
      if (performance.now() - availableSinceMs >= renewMs) await recover(context);
    },
    (error) => {
      availableSinceMs = null;
      if (!isDatabaseAway(error)) logger.error({ err: error }, 'lapsed leases could not be recovered');
    },
  );
}
