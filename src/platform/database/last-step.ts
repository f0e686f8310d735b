import type { Tx } from './db.ts';

/** The last step of a transaction that creates something: it commits together with the creation or not at all. */
export type LastStep<Made> = (tx: Tx, made: Made) => Promise<void>;
