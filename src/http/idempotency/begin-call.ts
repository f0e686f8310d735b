import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from '../permission.ts';
import type { Route } from '../route.ts';
import { type CallName, claimCall, countCalls, findCall, type KnownCall } from './call.store.ts';
import { type Answer, bindingOf, FirstCall } from './first-call.ts';
import { digestOf, hashOf } from './idempotency-key.ts';

/** Beyond the time that a request may take at all: only an attempt whose process died lapses. */
const MARGIN_SECONDS = 10;
/** When the limit of kept calls is reached: they go one by one, a day after each was made. */
const FULL_RETRY_SECONDS = 60;
const TRIES = 3;

export interface Call {
  readonly context: Context;
  readonly route: Route;
  readonly caller: Caller;
  /** As the client sent it. */
  readonly key: string;
  /** All that says what is asked for: params, query and body. */
  readonly request: unknown;
  readonly requestId: string;
  readonly check: z.ZodType | undefined;
}

/**
 * What to do about a call that carries an Idempotency-Key.
 * @returns the first call, to be done now; or the answer that was given already
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE, RATE_LIMITED
 */
export async function beginCall(call: Call): Promise<FirstCall | Answer> {
  const { context, route, caller, requestId, check } = call;
  const { db, sealer, config } = context;
  const name: CallName = {
    userId: caller.userId,
    route: `${route.method.toUpperCase()} ${route.path}`,
    keyHash: hashOf(call.key),
  };
  const digest = digestOf([call.request, route.idempotency === 'key' ? caller.keyId : null]);
  // A claim that fails has lost against another one, which is found then, unless it was given up meanwhile.
  for (let tried = 0; tried < TRIES; tried++) {
    const known = await findCall(db, name);
    if (known) return answerOf(context, name, { known, digest });
    await requireRoom(context, name);
    const attempt = await claimCall(db, name, {
      requestSealed: sealer.seal(digest, bindingOf(name)),
      claimSeconds: config.requestTimeoutSeconds + MARGIN_SECONDS,
    });
    if (attempt) return new FirstCall({ context, route, attempt, requestId, check });
  }
  throw inUse();
}

function answerOf(
  { sealer, logger }: Context,
  name: CallName,
  { known, digest }: { known: KnownCall; digest: string },
): Answer {
  const open = (sealed: string): string => {
    try {
      return sealer.open(sealed, bindingOf(name));
    } catch (error) {
      logger.warn({ err: error }, 'The answer to a repeated call cannot be opened');
      throw new ApiError(
        'IDEMPOTENCY_KEY_REUSED',
        'The call was made before, and its answer cannot be read any more: look for what it created, or use a new Idempotency-Key',
      );
    }
  };
  if (open(known.requestSealed) !== digest) {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request: use a new one for each thing that is to be made',
    );
  }
  if (known.answerSealed === null) throw inUse();
  return JSON.parse(open(known.answerSealed)) as Answer;
}

const inUse = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first call with this Idempotency-Key has not ended: repeat it in a moment',
    [],
    { retryAfterSeconds: 1 },
  );

async function requireRoom({ db, config }: Context, call: CallName): Promise<void> {
  const atMost = config.maxIdempotencyKeysPerUser;
  if ((await countCalls(db, call, atMost)) < atMost) return;
  throw new ApiError(
    'RATE_LIMITED',
    `You have used ${atMost} Idempotency-Keys within a day, which is as many as this installation keeps per user: try again later, or ask the operator`,
    [],
    { retryAfterSeconds: FULL_RETRY_SECONDS },
  );
}
