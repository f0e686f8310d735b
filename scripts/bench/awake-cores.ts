import { closeSync, openSync, writeSync } from 'node:fs';

const LATENCY_DEVICE = '/dev/cpu_dma_latency';

/**
 * Keeps processor cores from falling asleep while nothing runs on them (Linux' PM QoS: a wakeup may take 0 µs). A program
 * that waits between frames otherwise pays for a core that was asleep, most of all in a virtual machine, and how much
 * hangs on the machine; on a node at capacity no core sleeps.
 * @returns ends it; null where only root may ask for it, or the system cannot
 */
export function keepCoresAwake(): (() => void) | null {
  let fd: number;
  try {
    // not 'w', which would make a file where there is no such device
    fd = openSync(LATENCY_DEVICE, 'r+');
  } catch {
    return null;
  }
  try {
    // holds for as long as the file is open
    writeSync(fd, new Int32Array([0]));
  } catch {
    closeSync(fd);
    return null;
  }
  return () => closeSync(fd);
}
