import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import type { Db } from '../../platform/database/db.ts';
import { WORKER_SESSIONS } from '../../platform/database/session-owner.ts';

/** Time to find the sessions that lock the rows. */
const LOCK_TIMEOUT_MS = 1_000;
const CHECK_MS = 50;

interface BlockingSession {
  readonly pid: number;
  readonly owner: string;
  /** The session belongs to a worker that is no longer a node, or whose last heartbeat is older than a lease. */
  readonly isDead: boolean;
}

/**
 * Ends the database sessions of dead or frozen workers that lock rows of these runs. It tries to lock the rows itself, so
 * that PostgreSQL names the sessions in its way. Sessions of others are ended by the limits of their transactions.
 * @param ids runs whose leases have lapsed
 * @returns how many sessions were ended
 */
export async function endSessionsOfDead(
  { db, logger, config }: Pick<Context, 'db' | 'logger' | 'config'>,
  ids: readonly string[],
): Promise<number> {
  const sessions = new Map<number, BlockingSession>();
  const waiting = db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`;
    const [me] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
    let isWaiting = true;
    const rows = tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "AnalysisTask" t JOIN "RunLease" l ON l."taskId" = t.id
      WHERE t.id = ANY(${[...ids]}::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t, l`;
    const settled = rows
      .catch(() => undefined)
      .then(() => {
        isWaiting = false;
      });
    while (isWaiting) {
      const blocking = await endDeadSessions(db, me.pid, config.leaseSeconds);
      for (const session of blocking) sessions.set(session.pid, session);
      await Promise.race([settled, pause(CHECK_MS)]);
    }
    await rows;
  });
  await waiting.catch((error: unknown) => {
    if (!isDatabaseBusy(error)) throw error;
  });
  for (const { pid, owner, isDead } of sessions.values()) {
    const what = isDead ? 'a session of a dead worker was ended' : 'a session was left to its time limits';
    logger.warn({ pid, owner }, `rows of a run with a lapsed lease were locked: ${what}`);
  }
  return [...sessions.values()].filter(({ isDead }) => isDead).length;
}

/** @returns the sessions that block a waiting session; those of dead workers are ended */
function endDeadSessions(db: Db, waitingPid: number, leaseSeconds: number): Promise<BlockingSession[]> {
  return db.$queryRaw<BlockingSession[]>`
    WITH blocking AS (
      SELECT a.pid, a.application_name AS owner,
             a.application_name LIKE ${`${WORKER_SESSIONS}%`} AND NOT EXISTS (
               SELECT 1 FROM "ComputeNode" n
               WHERE starts_with(a.application_name, ${WORKER_SESSIONS} || n.incarnation::text)
                 AND n."lastHeartbeatAt" > clock_timestamp() - make_interval(secs => ${leaseSeconds})) AS "isDead"
      FROM pg_stat_activity a
      WHERE a.datname = current_database() AND a.pid = ANY(pg_blocking_pids(${waitingPid}::int)))
    SELECT b.*, CASE WHEN "isDead" THEN pg_terminate_backend(pid) END AS "isEnded" FROM blocking b`;
}
