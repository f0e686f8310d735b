import type { Classification } from './keys.ts';

/** BlazeFace’s outputs: for each cell of two grids a few candidates. */
export interface FaceOutputs {
  /** Logits, [candidates, rows, columns] of the grid of 16 and that of 8. */
  readonly fineScores: Float32Array;
  readonly coarseScores: Float32Array;
  /** Per candidate 16 numbers: centre, size, six landmarks; pixels from the cell’s middle. */
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

/** The likeliest face of a crop, however unlikely. @param size pixels of the crop’s side */
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
  // Outputs come plane after plane; the last candidate’s end is the scores’ end.
  const best = scores
    .subarray(0, candidates * plane)
    .reduce((found, value, at) => (value > scores[found]! ? at : found), 0);
  const [candidate, cell] = [Math.floor(best / plane), best % plane];
  const number = (index: number) => boxes[(candidate * NUMBERS + index) * plane + cell]!;
  const step = size / cells;
  return {
    score: 1 / (1 + Math.exp(-scores[best]!)),
    x: ((cell % cells) + 0.5) * step + number(0),
    y: (Math.floor(cell / cells) + 0.5) * step + number(1),
    width: number(2),
    height: number(3),
  };
}

/** Years of FaceRes’ hundred outputs, one a year. */
const yearsOf = (ages: Float32Array): number => {
  const total = ages.reduce((sum, share) => sum + share, 0);
  return ages.reduce((sum, share, years) => sum + share * years, 0) / total;
};

/**
 * What a face says. An age near a border is little worth, and so is a gender near the middle.
 * @param male 0-1; @param ages how likely each year is
 */
export function classifyFace(male: number, ages: Float32Array): Classification {
  const years = yearsOf(ages);
  const beyond = (border: number) => 1 / (1 + Math.exp((border - years) / 4));
  const [grown, old] = [beyond(18), beyond(60)];
  return { male, female: 1 - male, ageLess18: 1 - grown, age18To60: grown - old, ageOver60: old };
}
