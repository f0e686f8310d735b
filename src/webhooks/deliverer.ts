import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { type Attempt, claimAttempts, type Outcome, recordAttempt, releaseAttempt } from './attempt.store.ts';
import { makeAttempt } from './attempt.ts';
import { Sender } from './send.ts';

/** Most attempts of this process at the same time. They mostly wait, so many cost little. */
const SLOTS = 256;
/** Most attempts to receivers that do not answer, so that they do not use all places. */
const SLOTS_FOR_FAILING = 128;
const SLOTS_PER_USER = 10;
const SLOTS_PER_FAILING_USER = 2;
/** Time after the limit of an attempt in which its result can be stored before another process makes it again. */
const CLAIM_MARGIN_MS = 5_000;
const STOP_MS = 5_000;

export interface DelivererOptions {
  readonly sender?: Sender;
  /** Random number from 0 to 1 for the jitter. */
  readonly random?: () => number;
  /** Time for attempts in progress when the process stops; 5 s by default. */
  readonly stopMs?: number;
  /** Called when an attempt has ended and its place is free. */
  readonly onFree?: () => void;
  /** Called for each attempt whose result was stored. */
  readonly onMade?: ((status: Outcome['status']) => void) | undefined;
}

/** Makes the attempts that are due, for all users at the same time. Any number of deliverers may share one database. */
export class Deliverer {
  readonly #context: Context;
  readonly #sender: Sender;
  readonly #random: () => number;
  readonly #onFree: () => void;
  readonly #onMade: NonNullable<DelivererOptions['onMade']>;
  readonly #stopMs: number;
  readonly #abort = new AbortController();
  readonly #running = new Map<Attempt, Promise<void>>();

  constructor(context: Context, options: DelivererOptions = {}) {
    const { webhookAllowHosts: allowedHosts, webhookCaFile: caFile } = context.config;
    this.#context = context;
    setMaxListeners(SLOTS, this.#abort.signal);
    this.#sender = options.sender ?? new Sender({ allowedHosts, caFile });
    this.#random = options.random ?? Math.random;
    this.#stopMs = options.stopMs ?? STOP_MS;
    this.#onFree = options.onFree ?? (() => undefined);
    this.#onMade = options.onMade ?? (() => undefined);
  }

  /**
   * Starts attempts that are due while there are free places.
   * @param patienceMs attempts that have been due for less are left to other programs
   * @returns number of attempts that were started
   */
  async turn(patienceMs = 0): Promise<number> {
    const failing = [...this.#running.keys()].filter(({ isFailing }) => isFailing).length;
    const free = SLOTS - this.#running.size;
    if (free === 0) return 0;
    const claimed = await claimAttempts(this.#context.db, {
      now: this.#context.clock.now(),
      patienceMs,
      free,
      freeForFailing: SLOTS_FOR_FAILING - failing,
      perUser: SLOTS_PER_USER,
      perFailingUser: SLOTS_PER_FAILING_USER,
      busy: this.#busy(),
      marginMs: CLAIM_MARGIN_MS,
    });
    for (const attempt of claimed) {
      const made = this.#make(attempt).finally(() => {
        this.#running.delete(attempt);
        this.#onFree();
      });
      this.#running.set(attempt, made);
    }
    return claimed.length;
  }

  /** Resolves when the current attempts have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Waits a short time for current attempts and releases the others. Start no attempts afterwards. */
  async stop(): Promise<void> {
    const stopped = new AbortController();
    await Promise.race([
      this.settled(),
      pause(this.#stopMs, undefined, { signal: stopped.signal }).catch(() => undefined),
    ]);
    stopped.abort();
    this.#abort.abort(new Error('stopping'));
    await this.settled();
    this.#sender.close();
  }

  #busy(): Map<string, number> {
    const busy = new Map<string, number>();
    for (const { userId } of this.#running.keys()) busy.set(userId, (busy.get(userId) ?? 0) + 1);
    return busy;
  }

  /** Never rejects: an attempt whose result cannot be stored is made again when its claim ends. */
  async #make(attempt: Attempt): Promise<void> {
    const { clock, sealer, db, logger } = this.#context;
    const { signal } = this.#abort;
    const tools = { clock, sealer, sender: this.#sender, random: this.#random, signal };
    try {
      const outcome = await makeAttempt(attempt, tools);
      const isMine = await recordAttempt(db, attempt, outcome);
      if (isMine && outcome.attemptedAt) this.#onMade(outcome.status);
    } catch (error) {
      if (signal.aborted) await releaseAttempt(db, attempt).catch(() => undefined);
      else if (!isDatabaseAway(error))
        logger.error({ err: error, deliveryId: attempt.id }, 'a delivery broke off');
    }
  }
}
