import { DetectionFaults } from '../../../src/simulator/faults/detection-faults.ts';
import type { FaultRates } from '../../../src/simulator/faults/fault-rates.ts';
import { type Footage, sampled } from '../footage/footage.ts';
import { toDetection } from '../tracks/follow.ts';
import { stays } from '../visits/dwell.ts';
import { product } from '../visits/observers.ts';
import { randomZones } from '../visits/random-zone.ts';
import { figuresOf, judgeZone, sum } from '../visits/score-zone.ts';

/** Sequences do not tell what people wear: of two colours, so that what shows the floor differs from both. */
const CLOTHES = [90, 60, 60, 60, 60, 90];

/** The sequence as our fault layer would have detected it. */
export function withSimulatedBoxes(footage: Footage, rates: FaultRates, seed: number): Footage {
  const faults = new DetectionFaults(seed, rates);
  return {
    ...footage,
    frames: footage.frames.map((frame) => {
      const bodies = frame.truth.map((row) => ({
        ...{ id: row.id, box: toDetection(row, footage.picture).box, clothes: CLOTHES },
      }));
      return { ...frame, detections: faults.detect(bodies, frame.timeMs) };
    }),
  };
}

const FPS = 5;
const ZONES = 20;
const LEAST_VISITS = 5;
const THRESHOLDS = { entryMs: 1000, exitMs: 1000 };
const PARAMETERS = {
  ...{ confidenceThreshold: 0.6, entryThresholdSeconds: 1 },
  ...{ exitThresholdSeconds: 1, trackingMaxAgeSeconds: 5 },
};

/** F1 of the product's visits in random zones, as `evaluate -- visits` has it, without colours of clothes. */
export function visitsF1(footage: Footage, seed: number): number | null {
  const timesMs = sampled(footage, FPS).map(({ timeMs }) => timeMs);
  const frames = sampled(footage, FPS).map((frame) => ({
    ...frame,
    detections: frame.detections.map(({ box, score, classId }) => ({ box, score, classId })),
  }));
  const truthOf = (zone: Parameters<typeof stays>[1]) =>
    footage.ways.flatMap((way) => stays(way, zone, THRESHOLDS));
  const zones = randomZones(
    { seed, count: ZONES, sequence: footage.name },
    (zone) => footage.ways.filter((way) => stays(way, zone, THRESHOLDS).length > 0).length >= LEAST_VISITS,
  );
  const observe = product(frames, PARAMETERS);
  return figuresOf(sum(zones.map((zone) => judgeZone(truthOf(zone), observe(zone), timesMs)))).f1;
}
