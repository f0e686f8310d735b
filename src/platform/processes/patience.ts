import { availableParallelism, loadavg } from 'node:os';

/** The most that a limit is stretched: somebody waits for the answer. */
const MOST = 5;

/**
 * A limit in ms for work of this machine, stretched where more programs want to run than it has cores: what takes a second of
 * processor time takes several there, and is no sign of a fault. On Windows the load is not known, and the limit stays.
 */
export function patientMs(ms: number, load = loadavg()[0]!, cores = availableParallelism()): number {
  return Math.round(ms * Math.min(MOST, Math.max(1, load / cores)));
}
