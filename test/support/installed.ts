import { spawnSync } from 'node:child_process';

/** Whether a command can be started on this machine. @param argument one that it answers at once */
export const isInstalled = (command: string, argument = 'version'): boolean =>
  spawnSync(command, [argument], { stdio: 'ignore' }).status === 0;
