import type { Memory } from '../wander.ts';

/** Probabilities for one person in one frame. */
interface Chances {
  /** No box at a score of 0.1 or more. */
  readonly missed: number;
  /** A box, at a score below 0.6. */
  readonly unsure: number;
}

/** Widths of the body for left and right, heights for top and bottom. */
interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A value for each bin; bin k lies between `edges[k - 1]` and `edges[k]`. */
interface Binned<T> {
  readonly edges: readonly number[];
  readonly values: readonly T[];
}

/** The errors of a detector. Heights of people are shares of the frame's height. */
export interface FaultRates {
  /** By the visible share of the body, then by its height. */
  readonly found: Binned<Binned<Chances>>;
  readonly foundMemory: Memory;
  /** Mean absolute error of each edge, by the visible share; Laplace distribution. */
  readonly edges: Binned<Edges>;
  readonly edgeMemory: Memory;
  /** Probability that a box shows the upper body only, by the visible share of the legs … */
  readonly partial: Binned<number>;
  readonly partialMemory: Memory;
  /** … and the range of heights of such a box, in heights of the body. */
  readonly partialShown: readonly [least: number, most: number];
  /** Probability of a second box for a detected person, and of one with a score of 0.6 or more. */
  readonly duplicate: number;
  readonly sureDuplicate: number;
  readonly duplicateMemory: Memory;
  /** Mean offset of the edges of a second box from those of the body, and its standard deviation. */
  readonly duplicateAt: Edges;
  readonly duplicateSpread: Edges;
  /** Mean change of the brightness of torso or legs, and standard deviation of each channel besides; 0-255. */
  readonly light: number;
  readonly tint: number;
  readonly lightMemory: Memory;
  /** False boxes per frame, and how long one stays on average. */
  readonly falseBoxes: number;
  readonly falseBoxSeconds: number;
}

/**
 * Measured with our default detector on 19 wholly visible people of PETS09-S2L1: each channel of the torso differs by 17-20
 * (standard deviation) from the person's median, nearly all of it in brightness.
 */
const CLOTHES = { light: 13, tint: 6, lightMemory: { lasting: 0.85, seconds: 1.4 } } as const;

export function valueAt<T>({ edges, values }: Binned<T>, at: number): T {
  const bin = edges.findIndex((edge) => at < edge);
  return values[bin < 0 ? values.length - 1 : bin]!;
}

const VISIBILITY = [0.02, 0.1, 0.25, 0.5, 0.75, 0.95];
const LEGS = [0.3, 0.6, 0.9];

/** @param pairs for people below 0.2 high, below 0.35 and above */
function byHeight(...pairs: (readonly [missed: number, unsure: number])[]): Binned<Chances> {
  return { edges: [0.2, 0.35], values: pairs.map(([missed, unsure]) => ({ missed, unsure })) };
}

const edges = (left: number, right: number, top: number, bottom: number): Edges => ({
  left,
  right,
  top,
  bottom,
});

/**
 * YOLOX-X of ByteTrack's ablation on the second halves of MOT17-02, 05, 09 and 13: 10,194 sightings of people at least
 * 0.12 high. That network was trained on the first halves of these sequences,
 * to box whole bodies, including hidden parts.
 */
export const MOT17_FAULTS: FaultRates = {
  found: {
    edges: VISIBILITY,
    values: [
      byHeight([0.41, 0.28], [0.408, 0.273], [0.322, 0.224]),
      byHeight([0.181, 0.328], [0.199, 0.118], [0.066, 0.131]),
      byHeight([0.183, 0.168], [0.082, 0.069], [0.08, 0.106]),
      byHeight([0.049, 0.14], [0.008, 0.043], [0.017, 0.039]),
      byHeight([0.048, 0.135], [0.014, 0.016], [0.002, 0.017]),
      byHeight([0.042, 0.017], [0.008, 0], [0.003, 0]),
      byHeight([0.003, 0.002], [0.005, 0.004], [0, 0]),
    ],
  },
  foundMemory: { lasting: 0.85, seconds: 1.5 },
  edges: {
    edges: [0.5, 0.95],
    values: [
      edges(0.089, 0.088, 0.028, 0.033),
      edges(0.069, 0.064, 0.016, 0.026),
      edges(0.06, 0.054, 0.012, 0.012),
    ],
  },
  edgeMemory: { lasting: 0.75, seconds: 1.1 },
  partial: { edges: LEGS, values: [0.063, 0.005, 0.002, 0.003] },
  partialMemory: { lasting: 0.85, seconds: 1.5 },
  partialShown: [0.45, 0.85],
  duplicate: 0.046,
  sureDuplicate: 0.005,
  duplicateMemory: { lasting: 0.5, seconds: 1 },
  duplicateAt: edges(0.07, -0.13, 0.04, -0.18),
  duplicateSpread: edges(0.18, 0.18, 0.05, 0.11),
  ...CLOTHES,
  falseBoxes: 0.17,
  falseBoxSeconds: 0.07,
};

/**
 * Our default detector (nanodet-g-int8) on PETS09-S2L1: 3,761 sightings of people 0.12 to 0.35 high, most of them wholly
 * visible. Only two sightings are less than 0.1 visible, both missed. Too few
 * covered people are higher than 0.2, so these bins hold people of every height.
 */
export const PETS_FAULTS: FaultRates = {
  found: {
    edges: VISIBILITY,
    values: [
      byHeight([1, 0], [1, 0], [1, 0]),
      byHeight([1, 0], [1, 0], [1, 0]),
      byHeight([0.476, 0.143], [0.476, 0.143], [0.476, 0.143]),
      byHeight([0.329, 0.26], [0.329, 0.26], [0.329, 0.26]),
      byHeight([0.146, 0.159], [0.146, 0.159], [0.146, 0.159]),
      byHeight([0.094, 0.054], [0.094, 0.054], [0.094, 0.054]),
      byHeight([0.047, 0.045], [0.03, 0.015], [0.03, 0.015]),
    ],
  },
  foundMemory: { lasting: 1, seconds: 0.9 },
  edges: {
    edges: [0.5, 0.95],
    values: [
      edges(0.125, 0.145, 0.024, 0.112),
      edges(0.135, 0.145, 0.026, 0.046),
      edges(0.129, 0.12, 0.029, 0.023),
    ],
  },
  edgeMemory: { lasting: 0.95, seconds: 1.1 },
  partial: { edges: LEGS, values: [0.26, 0.13, 0.02, 0.009] },
  partialMemory: { lasting: 1, seconds: 0.9 },
  partialShown: [0.45, 0.85],
  duplicate: 0.222,
  sureDuplicate: 0.003,
  duplicateMemory: { lasting: 0.4, seconds: 1 },
  duplicateAt: edges(-0.06, -0.01, -0.01, -0.02),
  duplicateSpread: edges(0.19, 0.22, 0.04, 0.06),
  ...CLOTHES,
  falseBoxes: 1.01,
  falseBoxSeconds: 0.38,
};

/** By the footage of the measurement. */
export const FAULT_RATES = { mot17: MOT17_FAULTS, pets: PETS_FAULTS } as const;
