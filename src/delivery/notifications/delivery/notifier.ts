import type { Context } from '../../../platform/context.ts';
import { type Mailer, openMailer } from '../../../platform/mail/mailer.ts';
import type { ChannelKind } from '../../../platform/prisma-client/client.ts';
import {
  OutboxDeliverer,
  type DelivererOptions as OutboxOptions,
  type Slots,
} from '../../outbox/deliverer.ts';
import type { Outcome } from '../../outbox/record.store.ts';
import type { TakesTurns } from '../../outbox/run-deliverers.ts';
import { Sender } from '../../outbox/send.ts';
import { tellChannels } from '../messages/tell-channels.ts';
import { type Attempt, messageTable } from './message-table.store.ts';
import { MESSAGE_OBSTACLES, sendMessage } from './send-message.ts';
import { PUSH_MS } from './send-push.ts';

/** Each e-mail has a connection to the operator's mail server, which has a limit of them. */
const MAIL_SLOTS: Slots = { all: 8, forFailing: 4, perReceiver: 2, perFailingReceiver: 1 };
const PUSH_SLOTS: Slots = { all: 64, forFailing: 32, perReceiver: 4, perFailingReceiver: 1 };

/** Where there is no mailer, attempts end at once. */
const NO_MAIL_MS = 5_000;

export interface NotifierOptions extends Omit<OutboxOptions, 'onMade'> {
  /** Null: none. Where not told, the one of the configuration. */
  readonly mailer?: Mailer | null;
  /** Called for each attempt whose result was stored. */
  readonly onMade?: ((channel: ChannelKind, status: Outcome['status']) => void) | undefined;
}

/** Turns events into messages and sends them over the users' channels. E-mails and push messages do not wait for each other. */
export class Notifier implements TakesTurns {
  readonly #context: Context;
  readonly #deliverers: readonly OutboxDeliverer<Attempt>[];

  /** @throws Error when SMTP_CA_FILE or WEBHOOK_CA_FILE cannot be read */
  constructor(context: Context, options: NotifierOptions = {}) {
    const { config } = context;
    const { mailer = openMailer(context), random = Math.random, onMade, ...others } = options;
    const sender = new Sender({ allowedHosts: config.webhookAllowHosts, caFile: config.webhookCaFile });
    const deliver = (kind: ChannelKind, limitMs: number, slots: Slots) =>
      new OutboxDeliverer<Attempt>(
        context,
        {
          table: messageTable(kind, limitMs),
          slots,
          obstacles: MESSAGE_OBSTACLES,
          receiverOf: ({ channelId }) => channelId,
          send: (attempt, signal) => sendMessage(attempt, { ...context, mailer, sender, random, signal }),
          close: () => sender.close(),
        },
        { ...others, random, onMade: (status) => onMade?.(kind, status) },
      );
    this.#context = context;
    this.#deliverers = [
      deliver('email', mailer?.totalMs ?? NO_MAIL_MS, MAIL_SLOTS),
      deliver('push', PUSH_MS, PUSH_SLOTS),
    ];
  }

  /** @returns number of events that were read and attempts that were started */
  async turn(patienceMs = 0): Promise<number> {
    const told = await tellChannels(this.#context, patienceMs);
    const started = await Promise.all(this.#deliverers.map((deliverer) => deliverer.turn(patienceMs)));
    return started.reduce((sum, count) => sum + count, told);
  }

  /** Resolves when the current attempts have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#deliverers.map((deliverer) => deliverer.settled()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#deliverers.map((deliverer) => deliverer.stop()));
  }
}
