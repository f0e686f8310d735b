import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { type CameraKind, type Footage, type FootageFrame, sampled } from '../footage/footage.ts';
import { stays, type Thresholds, type Zone } from './dwell.ts';
import type { Observer, Parameters } from './observers.ts';
import { randomZones } from './random-zone.ts';
import { addVisits, scoreZone, type VisitCounts } from './score-zone.ts';

/** A zone is scored if at least this many people really stay in it. */
const LEAST_VISITS = 5;
const EXIT_SECONDS = 1;
const MAX_AGE_SECONDS = 5;

export interface ScoringOptions {
  /** Frames a second to analyse. */
  readonly fps: number;
  /** Number of random zones, and their seed. */
  readonly zones: number;
  readonly seed: number;
  /** Entry threshold in seconds. */
  readonly entry: number;
  /** Least score of a detection that starts a track, 0-1. */
  readonly confidence: number;
}

/** A sequence as an observer gets it, and the true visits of its zones. */
export interface ScoredFootage {
  readonly camera: CameraKind;
  readonly frames: readonly FootageFrame[];
  readonly thresholds: Thresholds;
  readonly parameters: Parameters;
  readonly zones: readonly { readonly zone: Zone; readonly truth: readonly Span[] }[];
}

/** @throws Error when too few people stay anywhere */
export function scoredFootage(
  footage: Footage,
  { fps, zones: count, seed, entry, confidence }: ScoringOptions,
): ScoredFootage {
  const thresholds = { entryMs: entry * 1000, exitMs: EXIT_SECONDS * 1000 };
  const zones = randomZones(
    { seed, count, sequence: footage.name },
    (zone) =>
      footage.trajectories.filter((trajectory) => stays(trajectory, zone, thresholds).length > 0).length >=
      LEAST_VISITS,
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
      aspect: footage.size.width / footage.size.height,
    },
    zones: zones.map((zone) => ({
      zone,
      truth: footage.trajectories.flatMap((trajectory) => stays(trajectory, zone, thresholds)),
    })),
  };
}

export function countVisits({ zones, frames }: ScoredFootage, observe: Observer): VisitCounts {
  const timesMs = frames.map(({ timeMs }) => timeMs);
  return addVisits(zones.map(({ zone, truth }) => scoreZone(truth, observe(zone), timesMs)));
}
