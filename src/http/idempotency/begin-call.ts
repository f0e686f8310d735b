import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { ApiError } from '../errors.ts';
import type { Caller } from '../permission.ts';
import type { Route } from '../route.ts';
import { type CallName, claimCall, countCalls, findCall, type KnownCall } from './call.store.ts';
import { type Answer, bindingOf, FirstCall } from './first-call.ts';
import { digestOf, hashOf } from './idempotency-key.ts';

/** A claim lasts longer than a request may take, so that only the claim of a process that died expires. */
const MARGIN_SECONDS = 10;
/** Retry-After when the user has too many stored calls; each is removed a day after it was made. */
const FULL_RETRY_SECONDS = 60;
const TRIES = 3;

export interface Call {
  readonly context: Context;
  readonly route: Route;
  readonly caller: Caller;
  /** The Idempotency-Key as the client sent it. */
  readonly key: string;
  /** Params, query and body. */
  readonly request: unknown;
  readonly requestId: string;
  readonly check: z.ZodType | undefined;
}

/**
 * Begins a call with an Idempotency-Key.
 * @returns the first call, which must be executed now, or the stored answer
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
  const digest = digestOf([call.request, route.idempotency === 'key' ? caller.credentialId : null]);
  // A claim fails if another one was first. The next round finds that one, unless it was released meanwhile.
  for (let tried = 0; tried < TRIES; tried++) {
    const known = await findCall(db, name);
    if (known) return answerOf(context, name, { known, digest });
    await requireRoom(context, name);
    const claimSeconds = config.requestTimeoutSeconds + MARGIN_SECONDS;
    const attempt = await claimCall(db, name, {
      requestSealed: sealer.seal(digest, bindingOf(name)),
      claimSeconds,
    });
    if (attempt) return new FirstCall({ context, route, attempt, claimSeconds, requestId, check });
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
      logger.warn({ err: error }, 'The stored answer of a repeated call cannot be decrypted');
      throw new ApiError(
        'IDEMPOTENCY_KEY_REUSED',
        'The call was made before, but its stored answer can no longer be read: check what it created, or use a new Idempotency-Key',
      );
    }
  };
  if (open(known.requestSealed) !== digest) {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was already used for another request: use a new one for each resource',
    );
  }
  if (known.answerSealed === null) throw inUse();
  return JSON.parse(open(known.answerSealed)) as Answer;
}

const inUse = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first call with this Idempotency-Key is still running: repeat it in a moment',
    [],
    { retryAfterSeconds: 1 },
  );

async function requireRoom({ db, config }: Context, call: CallName): Promise<void> {
  const atMost = config.maxIdempotencyKeysPerUser;
  if ((await countCalls(db, call, atMost)) < atMost) return;
  throw new ApiError(
    'RATE_LIMITED',
    `You have used ${atMost} Idempotency-Keys within a day, the maximum per user: try again later, or ask the operator`,
    [],
    { retryAfterSeconds: FULL_RETRY_SECONDS },
  );
}
