import type { FromLane, ToLane } from '../lane-protocol.ts';

/** Above this number of unsent messages the node does not keep up: frames are dropped instead of queued. */
const MAX_UNSENT = 200;

/** Where a lane sends its messages. */
export type HostChannel = Pick<Channel, 'keepsUp' | 'send'>;

/** The lane's end of the IPC channel. */
export class Channel {
  #unsent = 0;

  /** @throws Error when a worker did not start this process */
  constructor(onMessage: (message: ToLane) => void, onGone: () => void) {
    if (!process.send) throw new Error('A lane is started by the worker: run `npm run worker`.');
    const parent = process.ppid;
    process.on('message', (message) => onMessage(message as ToLane));
    process.once('disconnect', onGone);
    // A forked grandchild may keep the channel open after the parent's death; the parent's id shows it for certain.
    setInterval(() => process.ppid !== parent && onGone(), 1000).unref();
  }

  /** False while the node takes no messages. */
  get keepsUp(): boolean {
    return this.#unsent < MAX_UNSENT;
  }

  send(message: FromLane): void {
    if (!process.connected) return;
    this.#unsent++;
    process.send?.(message, undefined, {}, () => {
      this.#unsent--;
    });
  }
}
