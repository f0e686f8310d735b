import type { Box, Detection, SeenLook, Track } from '../types.ts';
import { Identity, type Sighting } from './identity.ts';
import { BoxFilter } from './kalman.ts';
import { KnownLook } from './look.ts';
import type { TrackerOptions } from './options.ts';

/** A path between two sightings longer than this many frames is walked in this many steps. */
const LONGEST_PATH_STEPS = 30;

/** One object that is followed, seen or unseen. */
export class Tracklet {
  /** 0 until it is confirmed. */
  id = 0;
  score: number;
  classId: number;
  bornMs: number;
  lastSeenMs: number;
  /** From the last sighting to the frame before this one: 0 if seen there. */
  unseenSeconds = 0;
  /** Where it is supposed to be; once it is seen, the filter's estimate. */
  readonly box: { left: number; top: number; right: number; bottom: number };
  /** The detection of the last sighting. */
  readonly lastSeen: { left: number; top: number; right: number; bottom: number };
  /** Null until it was seen with colours. */
  look: KnownLook | null = null;
  /** Null until it was surely seen with torso and legs. */
  identity: Identity | null = null;
  readonly #options: TrackerOptions;
  readonly #filter: BoxFilter;
  /** The filter as it was after the last sighting. */
  readonly #filterThen: BoxFilter;
  #framesSeen = 1;
  #framesMissed = 0;

  constructor(options: TrackerOptions, { box, score, classId }: Detection, timeMs: number) {
    this.#options = options;
    this.#filter = new BoxFilter(options, box);
    this.#filterThen = new BoxFilter(options, box);
    this.score = score;
    this.classId = classId;
    this.bornMs = timeMs;
    this.lastSeenMs = timeMs;
    this.box = { ...box };
    this.lastSeen = { ...box };
  }

  get confirmed(): boolean {
    return this.id > 0;
  }

  get ripe(): boolean {
    return this.#framesSeen >= this.#options.confirmFrames;
  }

  /** Its motion still tells where to look for it. */
  get recent(): boolean {
    return this.unseenSeconds <= this.#options.motionSeconds;
  }

  /** How far it may lie from `box`, as far as that is looked for. */
  get slackX(): number {
    return this.#slack(this.#filter.spreadX, this.box.right - this.box.left);
  }
  get slackY(): number {
    return this.#slack(this.#filter.spreadY, this.box.bottom - this.box.top);
  }

  predict(seconds: number): void {
    this.#filter.predict(seconds);
    this.#place();
  }

  /** The camera moved: everything known lies elsewhere in the picture. */
  shift(dx: number, dy: number): void {
    this.#filter.shift(dx, dy);
    this.#filterThen.shift(dx, dy);
    this.#place();
    this.lastSeen.left += dx;
    this.lastSeen.right += dx;
    this.lastSeen.top += dy;
    this.lastSeen.bottom += dy;
    this.identity?.shift(dx, dy);
  }

  /** @param box of the detection, with its legs */
  see({ score, classId }: Detection, box: Box, timeMs: number): void {
    const noise = score < this.#options.confidenceThreshold ? this.#options.unsureNoise : 1;
    if (this.#framesMissed > 0) this.#walkTo(box, (timeMs - this.lastSeenMs) / 1000, noise);
    else this.#filter.correct(box, noise);
    this.#filterThen.copyFrom(this.#filter);
    this.#place();
    this.lastSeen.left = box.left;
    this.lastSeen.top = box.top;
    this.lastSeen.right = box.right;
    this.lastSeen.bottom = box.bottom;
    // Two classes of vehicle may take turns on one object: the surest sighting names it.
    if (score >= this.score) this.classId = classId;
    this.score = score;
    this.lastSeenMs = timeMs;
    this.unseenSeconds = 0;
    this.#framesMissed = 0;
    this.#framesSeen++;
  }

  /** Learns from sure sightings only: an unsure box may hold somebody else as well. */
  learn(seen: SeenLook, { box, score }: Detection, timeMs: number): void {
    const sure = score >= this.#options.confidenceThreshold;
    if (!this.look) this.look = new KnownLook(seen);
    else if (sure) this.look.learn(seen);
    if (!sure || !seen.showsTorso || !seen.showsLegs) return;
    if (this.identity) this.identity.see(seen, { box, timeMs });
    else this.identity = new Identity(this.#options, seen, { box, timeMs });
  }

  /** For the track handed out: what its own person wears and what is seen in its place; undefined before anything is known. */
  get looks(): Pick<Track, 'look' | 'shown'> {
    const { identity } = this;
    const look = (identity?.isKnown ? identity.look : this.look)?.seen;
    return { look, shown: identity?.stranger?.look.seen ?? look };
  }

  get lastSighting(): Sighting {
    return { box: { ...this.lastSeen }, timeMs: this.lastSeenMs };
  }

  /** The two are each other: names and what belongs to them change places, motion stays where it was seen. */
  exchangeWith(other: Tracklet): void {
    [this.id, other.id] = [other.id, this.id];
    [this.bornMs, other.bornMs] = [other.bornMs, this.bornMs];
    [this.identity, other.identity] = [other.identity, this.identity];
  }

  /**
   * This newcomer is whom `other` showed before a stranger came in its place: it gets back the name, the stranger
   * is somebody new.
   */
  claim(other: Tracklet): void {
    const { look } = other.identity!.stranger!;
    this.exchangeWith(other);
    this.identity!.beItself(this.lastSighting);
    other.look = look;
    other.identity = new Identity(this.#options, look.whole, other.lastSighting);
  }

  miss(seconds: number): void {
    this.unseenSeconds += seconds;
    this.#framesMissed++;
  }

  /**
   * Observation-centric re-update (OC-SORT, arXiv 2203.14360): errors that grew while it was unseen are undone by
   * taking the filter back and leading it along the straight way between the two sightings.
   */
  #walkTo(box: Box, seconds: number, noise: number): void {
    const from = this.lastSeen;
    const steps = Math.min(LONGEST_PATH_STEPS, this.#framesMissed + 1);
    this.#filter.copyFrom(this.#filterThen);
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      if (seconds > 0) this.#filter.predict(seconds / steps);
      const between = {
        left: from.left + part * (box.left - from.left),
        top: from.top + part * (box.top - from.top),
        right: from.right + part * (box.right - from.right),
        bottom: from.bottom + part * (box.bottom - from.bottom),
      };
      this.#filter.correct(between, noise);
    }
  }

  #slack(spread: number, size: number): number {
    const { slack, longestSlack } = this.#options;
    return Math.min(slack * spread, longestSlack * size);
  }

  #place(): void {
    this.box.left = this.#filter.left;
    this.box.top = this.#filter.top;
    this.box.right = this.#filter.right;
    this.box.bottom = this.#filter.bottom;
  }
}
