import type { Context } from '../../platform/context.ts';
import { OutboxDeliverer, type DelivererOptions as OutboxOptions } from '../outbox/deliverer.ts';
import { Sender } from '../outbox/send.ts';
import { sendWebhook, WEBHOOK_OBSTACLES } from './send-webhook.ts';
import { type Attempt, WEBHOOK_TABLE } from './webhook-table.store.ts';

export interface DelivererOptions extends OutboxOptions {
  readonly sender?: Sender;
}

/** Makes the attempts to webhooks that are due. */
export class Deliverer extends OutboxDeliverer<Attempt> {
  /** @throws Error when WEBHOOK_CA_FILE cannot be read */
  constructor(context: Context, options: DelivererOptions = {}) {
    const { clock, sealer, config } = context;
    const { webhookAllowHosts: allowedHosts, webhookCaFile: caFile } = config;
    const { sender = new Sender({ allowedHosts, caFile }), random = Math.random } = options;
    super(
      context,
      {
        table: WEBHOOK_TABLE,
        // Attempts mostly wait, so many cost little.
        slots: { all: 256, forFailing: 128, perReceiver: 10, perFailingReceiver: 2 },
        obstacles: WEBHOOK_OBSTACLES,
        receiverOf: ({ userId }) => userId,
        send: (attempt, signal) => sendWebhook(attempt, { clock, sealer, sender, random, signal }),
        close: () => sender.close(),
      },
      options,
    );
  }
}
