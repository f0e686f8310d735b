import type { FullFrame } from '../frame.ts';
import type { Box, Detection } from '../types.ts';
import { classifyBags } from './bags.ts';
import { isCaptureTime, SETTLE_MS } from './capture-times.ts';
import type { CombinedAttributeModel } from './combined-attribute-model.ts';
import { cropQuality } from './crop-quality.ts';
import { type PersonAttributes, Votes } from './votes.ts';

/** The best of the last looks at somebody is taken; older ones may be gone from the pictures kept. */
const CANDIDATE_MS = 1_200;
/** Nobody is looked at more often. */
const PAUSE_MS = 700;
/** Who was not seen for so long is forgotten. */
const FORGET_MS = 60_000;
const FRAME_WEIGHT = 0.2;
/** So long after a moment of capture its look is the last one: a newer one would tell how somebody is turned now. */
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

/** What is known of somebody, of which it was not told yet. */
export interface AttributeUpdate extends PersonAttributes {
  readonly trackId: number;
  /** Frame time of the last look. */
  readonly classifiedAtMs: number;
}

/** One scene's people: notes the best looks at them and adds up what each look says. */
export class AttributeWatch {
  readonly #model: CombinedAttributeModel;
  readonly #people = new Map<number, Person>();
  #lastTimeMs: number | null = null;
  /** The last moment of capture: who was there is looked at first, as they were then. */
  #momentMs = Number.NEGATIVE_INFINITY;

  constructor(model: CombinedAttributeModel) {
    this.#model = model;
  }

  /** Notes who can be seen in a frame, and how well. Cheap: no network runs. */
  see(
    { timeMs, index, full }: { timeMs: number; index: number; full: FullFrame | null },
    tracks: readonly SeenTrack[],
    detections: readonly Detection[],
  ): void {
    if (isCaptureTime(this.#lastTimeMs, timeMs)) this.#momentMs = timeMs;
    this.#lastTimeMs = timeMs;
    const boxes = tracks.map(({ box }) => box);
    const bags = this.#model.ownsBags ? classifyBags(boxes, detections) : [];
    for (const [at, { id, box }] of tracks.entries()) {
      const person = this.#person(id, timeMs);
      person.seenAtMs = timeMs;
      const quality = full ? cropQuality(full, box, boxes) : 0;
      if (quality === 0) continue;
      const bag = this.#owned(bags[at]);
      if (bag) person.votes.add(bag, { timeMs, weight: FRAME_WEIGHT * quality });
      if (this.#isBetter(quality, timeMs, person)) person.best = { frameIndex: index, timeMs, box, quality };
    }
    for (const [id, { seenAtMs }] of this.#people) if (timeMs - seenAtMs > FORGET_MS) this.#people.delete(id);
  }

  /** Looks at the one who waits for it longest. @returns false when there is nobody to look at */
  async classifyNext(frameOf: (frameIndex: number) => FullFrame | null): Promise<boolean> {
    const person = this.#next();
    const candidate = person?.best;
    if (!person || !candidate) return false;
    person.best = null;
    const frame = frameOf(candidate.frameIndex);
    // Too late: the picture is not kept any more.
    if (!frame) return false;
    person.classifiedAtMs = candidate.timeMs;
    const classification = await this.#model.classify({ frame, box: candidate.box });
    person.votes.add(classification, { timeMs: candidate.timeMs, weight: candidate.quality });
    person.changed = true;
    return true;
  }

  /** Everybody of whom more is known than was told before. */
  takeChanges(): AttributeUpdate[] {
    const changed = [...this.#people].filter(([, person]) => person.changed);
    return changed.map(([trackId, person]) => {
      person.changed = false;
      return { trackId, classifiedAtMs: person.classifiedAtMs, ...person.votes.result() };
    });
  }

  /** Until a capture is made the first look since its moment is kept; else the best of the last ones. */
  #isBetter(quality: number, timeMs: number, { best, classifiedAtMs }: Person): boolean {
    if (timeMs - this.#momentMs < HOLD_MS) {
      return classifiedAtMs < this.#momentMs && (!best || best.timeMs < this.#momentMs);
    }
    return !best || timeMs - best.timeMs >= CANDIDATE_MS || best.quality <= quality;
  }

  #person(id: number, timeMs: number): Person {
    const known = this.#people.get(id);
    if (known) return known;
    const person = {
      votes: new Votes(),
      best: null,
      classifiedAtMs: Number.NEGATIVE_INFINITY,
      seenAtMs: timeMs,
      changed: false,
    };
    this.#people.set(id, person);
    return person;
  }

  #next(): Person | undefined {
    let next: Person | undefined;
    for (const person of this.#people.values()) {
      if (!person.best) continue;
      const isOfMoment = person.classifiedAtMs < this.#momentMs && person.best.timeMs >= this.#momentMs;
      if (!isOfMoment && person.best.timeMs - person.classifiedAtMs < PAUSE_MS) continue;
      if (!next || person.classifiedAtMs < next.classifiedAtMs) next = person;
    }
    return next;
  }

  #owned(bag: ReturnType<typeof classifyBags>[number] | undefined) {
    const keys = (['handBag', 'backpack'] as const).filter((key) => this.#model.owns('embedded', key));
    return bag && Object.fromEntries(keys.map((key) => [key, bag[key]!]));
  }
}
