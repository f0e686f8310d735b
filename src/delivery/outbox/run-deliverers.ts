import { setTimeout as pause } from 'node:timers/promises';
import { requireDirectDatabaseUrl } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseAway } from '../../platform/database/database-away.ts';
import { CHANNELS, listen } from '../../platform/database/notify.ts';
import { every } from '../../platform/jobs/every.ts';

/** Attempts that become due by time are found by polling. */
const LOOK_EVERY_MS = 1_000;
/** Events within this time cause one run. */
const GATHER_MS = 20;

/** How long an attempt must have been due before a program takes it while others deliver. */
const PATIENCE_MS = 1_000;

/** What takes a turn: deliverers, and what makes their attempts from events. */
export interface TakesTurns {
  turn(patienceMs: number): Promise<unknown>;
  stop(): Promise<void>;
}

export interface RunOptions {
  /** Whether other programs deliver. Then this process makes only attempts that have been due for a second. Called once a second. */
  readonly doOthersDeliver?: (() => Promise<boolean>) | undefined;
}

/**
 * Gives deliverers their turns until stopped, one after the other. New events wake them; otherwise they look every second.
 * @param make gets a function that begins a turn early
 */
export function runDeliverers(
  { config, logger }: Pick<Context, 'config' | 'logger'>,
  make: (now: () => void) => readonly TakesTurns[],
  { doOthersDeliver }: RunOptions = {},
): { stop(): Promise<void> } {
  const deliverers = make(() => turns.now());
  let patienceMs = 0;
  // The same notification wakes the programs that deliver, so a query at that moment would find nothing.
  const wake = () => {
    if (patienceMs === 0) turns.now();
  };
  const fail = (error: unknown) => {
    if (!isDatabaseAway(error)) logger.error({ err: error }, 'due deliveries could not be taken');
  };
  const turns = every(
    LOOK_EVERY_MS,
    async () => {
      if (patienceMs === 0) await pause(GATHER_MS);
      patienceMs = (await doOthersDeliver?.()) ? PATIENCE_MS : 0;
      // What fails for one of them holds up no other.
      for (const deliverer of deliverers) await deliverer.turn(patienceMs).catch(fail);
    },
    fail,
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
      await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
    },
  };
}
