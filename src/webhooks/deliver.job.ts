import { setTimeout as pause } from 'node:timers/promises';
import { requireDirectDatabaseUrl } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { CHANNELS, listen } from '../platform/database/notify.ts';
import { every } from '../platform/jobs/every.ts';
import { Deliverer, type DelivererOptions } from './deliverer.ts';

/** Attempts that become due by time are found by polling. */
const LOOK_EVERY_MS = 1_000;
/** Events within this time cause one run. */
const GATHER_MS = 20;

/** How long an attempt must have been due before a program takes it while others deliver. */
export const PATIENCE_MS = 1_000;

export interface DelivererJobOptions extends Pick<DelivererOptions, 'onMade'> {
  /** Whether other programs deliver. Then this process makes only attempts that have been due for a second. Called once a second. */
  readonly doOthersDeliver?: () => Promise<boolean>;
}

/**
 * Delivers events to webhooks until stopped, in every worker and API. New events wake it; otherwise it polls.
 * @throws Error when WEBHOOK_CA_FILE cannot be read
 */
export function startDeliverer(
  context: Context,
  { onMade, doOthersDeliver }: DelivererJobOptions = {},
): { stop(): Promise<void> } {
  const { config, logger } = context;
  const deliverer = new Deliverer(context, { onMade, onFree: () => turns.now() });
  let patienceMs = 0;
  // The same notification wakes the programs that deliver, so a query at that moment would find nothing.
  const wake = () => {
    if (patienceMs === 0) turns.now();
  };
  const turns = every(
    LOOK_EVERY_MS,
    async () => {
      if (patienceMs === 0) await pause(GATHER_MS);
      patienceMs = (await doOthersDeliver?.()) ? PATIENCE_MS : 0;
      await deliverer.turn(patienceMs);
    },
    (error) => {
      if (!isDatabaseAway(error)) logger.error({ err: error }, 'due deliveries could not be taken');
    },
  );
  const listener = listen({
    databaseUrl: requireDirectDatabaseUrl(config),
    channels: [CHANNELS.events],
    onConnect: () => turns.now(),
    onNotify: wake,
  });
  return {
    async stop() {
      await listener.close();
      await turns.stop();
      await deliverer.stop();
    },
  };
}
