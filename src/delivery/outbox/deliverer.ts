import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { isDatabaseAway } from '../../platform/database/database-away.ts';
import type { Wanted } from './claim.store.ts';

/** An attempt that this process has claimed. */
export interface ClaimedAttempt {
  readonly id: string;
  /** Whether the last attempts to its receiver failed. */
  readonly isFailing: boolean;
}

/** The result of an attempt. */
export interface MadeAttempt {
  readonly status: 'success' | 'failed';
  /** When it began; null when it was not made. */
  readonly attemptedAt: Date | null;
}

/** How attempts of one kind are claimed, made and recorded. */
export interface Delivery<Attempt, Made> {
  /** To whom an attempt goes. */
  receiverOf(attempt: Attempt): string;
  claim(wanted: Wanted): Promise<readonly Attempt[]>;
  /** @throws the reason of `signal` */
  make(attempt: Attempt, signal: AbortSignal): Promise<Made>;
  /** @returns false when the claim has ended: another process makes the attempt again and stores its result */
  record(attempt: Attempt, made: Made): Promise<boolean>;
  /** Releases an attempt that was not completed, so that another process makes it again. */
  release(attempt: Attempt): Promise<void>;
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
  readonly onMade?: ((status: MadeAttempt['status']) => void) | undefined;
}

/** Time after the limit of an attempt in which its result can be stored before another process makes it again. */
const CLAIM_MARGIN_MS = 5_000;
const STOP_MS = 5_000;

/** Makes the attempts that are due, for all users at the same time. Any number of deliverers may share one database. */
export class OutboxDeliverer<Attempt extends ClaimedAttempt, Made extends MadeAttempt> {
  readonly #context: Pick<Context, 'clock' | 'logger'>;
  readonly #delivery: Delivery<Attempt, Made>;
  readonly #slots: Slots;
  readonly #onFree: () => void;
  readonly #onMade: NonNullable<DelivererOptions['onMade']>;
  readonly #stopMs: number;
  readonly #abort = new AbortController();
  readonly #running = new Map<Attempt, Promise<void>>();

  constructor(
    context: Pick<Context, 'clock' | 'logger'>,
    delivery: Delivery<Attempt, Made>,
    { slots, ...options }: DelivererOptions & { readonly slots: Slots },
  ) {
    this.#context = context;
    this.#delivery = delivery;
    this.#slots = slots;
    setMaxListeners(slots.all, this.#abort.signal);
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
    const free = this.#slots.all - this.#running.size;
    if (free === 0) return 0;
    const claimed = await this.#delivery.claim({
      now: this.#context.clock.now(),
      patienceMs,
      free,
      freeForFailing: this.#slots.forFailing - failing,
      perReceiver: this.#slots.perReceiver,
      perFailingReceiver: this.#slots.perFailingReceiver,
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
    this.#delivery.close();
  }

  #busy(): Map<string, number> {
    const busy = new Map<string, number>();
    for (const attempt of this.#running.keys()) {
      const receiver = this.#delivery.receiverOf(attempt);
      busy.set(receiver, (busy.get(receiver) ?? 0) + 1);
    }
    return busy;
  }

  /** Never rejects: an attempt whose result cannot be stored is made again when its claim ends. */
  async #make(attempt: Attempt): Promise<void> {
    const { signal } = this.#abort;
    try {
      const made = await this.#delivery.make(attempt, signal);
      const isMine = await this.#delivery.record(attempt, made);
      if (isMine && made.attemptedAt) this.#onMade(made.status);
    } catch (error) {
      if (signal.aborted) await this.#delivery.release(attempt).catch(() => undefined);
      else if (!isDatabaseAway(error))
        this.#context.logger.error({ err: error, deliveryId: attempt.id }, 'a delivery broke off');
    }
  }
}
