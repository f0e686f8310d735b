import { type FromLane, type ToLane, toLane } from '../lane-protocol.ts';

/** Above this many unsent messages the supervisor is not listening: frames are dropped instead of kept. */
const MAX_UNSENT = 200;

/** The lane's end of the IPC channel. */
export class Channel {
  #unsent = 0;

  /** @throws Error when this process was not started by a supervisor */
  constructor(onMessage: (message: ToLane) => void, onGone: () => void) {
    if (!process.send) throw new Error('A lane is started by the worker: run `npm run worker`.');
    const parent = process.ppid;
    process.on('message', (message) => onMessage(toLane.parse(message)));
    process.once('disconnect', onGone);
    // The channel may outlive its parent in a forked child: the parent's id tells for sure.
    setInterval(() => process.ppid !== parent && onGone(), 1000).unref();
  }

  /** False while the supervisor does not take what it is sent. */
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
