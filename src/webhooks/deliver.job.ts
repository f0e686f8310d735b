import { setTimeout as pause } from 'node:timers/promises';
import { requireDatabaseUrl } from '../config.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { CHANNELS, listen } from '../platform/database/notify.ts';
import { every } from '../platform/jobs/every.ts';
import { Deliverer, type DelivererOptions } from './deliverer.ts';

/** Attempts that become due by time are found by looking. */
const LOOK_EVERY_MS = 1_000;
/** Many events at once are one turn. */
const GATHER_MS = 20;

/** How much longer than others it leaves an attempt that is due. */
export const PATIENCE_MS = 1_000;

export interface DelivererJobOptions extends Pick<DelivererOptions, 'onMade'> {
  /** Whether others deliver, so that this process only makes what they have left for a second. Asked once a second. */
  readonly doOthersDeliver?: () => Promise<boolean>;
}

/**
 * Delivers events to webhooks until stopped, in every worker and API: woken by new events, else by the clock.
 * @throws Error when WEBHOOK_CA_FILE cannot be read
 */
export function startDeliverer(
  context: Context,
  { onMade, doOthersDeliver }: DelivererJobOptions = {},
): { stop(): Promise<void> } {
  const { config, logger } = context;
  const deliverer = new Deliverer(context, { onMade, onFree: () => turns.now() });
  let patienceMs = 0;
  // Others are woken by the same notification: to look then would be for nothing.
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
    databaseUrl: config.directDatabaseUrl ?? requireDatabaseUrl(config),
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
