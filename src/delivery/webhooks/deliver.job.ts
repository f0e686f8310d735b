import type { Context } from '../../platform/context.ts';
import { type RunOptions, runDeliverers } from '../outbox/run-deliverers.ts';
import { Deliverer, type DelivererOptions } from './deliverer.ts';

export interface DelivererJobOptions extends RunOptions, Pick<DelivererOptions, 'onMade'> {}

/**
 * Delivers events to webhooks until stopped.
 * @throws Error when WEBHOOK_CA_FILE cannot be read
 */
export function startDeliverer(
  context: Context,
  { onMade, doOthersDeliver }: DelivererJobOptions = {},
): { stop(): Promise<void> } {
  return runDeliverers(context, (onFree) => [new Deliverer(context, { onMade, onFree })], {
    doOthersDeliver,
  });
}
