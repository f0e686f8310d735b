import { backoffMs } from '../../src/video/ffmpeg/backoff.ts';
import { DEFAULT_TIMING } from '../../src/video/ffmpeg/ffmpeg-source.ts';

export type FaultKind = 'refused' | 'black-holed' | 'frozen' | 'garbage' | 'cut' | 'resolution' | 'away';

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly seconds: number;
  /** Before it: so long the camera is well. */
  readonly quietSeconds: number;
  /** Longer than 35 s: the camera has to be reported, once. Shorter than 25 s: it must not be. */
  readonly isOutage: boolean;
  /** The longest the stream's pause before its next try can be when the fault ends; it grows with the fault. */
  readonly longestPauseSeconds: number;
}

const KINDS: readonly FaultKind[] = ['refused', 'black-holed', 'frozen', 'garbage', 'cut'];

/** @returns the faults of each camera, in their order; the same for the same seed */
export function planFaults(options: {
  faults: number;
  cameras: number;
  longShare: number;
  seed: number;
}): PlannedFault[][] {
  const { faults, cameras, longShare, seed } = options;
  const random = generator(seed);
  const plan: PlannedFault[][] = Array.from({ length: cameras }, () => []);
  const long = Math.round(faults * longShare);
  for (let number = 0; number < faults; number++) {
    const camera = number % cameras;
    const isOutage = Math.floor(((number + 1) * long) / faults) > Math.floor((number * long) / faults);
    plan[camera]!.push(planned({ number, camera, isOutage, random }));
  }
  return plan;
}

function planned(options: {
  number: number;
  camera: number;
  isOutage: boolean;
  random: () => number;
}): PlannedFault {
  const { number, camera, isOutage, random } = options;
  // A stream that was well for half a minute is tried quickly again.
  const quietSeconds = 31 + 4 * random();
  // Of each sort a few that stand out: two minutes away, a camera that was set to another picture size.
  if (isOutage && number % 23 === 22) return fault('away', 120, { quietSeconds, isOutage });
  if (!isOutage && camera === 0) return fault('resolution', 5, { quietSeconds, isOutage });
  const kind = KINDS[number % KINDS.length]!;
  const seconds = isOutage ? 36 + 9 * random() : 3 + 19 * random();
  return fault(kind, seconds, { quietSeconds, isOutage });
}

const fault = (
  kind: FaultKind,
  seconds: number,
  { quietSeconds, isOutage }: { quietSeconds: number; isOutage: boolean },
): PlannedFault => ({
  kind,
  seconds: Math.round(seconds * 10) / 10,
  quietSeconds,
  isOutage,
  longestPauseSeconds: longestPauseSeconds(seconds),
});

/** Of the pauses that can have begun within so many seconds of failing, the last one at its longest. */
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

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
