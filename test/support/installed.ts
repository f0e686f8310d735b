import { spawnSync } from 'node:child_process';
import { test } from '@jest/globals';

/** Whether a command can be started on this machine. @param argument one that it answers at once */
export const isInstalled = (command: string, argument = 'version'): boolean =>
  spawnSync(command, [argument], { stdio: 'ignore' }).status === 0;

/** For tests that need a program of the system: where it is not installed they are reported as skipped. */
export const testWhere = (isInstalled: boolean): typeof test =>
  isInstalled ? test : (test.skip as typeof test);
