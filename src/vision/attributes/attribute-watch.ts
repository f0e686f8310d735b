import type { FullFrame } from '../frame.ts';
import type { Box, Detection } from '../types.ts';
import { classifyBags } from './bags.ts';
import { isCaptureTime, SETTLE_MS } from './capture-times.ts';
import type { CombinedAttributeModel } from './combined-attribute-model.ts';
import { cropQuality } from './crop-quality.ts';
import { type AttributeKey, keysWithin, SENSITIVE_GROUPS, type SensitiveGroup } from './keys.ts';
import { type PersonAttributes, Votes } from './votes.ts';

/** The best crop of this time is classified; the frames of older ones may be gone. */
const CANDIDATE_MS = 1_200;
/** Least time between two classified crops of one person. */
const PAUSE_MS = 700;
/** A person who was not seen for so long is forgotten. */
const FORGET_MS = 60_000;
const FRAME_WEIGHT = 0.2;
/** For this long after a capture time its crop stays the candidate: a newer one would show another orientation. */
const HOLD_MS = SETTLE_MS + 500;

export interface SeenTrack {
  readonly id: number;
  readonly box: Box;
}

interface Candidate {
  readonly frameIndex: number;
  readonly timeMs: number;
  readonly box: Box;
  readonly quality: number;
}

interface Person {
  readonly votes: Votes;
  best: Candidate | null;
  classifiedAtMs: number;
  seenAtMs: number;
  changed: boolean;
}

/** The attributes of one person, after a change. */
export interface AttributeUpdate extends PersonAttributes {
  readonly trackId: number;
  /** Frame time of the last classified crop. */
  readonly classifiedAtMs: number;
}

/** The attributes of the people of one scene: chooses the best crops and adds up their classifications. */
export class AttributeWatch {
  readonly #model: CombinedAttributeModel;
  readonly #keys: readonly AttributeKey[];
  readonly #people = new Map<number, Person>();
  #lastTimeMs: number | null = null;
  /** The last capture time. Crops of that frame are classified first. */
  #captureMs = Number.NEGATIVE_INFINITY;

  /** @param groups the sensitive groups that are determined */
  constructor(model: CombinedAttributeModel, groups: readonly SensitiveGroup[] = SENSITIVE_GROUPS) {
    this.#model = model;
    this.#keys = keysWithin(model.keys, groups);
  }

  /** Notes the crops of a frame and their quality. Runs no network. */
  see(
    { timeMs, index, full }: { timeMs: number; index: number; full: FullFrame | null },
    tracks: readonly SeenTrack[],
    detections: readonly Detection[],
  ): void {
    if (isCaptureTime(this.#lastTimeMs, timeMs)) this.#captureMs = timeMs;
    this.#lastTimeMs = timeMs;
    const boxes = tracks.map(({ box }) => box);
    const { bagKeys } = this.#model;
    const bags = bagKeys.length > 0 ? classifyBags(boxes, detections) : [];
    for (const [at, { id, box }] of tracks.entries()) {
      const person = this.#person(id, timeMs);
      person.seenAtMs = timeMs;
      const quality = full ? cropQuality(full, box, boxes) : 0;
      if (quality === 0) continue;
      const found = bags[at];
      if (found) {
        const owned = Object.fromEntries(bagKeys.map((key) => [key, found[key]]));
        person.votes.add(owned, { timeMs, weight: FRAME_WEIGHT * quality });
      }
      if (this.#isBetter(quality, timeMs, person)) person.best = { frameIndex: index, timeMs, box, quality };
    }
    for (const [id, { seenAtMs }] of this.#people) if (timeMs - seenAtMs > FORGET_MS) this.#people.delete(id);
  }

  /** Classifies the crop of the person who has waited longest. @returns false when there is none */
  async classifyNext(frameOf: (frameIndex: number) => FullFrame | null): Promise<boolean> {
    const person = this.#next();
    const candidate = person?.best;
    if (!person || !candidate) return false;
    person.best = null;
    const frame = frameOf(candidate.frameIndex);
    // Its frame is too old and no longer kept.
    if (!frame) return false;
    const { timeMs, box, quality } = candidate;
    person.classifiedAtMs = timeMs;
    person.votes.add(await this.#model.classify({ frame, box }, this.#keys), { timeMs, weight: quality });
    person.changed = true;
    return true;
  }

  /** The people whose attributes changed since the last call. */
  takeChanges(): AttributeUpdate[] {
    const changed = [...this.#people].filter(([, person]) => person.changed);
    return changed.map(([trackId, person]) => {
      person.changed = false;
      return { trackId, classifiedAtMs: person.classifiedAtMs, ...person.votes.result() };
    });
  }

  /** Around a capture time the first crop since then is the candidate; at other times the best one. */
  #isBetter(quality: number, timeMs: number, { best, classifiedAtMs }: Person): boolean {
    if (timeMs - this.#captureMs < HOLD_MS) {
      return classifiedAtMs < this.#captureMs && (!best || best.timeMs < this.#captureMs);
    }
    return !best || timeMs - best.timeMs >= CANDIDATE_MS || best.quality <= quality;
  }

  #person(id: number, seenAtMs: number): Person {
    const known = this.#people.get(id);
    if (known) return known;
    const classifiedAtMs = Number.NEGATIVE_INFINITY;
    const person = { votes: new Votes(), best: null, classifiedAtMs, seenAtMs, changed: false };
    this.#people.set(id, person);
    return person;
  }

  #next(): Person | undefined {
    let next: Person | undefined;
    for (const person of this.#people.values()) {
      const { best, classifiedAtMs } = person;
      if (!best) continue;
      const isOfCapture = classifiedAtMs < this.#captureMs && best.timeMs >= this.#captureMs;
      if (!isOfCapture && best.timeMs - classifiedAtMs < PAUSE_MS) continue;
      if (!next || classifiedAtMs < next.classifiedAtMs) next = person;
    }
    return next;
  }
}
