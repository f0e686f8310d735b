import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { StartedProcess } from '../../src/platform/processes/processes.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';

export interface Keeper {
  /** From now on this server ends with this process. */
  keep(server: StartedProcess): void;
  /** Ends what still runs of the servers, and the keeper. */
  end(): void;
}

/** Starts the program that ends servers when this process has gone, by SIGKILL too. */
export function startKeeper(): Keeper {
  const keeper = spawn(process.execPath, nodeArguments('scripts/postgres/keeper.ts'), {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = keeper.stdin as Socket;
  // Somebody may end the keeper alone: then nothing is kept, and all else goes on.
  for (const part of [keeper, pipe]) part.on('error', () => undefined);
  keeper.unref();
  pipe.unref();
  return {
    keep: (server) => void pipe.write(`${JSON.stringify(server)}\n`),
    end: () => void pipe.end(),
  };
}
