import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db } from '../platform/database/db.ts';
import { WORKER_SESSIONS } from '../platform/database/session-owner.ts';

/** For so long the holders of a run's row are looked for in one go. */
const PATIENCE_MS = 1_000;
const LOOK_MS = 50;

interface Holder {
  readonly pid: number;
  readonly owner: string;
  /** It is of a worker whose process is no node any more, or has not renewed its lease in time. */
  readonly isDead: boolean;
}

/**
 * Ends the sessions that hold rows of these runs, where they are of a worker that has died or is frozen. To find them it
 * waits for the rows itself, so that PostgreSQL can say who is in its way. Whoever else holds a row is left alone: the
 * limits of its transaction end that.
 * @param ids runs whose leases have lapsed
 * @returns how many sessions were ended
 */
export async function endSessionsOfDead(
  { db, logger, config }: Pick<Context, 'db' | 'logger' | 'config'>,
  ids: readonly string[],
): Promise<number> {
  const seen = new Map<number, Holder>();
  const waiting = db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT set_config('lock_timeout', ${String(PATIENCE_MS)}, true)`;
    const [me] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    let isWaiting = true;
    const rows = tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "AnalysisTask" t JOIN "RunLease" l ON l."taskId" = t.id
      WHERE t.id = ANY(${[...ids]}::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t, l`;
    const settled = rows.then(
      () => {
        isWaiting = false;
      },
      () => {
        isWaiting = false;
      },
    );
    while (isWaiting) {
      for (const holder of await endHolders(db, me!.pid, config.leaseSeconds)) seen.set(holder.pid, holder);
      await Promise.race([settled, pause(LOOK_MS)]);
    }
    await rows;
  });
  await waiting.catch((error: unknown) => {
    if (!isDatabaseBusy(error)) throw error;
  });
  for (const { pid, owner, isDead } of seen.values()) {
    if (isDead) logger.warn({ pid, owner }, 'a worker that is gone held a run: its session was ended');
    else
      logger.warn({ pid, owner }, 'a session holds a run whose lease has lapsed: it is left to its limits');
  }
  return [...seen.values()].filter(({ isDead }) => isDead).length;
}

/** Who is in the way of a waiting session; those of dead workers are ended. */
function endHolders(db: Db, waitingPid: number, leaseSeconds: number): Promise<Holder[]> {
  return db.$queryRaw<Holder[]>`
    WITH holders AS (
      SELECT a.pid, a.application_name AS owner,
             a.application_name LIKE ${`${WORKER_SESSIONS}%`} AND NOT EXISTS (
               SELECT 1 FROM "ComputeNode" n
               WHERE starts_with(a.application_name, ${WORKER_SESSIONS} || n.incarnation::text)
                 AND n."lastHeartbeatAt" > clock_timestamp() - make_interval(secs => ${leaseSeconds})) AS "isDead"
      FROM pg_stat_activity a
      WHERE a.datname = current_database() AND a.pid = ANY(pg_blocking_pids(${waitingPid}::int)))
    SELECT h.*, CASE WHEN "isDead" THEN pg_terminate_backend(pid) END AS "isEnded" FROM holders h`;
}
