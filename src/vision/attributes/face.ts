import { largestOf } from '../detect/outputs.ts';
import type { Classification } from './keys.ts';

/** The outputs of BlazeFace: a few candidates for each cell of two grids. */
export interface FaceOutputs {
  /** Logits, [candidates, rows, columns] of the grids of 16 and of 8. */
  readonly fineScores: Float32Array;
  readonly coarseScores: Float32Array;
  /** 16 numbers per candidate: centre, size, six landmarks; pixels from the middle of the cell. */
  readonly fineBoxes: Float32Array;
  readonly coarseBoxes: Float32Array;
}

/** Pixels of the crop. */
export interface FoundFace {
  /** 0-1 */
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const FINE = { cells: 16, candidates: 2 };
const COARSE = { cells: 8, candidates: 6 };
const NUMBERS = 16;

/** The most likely face of a crop, even with a low score. @param size side of the crop in pixels */
export function readFace(outputs: FaceOutputs, size: number): FoundFace {
  const fine = bestOf(outputs.fineScores, outputs.fineBoxes, { ...FINE, size });
  const coarse = bestOf(outputs.coarseScores, outputs.coarseBoxes, { ...COARSE, size });
  return fine.score > coarse.score ? fine : coarse;
}

function bestOf(
  scores: Float32Array,
  boxes: Float32Array,
  { cells, candidates, size }: { cells: number; candidates: number; size: number },
): FoundFace {
  const plane = cells * cells;
  const { at: best, value: logit } = largestOf(scores.subarray(0, candidates * plane));
  const [candidate, cell] = [Math.floor(best / plane), best % plane];
  const number = (index: number) => boxes[(candidate * NUMBERS + index) * plane + cell]!;
  const step = size / cells;
  return {
    score: 1 / (1 + Math.exp(-logit)),
    x: ((cell % cells) + 0.5) * step + number(0),
    y: (Math.floor(cell / cells) + 0.5) * step + number(1),
    width: number(2),
    height: number(3),
  };
}

/** Classifies age and gender. @param male 0-1 @param ages how likely each age is, in years from 0 */
export function classifyFace(male: number, ages: Float32Array): Classification {
  const total = ages.reduce((sum, share) => sum + share, 0);
  const years = ages.reduce((sum, share, age) => sum + share * age, 0) / total;
  const beyond = (border: number) => 1 / (1 + Math.exp((border - years) / 4));
  const [grown, old] = [beyond(18), beyond(60)];
  return { male, female: 1 - male, ageLess18: 1 - grown, age18To60: grown - old, ageOver60: old };
}
