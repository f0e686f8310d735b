import { randomUUID } from 'node:crypto';

/** Identifies this process in the database, in the names of its sessions and in its node's row. */
export const PROCESS_ID = randomUUID();

/**
 * Prefix of the `application_name` of a worker's sessions, before the id of its process. It identifies sessions whose process
 * no longer lives. pgbouncer passes this start-up parameter on.
 */
export const WORKER_SESSIONS = 'analytics worker ';

/** @param program `worker`, `api`, … */
export const sessionOwner = (program: string): string => `analytics ${program} ${PROCESS_ID}`;
