import { DetectionFaults } from '../../../src/simulator/faults/detection-faults.ts';
import type { FaultRates } from '../../../src/simulator/faults/fault-rates.ts';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import type { Footage } from '../footage/footage.ts';
import { toDetection } from '../footage/mot-files.ts';
import { product } from '../visits/observers.ts';
import { figuresOf } from '../visits/score-zone.ts';
import { countVisits, scoredFootage } from '../visits/scored-footage.ts';

/** Sequences have no data about clothes. Everybody wears these two colours, which differ from that of the floor. */
const CLOTHES = [90, 60, 60, 60, 60, 90];

/** The sequence with the detections of our fault layer instead of its own. */
export function withSimulatedBoxes(footage: Footage, rates: FaultRates, seed: number): Footage {
  const faults = new DetectionFaults(seed, rates);
  return {
    ...footage,
    frames: footage.frames.map((frame) => {
      const bodies = frame.truth.map((row) => ({
        ...{ id: row.id, box: toDetection(row, footage.size).box, clothes: CLOTHES },
      }));
      return { ...frame, detections: faults.detect(bodies, frame.timeMs) };
    }),
  };
}

const FPS = 5;
const ZONES = 20;

/** F1 of the visits of the product in random zones, as `evaluate -- visits` computes it, but without clothes' colours. */
export function visitsF1(footage: Footage, seed: number): number | null {
  const withoutColours = {
    ...footage,
    frames: footage.frames.map((frame) => ({
      ...frame,
      detections: frame.detections.map(({ box, score, classId }) => ({ box, score, classId })),
    })),
  };
  const { confidenceThreshold: confidence } = TRACKER_DEFAULTS;
  const scored = scoredFootage(withoutColours, { fps: FPS, zones: ZONES, seed, entry: 1, confidence });
  const { aspect: _, ...parameters } = scored.parameters;
  return figuresOf(countVisits(scored, product(scored.frames, parameters))).f1;
}
