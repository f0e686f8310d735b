import type { Box, Detection, SeenAppearance } from '../types.ts';
import { LearnedAppearance } from './appearance.ts';
import { BoxFilter } from './kalman.ts';
import type { TrackerOptions } from './options.ts';

/** One object that is followed, seen or unseen. */
export class Tracklet {
  /** 0 until it is confirmed. */
  id = 0;
  score: number;
  classId: number;
  readonly bornMs: number;
  readonly bornBox: Box;
  lastSeenMs: number;
  /** From the last sighting to the frame before this one: 0 if seen there. */
  unseenSeconds = 0;
  /** Where it is supposed to be; once it is seen, the filter's estimate. */
  readonly box: { left: number; top: number; right: number; bottom: number };
  /** Null until it was seen with colours. */
  appearance: LearnedAppearance | null = null;
  readonly #options: TrackerOptions;
  readonly #filter: BoxFilter;
  #framesSeen = 1;

  constructor(options: TrackerOptions, { box, score, classId }: Detection, timeMs: number) {
    this.#options = options;
    this.#filter = new BoxFilter(options, box);
    this.score = score;
    this.classId = classId;
    this.bornMs = timeMs;
    this.bornBox = box;
    this.lastSeenMs = timeMs;
    this.box = { ...box };
  }

  get confirmed(): boolean {
    return this.id > 0;
  }

  get ripe(): boolean {
    return this.#framesSeen >= this.#options.confirmFrames;
  }

  predict(seconds: number): void {
    this.#filter.predict(seconds);
    this.#place();
  }

  /** Negative log likelihood that this object is detected so. @param box of the detection, with its legs */
  surprise({ score }: Detection, box: Box): number {
    return this.#filter.surprise(box, this.#noiseOf(score)) - Math.log(score);
  }

  /** The camera moved: everything known lies elsewhere in the picture. */
  shift(dx: number, dy: number): void {
    this.#filter.shift(dx, dy);
    this.#place();
  }

  /** @param box of the detection, with its legs */
  see({ score, classId }: Detection, box: Box, timeMs: number): void {
    this.#filter.correct(box, this.#noiseOf(score));
    this.#place();
    // Two classes of vehicle may take turns on one object: the surest sighting names it.
    if (score >= this.score) this.classId = classId;
    this.score = score;
    this.lastSeenMs = timeMs;
    this.unseenSeconds = 0;
    this.#framesSeen++;
  }

  /** Learns from sure sightings only: an unsure box may hold somebody else as well. */
  learn(seen: SeenAppearance, score: number): void {
    if (!this.appearance) this.appearance = new LearnedAppearance(seen);
    else if (score >= this.#options.confidenceThreshold) this.appearance.learn(seen);
  }

  miss(seconds: number): void {
    this.unseenSeconds += seconds;
  }

  #noiseOf(score: number): number {
    return score < this.#options.confidenceThreshold ? this.#options.unsureNoise : 1;
  }

  #place(): void {
    this.box.left = this.#filter.left;
    this.box.top = this.#filter.top;
    this.box.right = this.#filter.right;
    this.box.bottom = this.#filter.bottom;
  }
}
