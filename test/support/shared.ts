import type { Config } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { Shared } from '../../src/platform/shared.ts';

/** The shared objects of a program under test; they log nothing. */
export const testShared = (config: Config): Shared =>
  new Shared({ config, logger: createLogger({ level: 'silent', program: 'test' }) });
