import type { Tx } from './db.ts';

/** What a transaction that creates does last with what it made: it is committed together, or not at all. */
export type LastStep<Made> = (tx: Tx, made: Made) => Promise<void>;
