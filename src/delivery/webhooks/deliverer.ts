import type { Context } from '../../platform/context.ts';
import { OutboxDeliverer, type DelivererOptions as OutboxOptions, type Slots } from '../outbox/deliverer.ts';
import { Sender } from '../outbox/send.ts';
import { type Attempt, claimAttempts, type Outcome, recordAttempt, releaseAttempt } from './attempt.store.ts';
import { makeAttempt } from './attempt.ts';

/** Attempts mostly wait, so many cost little. A user has one webhook. */
const SLOTS: Slots = { all: 256, forFailing: 128, perReceiver: 10, perFailingReceiver: 2 };

export interface DelivererOptions extends OutboxOptions {
  readonly sender?: Sender;
  /** Random number from 0 to 1 for the jitter. */
  readonly random?: () => number;
}

/** Makes the attempts to webhooks that are due. */
export class Deliverer extends OutboxDeliverer<Attempt, Outcome> {
  /** @throws Error when WEBHOOK_CA_FILE cannot be read */
  constructor(context: Context, options: DelivererOptions = {}) {
    const { db, clock, sealer, config } = context;
    const { webhookAllowHosts: allowedHosts, webhookCaFile: caFile } = config;
    const { sender = new Sender({ allowedHosts, caFile }), random = Math.random, ...others } = options;
    super(
      context,
      {
        receiverOf: ({ userId }) => userId,
        claim: (wanted) => claimAttempts(db, wanted),
        make: (attempt, signal) => makeAttempt(attempt, { clock, sealer, sender, random, signal }),
        record: (attempt, outcome) => recordAttempt(db, attempt, outcome),
        release: (attempt) => releaseAttempt(db, attempt),
        close: () => sender.close(),
      },
      { ...others, slots: SLOTS },
    );
  }
}
