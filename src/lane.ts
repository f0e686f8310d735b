/**
 * A lane: a child process of the worker with one detector and several cameras, each with its ffmpeg. It is a process because
 * a detection blocks the event loop, and because only SIGKILL ends a detection that hangs.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Channel } from './lanes/host/channel.ts';
import { LaneHost } from './lanes/host/lane-host.ts';
import { createLogger } from './platform/logger.ts';
import { keepHeapSteady } from './platform/processes/steady-heap.ts';

/** Time for the camera streams to close before the process ends. */
const CLOSE_MS = 4000;

keepHeapSteady('lane');
const log = createLogger({ level: process.argv[2] ?? 'info', program: 'lane' });
const channel = new Channel(
  (message) => {
    host.handle(message).then(
      () => message.type === 'stop' && end(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'a message could not be handled');
        end(1);
      },
    );
  },
  () => end(0),
);
const host = new LaneHost(channel, log);

let ending = false;
function end(code: number): void {
  if (ending) return;
  ending = true;
  void Promise.race([host.close(), pause(CLOSE_MS)]).finally(() => process.exit(code));
}
process.once('SIGTERM', () => end(0));
// Ctrl-C in a terminal also reaches the worker, which ends its lanes in order.
process.on('SIGINT', () => undefined);
