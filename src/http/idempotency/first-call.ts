import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/db.ts';
import { whileHeld } from '../../platform/jobs/work-off.ts';
import { statusOf, wrap, wrapError } from '../answer/envelope.ts';
import { ApiError } from '../errors.ts';
import type { Route } from '../route.ts';
import { type Attempt, keepAnswer, prolongClaim, releaseCall } from './call.store.ts';

/** An answer as it is sent and stored. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Answers with these statuses are final: nothing was created. They are stored like a success and returned to repeated calls. */
const FINAL_FAILURES: readonly number[] = [402, 404, 409];

export const bindingOf = ({ userId, route, keyHash }: Attempt | Omit<Attempt, 'token'>): string =>
  `call:${userId}:${route}:${Buffer.from(keyHash).toString('hex')}`;

export interface FirstCallOptions {
  readonly context: Pick<Context, 'clock' | 'db' | 'logger' | 'sealer'>;
  readonly route: Route;
  readonly attempt: Attempt;
  /** How long its claim lasts. */
  readonly claimSeconds: number;
  readonly requestId: string;
  /** Checks the body of a success; in tests, where a handler that does not call `keepAnswer` is also an error. */
  readonly check: z.ZodType | undefined;
}

/** The one attempt of a call that may create; it stores the answer. */
export class FirstCall {
  readonly #options: FirstCallOptions;
  /** The answer that was stored in the transaction that created. */
  #kept: { readonly answer: Answer; readonly data: string } | undefined;

  constructor(options: FirstCallOptions) {
    this.#options = options;
  }

  /** The last step of the transaction that creates. @throws ApiError IDEMPOTENCY_KEY_IN_USE, which rolls it back */
  async keep(tx: Tx, data: unknown): Promise<void> {
    const answer = this.#success(data);
    if (!(await this.#store(tx, answer))) {
      throw new ApiError(
        'IDEMPOTENCY_KEY_IN_USE',
        'This call took so long that a repetition has begun. This call created nothing: repeat it',
        [],
        { retryAfterSeconds: 1 },
      );
    }
    this.#kept = { answer, data: JSON.stringify(data) };
  }

  /**
   * Executes the call. Its answer is stored before it is sent, unless the call may be tried again.
   * @param options.isLong it may take longer than its claim, which is then prolonged while it runs
   */
  async run(handler: () => Promise<unknown>, { isLong = false } = {}): Promise<Answer> {
    let data: unknown;
    try {
      data = await (isLong ? this.#held(handler) : handler());
    } catch (error) {
      return this.#failed(error);
    }
    const { route, check, context } = this.#options;
    if (check && !this.#kept) throw new Error(`${route.method} ${route.path} did not keep its answer`);
    if (this.#kept?.data === JSON.stringify(data)) return this.#kept.answer;
    const answer = this.#success(data);
    // If this fails, a repetition gets the answer that the transaction stored; it is about the same resource.
    await this.#store(context.db, answer).catch((error: unknown) =>
      context.logger.warn({ err: error }, 'The last answer of a call could not be stored'),
    );
    return answer;
  }

  async #failed(error: unknown): Promise<Answer> {
    const { context, attempt, requestId } = this.#options;
    const { db, logger } = context;
    try {
      if (this.#kept) {
        // The failure came after the commit; a repetition gets the stored answer.
      } else if (error instanceof ApiError && FINAL_FAILURES.includes(error.status) && !isOurs(error)) {
        const answer = {
          status: error.status,
          body: JSON.stringify(wrapError(error, { requestId, now: context.clock.now() })),
        };
        if (await this.#store(db, answer)) return answer;
      } else {
        await releaseCall(db, attempt);
      }
    } catch (fault) {
      // The claim expires by itself.
      logger.warn({ err: fault }, 'A failed call could not be released');
    }
    throw error;
  }

  #held(handler: () => Promise<unknown>): Promise<unknown> {
    const { context, attempt, claimSeconds } = this.#options;
    const renew = () => prolongClaim(context.db, attempt, claimSeconds);
    const failed = (err: unknown) =>
      context.logger.warn({ err }, 'The claim of a long call could not be prolonged');
    return whileHeld({ everyMs: claimSeconds * 300, renew, failed }, handler);
  }

  #store(db: Tx, answer: Answer): Promise<boolean> {
    const { context, attempt } = this.#options;
    return keepAnswer(db, attempt, context.sealer.seal(JSON.stringify(answer), bindingOf(attempt)));
  }

  #success(data: unknown): Answer {
    const { context, route, requestId, check } = this.#options;
    const body = wrap(route, data, { requestId, now: context.clock.now(), query: undefined });
    check?.parse(body);
    return { status: statusOf(route), body: JSON.stringify(body) };
  }
}

/** Whether the error is about the attempt instead of the request. */
const isOurs = ({ code }: ApiError) => code === 'IDEMPOTENCY_KEY_IN_USE';
