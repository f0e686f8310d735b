import type { Config } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { MadeOnce } from '../../src/platform/made-once.ts';

/** The shared objects of a program under test; they log nothing. */
export const testShared = (config: Config): MadeOnce =>
  new MadeOnce({ config, logger: createLogger({ level: 'silent', program: 'test' }) });
