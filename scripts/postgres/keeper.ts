/**
 * Ends a server when the program that started it has gone, however that ended. Its standard input is a pipe of that
 * program; each line of it names a server.
 */
import { createInterface } from 'node:readline';
import { type StartedProcess, startedProcess } from '../../src/platform/processes/processes.ts';
import { terminate } from './server.ts';

// Who asks a whole group of programs to end must not end this one first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const servers: StartedProcess[] = [];
for await (const line of createInterface({ input: process.stdin }))
  servers.push(startedProcess.parse(JSON.parse(line)));
await Promise.all(servers.map(terminate));
