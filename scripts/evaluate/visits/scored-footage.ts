import { type CameraKind, type Footage, type FootageFrame, sampled } from '../footage/footage.ts';
import { type Span, stays, type Thresholds, type Zone } from './dwell.ts';
import type { Observer, Parameters } from './observers.ts';
import { randomZones } from './random-zone.ts';
import { judgeZone, sum, type VisitCounts } from './score-zone.ts';

/** A zone is judged if so many people really stay in it. */
const LEAST_VISITS = 5;
const EXIT_SECONDS = 1;
const MAX_AGE_SECONDS = 5;

export interface JudgedOptions {
  /** Frames a second to analyse. */
  readonly fps: number;
  /** Random zones, and their seed. */
  readonly zones: number;
  readonly seed: number;
  /** Entry threshold in seconds. */
  readonly entry: number;
  /** Score a track begins with, 0-1. */
  readonly confidence: number;
}

/** A sequence as an observer sees it, and what really happened in its zones. */
export interface JudgedFootage {
  readonly camera: CameraKind;
  readonly frames: readonly FootageFrame[];
  readonly thresholds: Thresholds;
  readonly parameters: Parameters;
  readonly zones: readonly { readonly zone: Zone; readonly truth: readonly Span[] }[];
}

/** @throws Error when too few people stay anywhere */
export function judgedFootage(
  footage: Footage,
  { fps, zones: count, seed, entry, confidence }: JudgedOptions,
): JudgedFootage {
  const thresholds = { entryMs: entry * 1000, exitMs: EXIT_SECONDS * 1000 };
  const zones = randomZones(
    { seed, count, sequence: footage.name },
    (zone) => footage.ways.filter((way) => stays(way, zone, thresholds).length > 0).length >= LEAST_VISITS,
  );
  return {
    camera: footage.camera,
    frames: sampled(footage, fps),
    thresholds,
    parameters: {
      confidenceThreshold: confidence,
      entryThresholdSeconds: entry,
      exitThresholdSeconds: EXIT_SECONDS,
      trackingMaxAgeSeconds: MAX_AGE_SECONDS,
      aspect: footage.picture.width / footage.picture.height,
    },
    zones: zones.map((zone) => ({
      zone,
      truth: footage.ways.flatMap((way) => stays(way, zone, thresholds)),
    })),
  };
}

export function countVisits({ zones, frames }: JudgedFootage, observe: Observer): VisitCounts {
  const timesMs = frames.map(({ timeMs }) => timeMs);
  return sum(zones.map(({ zone, truth }) => judgeZone(truth, observe(zone), timesMs)));
}
