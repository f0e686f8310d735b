import { legsOf, torsoOf } from '../body.ts';
import { area, intersection } from '../geometry.ts';
import type { Box, Detection, Look } from '../types.ts';

/** What one detection shows of somebody's clothes. */
export interface SeenLook {
  readonly look: Look;
  readonly showsTorso: boolean;
  readonly showsLegs: boolean;
}

/** A nearer box that covers more than this share of a body part shows its own clothes there. */
const COVERED = 0.2;
/** Least score of a box that may cover another. */
const COVERING_SCORE = 0.3;

/** What the detections of one frame show, found out when it is asked. Boxes that reach lower are nearer. */
export class SeenLooks {
  readonly #covering: readonly Detection[];
  readonly #known = new Map<Detection, SeenLook>();

  constructor(detections: readonly Detection[]) {
    this.#covering = detections.filter(({ score }) => score >= COVERING_SCORE);
  }

  /** @returns undefined for a detection that came without a look */
  of(detection: Detection): SeenLook | undefined {
    const { box, look } = detection;
    const known = this.#known.get(detection);
    if (known || !look) return known;
    const nearer = this.#covering.filter((other) => other.box.bottom > box.bottom);
    const seen = {
      look,
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
export class KnownLook {
  readonly #mean: number[];
  #torsoSamples: number;
  #legsSamples: number;

  constructor({ look, showsTorso, showsLegs }: SeenLook) {
    this.#mean = [...look];
    this.#torsoSamples = showsTorso ? 1 : 0;
    this.#legsSamples = showsLegs ? 1 : 0;
  }

  learn({ look, showsTorso, showsLegs }: SeenLook): void {
    if (showsTorso) this.#mix(look, 0, ++this.#torsoSamples);
    if (showsLegs) this.#mix(look, 3, ++this.#legsSamples);
  }

  /** The mean, as of somebody who shows all of it. */
  get whole(): SeenLook {
    return { look: this.#mean, showsTorso: true, showsLegs: true };
  }

  /** Mean difference over the parts that can be seen, 0-255; null where none can. */
  difference({ look, showsTorso, showsLegs }: SeenLook): number | null {
    if (showsTorso && showsLegs) return (this.#apart(look, 0) + this.#apart(look, 3)) / 2;
    if (showsTorso) return this.#apart(look, 0);
    return showsLegs ? this.#apart(look, 3) : null;
  }

  #mix(look: Look, from: number, samples: number): void {
    const share = 1 / Math.min(samples, SETTLED);
    for (let i = from; i < from + 3; i++) this.#mean[i]! += share * (look[i]! - this.#mean[i]!);
  }

  #apart(look: Look, from: number): number {
    let sum = 0;
    for (let i = from; i < from + 3; i++) sum += Math.abs(look[i]! - this.#mean[i]!);
    return sum / 3;
  }
}
