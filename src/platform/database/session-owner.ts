import { randomUUID } from 'node:crypto';

/** Names this process in the database: its sessions, and the node that it is. */
export const PROCESS_ID = randomUUID();

/**
 * What the sessions of workers are called (`application_name`), before the id of their process. By it a session is found
 * whose process is gone: of the start-up parameters this is one that pgbouncer hands on.
 */
export const WORKER_SESSIONS = 'analytics worker ';

/** @param program `worker`, `api`, … */
export const sessionOwner = (program: string): string => `analytics ${program} ${PROCESS_ID}`;
