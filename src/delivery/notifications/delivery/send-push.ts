import type { Context } from '../../../platform/context.ts';
import { type AttemptTools, type Meaning, post, tryLater } from '../../outbox/outcome.ts';
import type { Outcome } from '../../outbox/record.store.ts';
import type { Sender } from '../../outbox/send.ts';
import { pushKeys } from '../channels/push-keys.ts';
import { openBrowser, pushRequest } from '../channels/push-request.ts';
import { type PushContent, pushPayload } from '../messages/push-message.ts';
import type { Attempt } from './message-table.store.ts';
import { shortened, spanOf } from './seen.ts';

export interface PushTools extends AttemptTools, Pick<Context, 'config' | 'db' | 'sealer'> {
  readonly sender: Pick<Sender, 'send'>;
}

/** Time limit of a request to a push service. */
export const PUSH_MS = 10_000;
/** The service keeps a message for a browser that is switched off. */
const PUSH_KEPT_SECONDS = 86_400;

const MEANING: Meaning = {
  refusal: (code) => `The push service answered ${code}.`,
  disables: (code) =>
    code === 404 || code === 410
      ? `The push service answered ${code}: the browser has ended its subscription.`
      : null,
  isFinal: (code) => code === 400 || code === 413,
};

/** Sends a push message. @returns the result @throws the reason of `signal` */
export async function sendPush(attempt: Attempt, content: PushContent, tools: PushTools): Promise<Outcome> {
  const keys = await pushKeys(tools);
  const browser = openBrowser(tools.sealer, attempt.userId, attempt.subscriptionEncrypted!);
  if (keys === null || browser === null)
    return tryLater(attempt, 'Our key to this browser is missing: please tell the operator.', tools);
  const request = pushRequest(tools, {
    browser,
    keys,
    payload: pushPayload(content, attempt.messageId),
    keptSeconds: PUSH_KEPT_SECONDS,
    isUrgent: attempt.severity === 'critical',
  });
  const send = () => ({ ...request, timeoutMs: PUSH_MS });
  const outcome = await post(attempt, { span: spanOf(attempt), meaning: MEANING, send }, tools);
  return { ...outcome, responseBody: outcome.responseBody && shortened(outcome.responseBody) };
}
