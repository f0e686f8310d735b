import { closeSync, openSync, writeSync } from 'node:fs';

const LATENCY_DEVICE = '/dev/cpu_dma_latency';

/**
 * Keeps processor cores awake while nothing runs on them (Linux' PM QoS: a wakeup may take 0 µs). A core that sleeps
 * between frames costs CPU time to wake, and how much depends on the machine. On a node at capacity no core sleeps.
 * @returns a function that lets them sleep again; null where only root may do this, or the system cannot
 */
export function keepCoresAwake(): (() => void) | null {
  let fd: number;
  try {
    // Mode 'w' would create a file where there is no such device.
    fd = openSync(LATENCY_DEVICE, 'r+');
  } catch {
    return null;
  }
  try {
    // The request holds while the file is open.
    writeSync(fd, new Int32Array([0]));
  } catch {
    closeSync(fd);
    return null;
  }
  return () => closeSync(fd);
}
