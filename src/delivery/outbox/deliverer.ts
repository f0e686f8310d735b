import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { isDatabaseAway, mayPass } from '../../platform/database/database-away.ts';
import { type ClaimedAttempt, claimAttempts, type OutboxTable, releaseAttempt } from './claim.store.ts';
import { givenUp, tryLater } from './outcome.ts';
import { type Outcome, recordAttempt } from './record.store.ts';

/** Attempts of one kind: where they are stored, and how they are sent. */
export interface Outbox<Attempt extends ClaimedAttempt> {
  readonly table: OutboxTable<Attempt>;
  readonly slots: Slots;
  /** Why an attempt is not made, in a sentence for each obstacle that a claim finds. */
  readonly obstacles: Readonly<Record<string, string>>;
  /** To whom an attempt goes. */
  receiverOf(attempt: Attempt): string;
  /** Sends an attempt. What it throws counts as a failure that is tried again. @throws the reason of `signal` */
  send(attempt: Attempt, signal: AbortSignal): Promise<Outcome>;
  close(): void;
}

/** How many attempts a process makes at the same time. */
export interface Slots {
  readonly all: number;
  /** To receivers that do not answer, so that they do not use all places. */
  readonly forFailing: number;
  readonly perReceiver: number;
  readonly perFailingReceiver: number;
}

export interface DelivererOptions {
  /** Time for attempts in progress when the process stops; 5 s by default. */
  readonly stopMs?: number;
  /** Called when an attempt has ended and its place is free. */
  readonly onFree?: () => void;
  /** Called for each attempt whose result was stored. */
  readonly onMade?: ((status: Outcome['status']) => void) | undefined;
  /** Random number from 0 to 1 for the jitter of retries. */
  readonly random?: () => number;
}

/** Time after the limit of an attempt in which its result can be stored before another process makes it again. */
const CLAIM_MARGIN_MS = 5_000;
const STOP_MS = 5_000;

/** Makes the attempts that are due, for all users at the same time. Any number of deliverers may share one database. */
export class OutboxDeliverer<Attempt extends ClaimedAttempt> {
  readonly #context: Pick<Context, 'db' | 'clock' | 'logger'>;
  readonly #outbox: Outbox<Attempt>;
  readonly #options: DelivererOptions;
  readonly #abort = new AbortController();
  readonly #running = new Map<Attempt, Promise<void>>();

  constructor(
    context: Pick<Context, 'db' | 'clock' | 'logger'>,
    outbox: Outbox<Attempt>,
    options: DelivererOptions,
  ) {
    this.#context = context;
    this.#outbox = outbox;
    this.#options = options;
    setMaxListeners(outbox.slots.all, this.#abort.signal);
  }

  /**
   * Starts attempts that are due while there are free places.
   * @param patienceMs attempts that have been due for less are left to other programs
   * @returns number of attempts that were started
   */
  async turn(patienceMs = 0): Promise<number> {
    const { slots, table } = this.#outbox;
    const failing = [...this.#running.keys()].filter(({ isFailing }) => isFailing).length;
    const free = slots.all - this.#running.size;
    if (free === 0) return 0;
    const claimed = await claimAttempts(this.#context.db, table, {
      now: this.#context.clock.now(),
      patienceMs,
      free,
      freeForFailing: slots.forFailing - failing,
      perReceiver: slots.perReceiver,
      perFailingReceiver: slots.perFailingReceiver,
      busy: this.#busy(),
      marginMs: CLAIM_MARGIN_MS,
    });
    for (const attempt of claimed) {
      const made = this.#make(attempt).finally(() => {
        this.#running.delete(attempt);
        this.#options.onFree?.();
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
      pause(this.#options.stopMs ?? STOP_MS, undefined, { signal: stopped.signal }).catch(() => undefined),
    ]);
    stopped.abort();
    this.#abort.abort(new Error('stopping'));
    await this.settled();
    this.#outbox.close();
  }

  #busy(): Map<string, number> {
    const busy = new Map<string, number>();
    for (const attempt of this.#running.keys()) {
      const receiver = this.#outbox.receiverOf(attempt);
      busy.set(receiver, (busy.get(receiver) ?? 0) + 1);
    }
    return busy;
  }

  /** Never rejects: an attempt whose result cannot be stored is made again when its claim ends. */
  async #make(attempt: Attempt): Promise<void> {
    const { db, logger } = this.#context;
    const { signal } = this.#abort;
    const { table } = this.#outbox;
    try {
      const outcome = await this.#outcomeOf(attempt);
      const isMine = await recordAttempt(db, table, attempt, outcome);
      if (isMine && outcome.attemptedAt) this.#options.onMade?.(outcome.status);
    } catch (error) {
      if (signal.aborted) await releaseAttempt(db, table, attempt).catch(() => undefined);
      else if (!isDatabaseAway(error))
        logger.error({ err: error, deliveryId: attempt.id }, 'a delivery broke off');
    }
  }

  /** @throws the reason of a stop, and what may pass: then the attempt does not count */
  async #outcomeOf(attempt: Attempt): Promise<Outcome> {
    const { obstacles } = this.#outbox;
    const { clock, logger } = this.#context;
    const { signal } = this.#abort;
    if (attempt.obstacle !== null) return givenUp(obstacles[attempt.obstacle]!);
    try {
      return await this.#outbox.send(attempt, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (mayPass(error)) throw error;
      // It counts as an attempt: a message that can never be sent would be tried for ever.
      logger.error({ err: error, deliveryId: attempt.id }, 'a message could not be made');
      const { random = Math.random } = this.#options;
      const why = 'The message could not be made: please tell the operator.';
      return tryLater(attempt, why, { clock, random, signal });
    }
  }
}
