import { appearanceDifference } from '../appearance-difference.ts';
import { legsOf, torsoOf } from '../body.ts';
import { area, intersection } from '../geometry.ts';
import type { Appearance, Box, Detection, SeenAppearance } from '../types.ts';

/** A nearer box that covers more than this share of a body part shows its own clothes there. */
const COVERED = 0.2;
/** Least score of a box that may cover another. */
const COVERING_SCORE = 0.3;

/** What the detections of one frame show, found out when it is asked. Boxes that reach lower are nearer. */
export class SeenAppearances {
  readonly #covering: readonly Detection[];
  readonly #known = new Map<Detection, SeenAppearance>();

  constructor(detections: readonly Detection[]) {
    this.#covering = detections.filter(({ score }) => score >= COVERING_SCORE);
  }

  /** @returns undefined for a detection that came without a look */
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

/** Sightings after which a look changes by a fixed share: clothes stay, light and pose do not. */
const SETTLED = 20;

/** What is known of one object's look. */
export class LearnedAppearance {
  readonly #mean: number[];
  #torsoSamples: number;
  #legsSamples: number;

  constructor({ colours: appearance, showsTorso, showsLegs }: SeenAppearance) {
    this.#mean = [...appearance];
    this.#torsoSamples = showsTorso ? 1 : 0;
    this.#legsSamples = showsLegs ? 1 : 0;
  }

  learn({ colours: appearance, showsTorso, showsLegs }: SeenAppearance): void {
    if (showsTorso) this.#mix(appearance, 0, ++this.#torsoSamples);
    if (showsLegs) this.#mix(appearance, 3, ++this.#legsSamples);
  }

  /** The mean, of the parts that were seen; a copy. */
  get seen(): SeenAppearance {
    return { colours: [...this.#mean], showsTorso: this.#torsoSamples > 0, showsLegs: this.#legsSamples > 0 };
  }

  /** Mean difference over the parts that can be seen, 0-255; null where none can. */
  difference(seen: SeenAppearance): number | null {
    return appearanceDifference({ colours: this.#mean, showsTorso: true, showsLegs: true }, seen);
  }

  #mix(appearance: Appearance, from: number, samples: number): void {
    const share = 1 / Math.min(samples, SETTLED);
    for (let i = from; i < from + 3; i++) this.#mean[i]! += share * (appearance[i]! - this.#mean[i]!);
  }
}
