import type { Logger } from '../logger.ts';
import { isDatabaseAway } from './database-away.ts';

/**
 * Work for one scene of many, whose failure keeps no other one from its turn. Without the database none has a turn.
 * @param failed what has failed, for the log
 */
export async function alone(
  logger: Logger,
  sceneId: string,
  failed: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    logger.warn({ err: error, sceneId }, failed);
  }
}
