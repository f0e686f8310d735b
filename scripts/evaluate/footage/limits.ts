import { assign } from '../../../src/cameras/scenes/checks/times/assign.ts';
import { iou } from '../../../src/vision/geometry.ts';
import { IdentityStage } from '../../../src/vision/identity/identity-stage.ts';
import type { Moment } from '../../../src/vision/moment.ts';
import type { PeopleStage, SeenPeople } from '../../../src/vision/people-watch.ts';
import type { Box, Detection, Track } from '../../../src/vision/types.ts';

/**
 * A part of the product that an evaluation replaces by the truth, so that the rest of the error is that of the others; `misses`: feet
 * and identities, so that only who is not detected is missed.
 */
export const LIMITS = ['feet', 'identities', 'misses', 'detection'] as const;
export type Limit = (typeof LIMITS)[number];

/** A true person in one frame. */
export interface TrueBody {
  readonly id: number;
  /** What is visible of the person, or all of it. */
  readonly box: Box;
  /** y of the feet; left out where the box ends there. */
  readonly foot?: number;
}

/** A detection shows a true person whom it overlaps by at least so much. */
const LEAST_IOU = 0.5;

/** @returns for each detection the person whom it shows, at most one detection for a person */
export function shownBodies(
  detections: readonly Detection[],
  bodies: readonly TrueBody[],
  leastIou = LEAST_IOU,
): (TrueBody | null)[] {
  const gains = detections.map(({ box }) =>
    bodies.map((body) => {
      const overlap = iou(body.box, box);
      return overlap < leastIou ? 0 : overlap;
    }),
  );
  return assign(gains, bodies.length).map((column) => (column === null ? null : bodies[column]!));
}

/** The limit of feet: each detection of a person ends where their feet are. */
export function withTrueFeet(
  detections: readonly Detection[],
  bodies: readonly TrueBody[],
  leastIou?: number,
): Detection[] {
  const shown = shownBodies(detections, bodies, leastIou);
  return detections.map((detection, at) => {
    const body = shown[at];
    return body
      ? { ...detection, box: { ...detection.box, bottom: body.foot ?? body.box.bottom } }
      : detection;
  });
}

/** The limit of identities: sure and unsure detections with the true person; those that show nobody are left out. */
export class TruePeople implements PeopleStage {
  readonly #identity: IdentityStage;
  readonly #bodiesAt: (timeMs: number) => readonly TrueBody[];
  readonly #leastIou: number | undefined;

  constructor(bodiesAt: (timeMs: number) => readonly TrueBody[], maxAgeMs: number, leastIou?: number) {
    // Nobody is taken for another one: a new track is always a new person.
    this.#identity = new IdentityStage(maxAgeMs, null, { rarityOfBirths: Number.NEGATIVE_INFINITY });
    this.#bodiesAt = bodiesAt;
    this.#leastIou = leastIou;
  }

  update(detections: readonly Detection[], now: Moment, aspect: number): SeenPeople {
    const { timeMs } = now;
    const shown = shownBodies(detections, this.#bodiesAt(timeMs), this.#leastIou);
    const tracks = detections.flatMap(({ box, score, classId }, at): Track[] => {
      const body = shown[at];
      return body ? [{ id: body.id, box, score, classId, timeMs, bornMs: timeMs, bornBox: box }] : [];
    });
    const boxes = detections.map(({ box }) => box);
    const people = this.#identity.update(tracks, now, { boxes, aspect, hasMoved: false });
    return { ...people, tracks, hasMoved: false };
  }

  get isEmpty(): boolean {
    return this.#identity.isEmpty;
  }

  /** No frame is held. */
  readonly isUndecided = true;
  readonly isMissing = false;
  readonly shown: PeopleStage['shown'] = [];

  personOf(trackId: number): number | undefined {
    return this.#identity.personOf(trackId);
  }

  isDoubtful(personId: number): boolean {
    return this.#identity.isDoubtful(personId);
  }

  forgetAll(): void {
    this.#identity.forgetAll();
  }

  checkpoint(): never {
    throw new Error('People of the truth have no checkpoint.');
  }
}
