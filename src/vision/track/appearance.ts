import { appearanceDifference } from '../appearance-difference.ts';
import { legsOf, torsoOf } from '../body.ts';
import { area, intersection } from '../geometry.ts';
import type { Appearance, Box, Detection, SeenAppearance } from '../types.ts';

/** Share of a body part from which on a nearer box makes its colours invalid. */
const COVERED = 0.2;
/** Least score of a box that may cover another. */
const COVERING_SCORE = 0.3;

/** Which colours of the detections of one frame are valid, computed on demand. A box that ends lower is nearer. */
export class SeenAppearances {
  readonly #covering: readonly Detection[];
  readonly #known = new Map<Detection, SeenAppearance>();

  constructor(detections: readonly Detection[]) {
    this.#covering = detections.filter(({ score }) => score >= COVERING_SCORE);
  }

  /** @returns undefined for a detection without colours */
  of(detection: Detection): SeenAppearance | undefined {
    const { box, appearance } = detection;
    const known = this.#known.get(detection);
    if (known || !appearance) return known;
    const nearer = this.#covering.filter((other) => other.box.bottom > box.bottom);
    const seen = {
      colours: appearance,
      showsTorso: !isCovered(torsoOf(box), nearer),
      showsLegs: !isCovered(legsOf(box), nearer),
    };
    this.#known.set(detection, seen);
    return seen;
  }
}

const isCovered = (part: Box, others: readonly Detection[]): boolean =>
  others.some(({ box }) => intersection(part, box) > COVERED * area(part));

/** After this many samples each one changes the mean by the same share, so that it follows the light. */
const SETTLED = 20;

/** The state of a learned appearance, as plain data. */
export interface AppearanceCheckpoint {
  readonly mean: readonly number[];
  readonly torsoSamples: number;
  readonly legsSamples: number;
}

/** The mean appearance of one object. */
export class LearnedAppearance {
  readonly #mean: number[];
  #torsoSamples: number;
  #legsSamples: number;

  constructor({ colours, showsTorso, showsLegs }: SeenAppearance) {
    this.#mean = [...colours];
    this.#torsoSamples = showsTorso ? 1 : 0;
    this.#legsSamples = showsLegs ? 1 : 0;
  }

  static restore({ mean, torsoSamples, legsSamples }: AppearanceCheckpoint): LearnedAppearance {
    const restored = new LearnedAppearance({ colours: [...mean], showsTorso: false, showsLegs: false });
    restored.#torsoSamples = torsoSamples;
    restored.#legsSamples = legsSamples;
    return restored;
  }

  checkpoint(): AppearanceCheckpoint {
    return { mean: [...this.#mean], torsoSamples: this.#torsoSamples, legsSamples: this.#legsSamples };
  }

  learn({ colours, showsTorso, showsLegs }: SeenAppearance): void {
    if (showsTorso) this.#mix(colours, 0, ++this.#torsoSamples);
    if (showsLegs) this.#mix(colours, 3, ++this.#legsSamples);
  }

  /** A copy; parts without a sample are not valid. */
  get seen(): SeenAppearance {
    return { colours: [...this.#mean], showsTorso: this.#torsoSamples > 0, showsLegs: this.#legsSamples > 0 };
  }

  /** Mean difference over the valid parts of `seen`, 0-255; null where there is none. */
  difference(seen: SeenAppearance): number | null {
    return appearanceDifference({ colours: this.#mean, showsTorso: true, showsLegs: true }, seen);
  }

  #mix(colours: Appearance, from: number, samples: number): void {
    const share = 1 / Math.min(samples, SETTLED);
    for (let i = from; i < from + 3; i++) {
      const mean = this.#mean[i]!;
      this.#mean[i] = mean + share * (colours[i]! - mean);
    }
  }
}
