import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { backoffMs } from '../../../src/video/ffmpeg/backoff.ts';
import { DEFAULT_TIMING } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { TcpFault } from './tcp-proxy.ts';

/** `resolution`: the camera changes its frame size. `away`: it refuses connections for two minutes. */
export type FaultKind = Exclude<TcpFault, 'none'> | 'resolution' | 'away';

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly seconds: number;
  /** The camera works for this time before the fault. */
  readonly quietSeconds: number;
  /** Longer than 35 s: the device must go offline, once. Otherwise shorter than 25 s: it must not. */
  readonly isOutage: boolean;
  /** The longest possible pause before the camera stream's next attempt when the fault ends. It grows with the fault. */
  readonly longestPauseSeconds: number;
}

const KINDS = ['refused', 'black-holed', 'frozen', 'garbage', 'cut'] as const;

export interface PlanOptions {
  readonly faults: number;
  readonly cameras: number;
  /** The share of faults that are outages. */
  readonly longShare: number;
  readonly seed: number;
}

/** @returns the faults of each camera, in their order. The same seed gives the same plan. */
export function planFaults({ faults, cameras, longShare, seed }: PlanOptions): PlannedFault[][] {
  const random = createRandom(seed);
  const plan: PlannedFault[][] = Array.from({ length: cameras }, () => []);
  const long = Math.round(faults * longShare);
  for (let number = 0; number < faults; number++) {
    const camera = number % cameras;
    const isOutage = Math.floor(((number + 1) * long) / faults) > Math.floor((number * long) / faults);
    plan[camera]!.push(planned({ number, camera, isOutage }, random));
  }
  return plan;
}

function planned(
  { number, camera, isOutage }: { number: number; camera: number; isOutage: boolean },
  random: Random,
): PlannedFault {
  // After half a minute without a fault the camera stream makes its next attempts quickly again.
  const quietSeconds = random.between(31, 35);
  const fault = (kind: FaultKind, seconds: number): PlannedFault => ({
    ...{ kind, quietSeconds, isOutage },
    seconds: Math.round(seconds * 10) / 10,
    longestPauseSeconds: longestPauseSeconds(seconds),
  });
  if (isOutage && number % 23 === 22) return fault('away', 120);
  if (!isOutage && camera === 0) return fault('resolution', 5);
  return fault(KINDS[number % KINDS.length]!, isOutage ? random.between(36, 45) : random.between(3, 22));
}

/** The longest pause among those that can have begun within so many seconds of failing. */
function longestPauseSeconds(seconds: number): number {
  const { backoffMinMs: minMs, backoffMaxMs: maxMs } = DEFAULT_TIMING;
  let beganMs = 0;
  for (let failures = 1; ; failures++) {
    const shortestMs = backoffMs(failures, { minMs, maxMs, random: () => 0 });
    const longestMs = backoffMs(failures, { minMs, maxMs, random: () => 1 });
    if (beganMs + shortestMs > seconds * 1000 || longestMs === maxMs) return longestMs / 1000;
    beganMs += shortestMs;
  }
}
