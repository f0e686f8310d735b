import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { type Attempt, claimAttempts, type Outcome, recordAttempt, releaseAttempt } from './attempt.store.ts';
import { makeAttempt } from './attempt.ts';
import { Sender } from './send.ts';

/** Attempts under way at once in this process: mostly waiting, so many cost little. */
const SLOTS = 256;
/** Receivers that do not answer may not fill them all. */
const SLOTS_FOR_FAILING = 128;
const SLOTS_PER_USER = 10;
const SLOTS_PER_FAILING_USER = 2;
/** After its deadline an attempt has this long to be written down before somebody makes it again. */
const CLAIM_MARGIN_MS = 5_000;
const STOP_MS = 5_000;

export interface DelivererOptions {
  readonly sender?: Sender;
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number;
  /** How long attempts under way may take when the process is to end, 5 s by default. */
  readonly stopMs?: number;
  /** Told when an attempt is over: its place is free. */
  readonly onFree?: () => void;
  /** Told of each attempt that was made and written down. */
  readonly onMade?: ((status: Outcome['status']) => void) | undefined;
}

/** Makes the attempts that are due, of all users beside each other. Any number of them share one database. */
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
   * Begins what is due and finds a place.
   * @param patienceMs what has been due for less is left to others
   * @returns how many attempts it began
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

  /** Resolves when what is under way now is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Waits a little for what is under way and gives back the rest. Begin no turn after it. */
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

  /** Never rejects: an attempt that cannot be written down is made again when its claim ends. */
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
