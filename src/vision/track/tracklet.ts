import { inHeights } from '../body.ts';
import { OwnHeight, type OwnHeightCheckpoint } from '../feet/own-height.ts';
import { middleOffset } from '../geometry.ts';
import type { Box, Detection, EarlierBox, Feet, SeenAppearance } from '../types.ts';
import { type AppearanceCheckpoint, LearnedAppearance } from './appearance.ts';
import { BoxFilter, type BoxFilterCheckpoint } from './kalman.ts';
import type { TrackerOptions } from './options.ts';

/** The state of a tracklet, as plain data. */
export interface TrackletCheckpoint {
  readonly id: number;
  readonly score: number;
  readonly classId: number;
  readonly bornMs: number;
  readonly bornBox: Box;
  readonly lastSeenMs: number;
  readonly unseenSeconds: number;
  readonly box: Box;
  readonly framesSeen: number;
  readonly appearance: AppearanceCheckpoint | null;
  readonly feet: Feet | null;
  readonly wasWhole: boolean;
  readonly hasWalked: boolean;
  readonly earlier: readonly EarlierBox[];
  readonly own: OwnHeightCheckpoint;
  readonly filter: BoxFilterCheckpoint;
}

/** Distance of a head from where it was born, in body heights: less is a movement of the body. */
const WALKED = 0.3;

/** One object that is followed, whether or not the current frame shows it. */
export class Tracklet {
  /** 0 until it is confirmed. */
  id = 0;
  score: number;
  classId: number;
  readonly bornMs: number;
  readonly bornBox: Box;
  /** Its unsure boxes before that, until it is confirmed. */
  earlier: readonly EarlierBox[] = [];
  lastSeenMs: number;
  /** From the last detection to the frame before this one; 0 if that frame showed it. */
  unseenSeconds = 0;
  /** The filter's prediction; after a detection, its estimate. */
  readonly box: { left: number; top: number; right: number; bottom: number };
  /** Of the last detection; null where nothing was known of it. */
  feet: Feet | null = null;
  /** It surely was whole when it was last judged, so a lower box with the feet at the same place is that of somebody who bends. */
  wasWhole = false;
  /** It was elsewhere when it was born. */
  hasWalked = false;
  /** Null until a detection of it had colours. */
  appearance: LearnedAppearance | null = null;
  readonly own: OwnHeight;
  readonly #options: TrackerOptions;
  readonly #filter: BoxFilter;
  #framesSeen = 1;

  constructor(
    options: TrackerOptions,
    { box, score, classId }: Pick<Detection, 'box' | 'score' | 'classId'>,
    timeMs: number,
    known: Pick<TrackletCheckpoint, 'filter' | 'own'> | null = null,
  ) {
    this.#options = options;
    this.#filter = new BoxFilter(options, box, known?.filter);
    this.score = score;
    this.classId = classId;
    this.bornMs = timeMs;
    this.bornBox = box;
    this.lastSeenMs = timeMs;
    this.box = { ...box };
    this.own = new OwnHeight(box, known?.own);
  }

  static restore(options: TrackerOptions, known: TrackletCheckpoint): Tracklet {
    const { id, score, classId, bornMs, bornBox, lastSeenMs, unseenSeconds, box, framesSeen } = known;
    const track = new Tracklet(options, { box: bornBox, score, classId }, bornMs, known);
    Object.assign(track, { id, lastSeenMs, unseenSeconds });
    Object.assign(track.box, box);
    track.appearance = known.appearance && LearnedAppearance.restore(known.appearance);
    track.#framesSeen = framesSeen;
    track.feet = known.feet;
    track.wasWhole = known.wasWhole;
    track.hasWalked = known.hasWalked;
    track.earlier = known.earlier;
    return track;
  }

  checkpoint(): TrackletCheckpoint {
    const { id, score, classId, bornMs, bornBox, lastSeenMs, unseenSeconds, appearance } = this;
    return {
      ...{ id, score, classId, bornMs, bornBox, lastSeenMs, unseenSeconds },
      box: { ...this.box },
      framesSeen: this.#framesSeen,
      feet: this.feet,
      wasWhole: this.wasWhole,
      hasWalked: this.hasWalked,
      earlier: this.earlier,
      own: this.own.checkpoint(),
      appearance: appearance?.checkpoint() ?? null,
      filter: this.#filter.checkpoint(),
    };
  }

  get confirmed(): boolean {
    return this.id > 0;
  }

  /** Seen often enough to be confirmed. */
  get ripe(): boolean {
    return this.#framesSeen >= this.#options.confirmFrames;
  }

  predict(seconds: number): void {
    this.own.predict(seconds);
    this.#filter.predict(seconds);
    this.#filter.writeTo(this.box);
  }

  /** Negative log likelihood that a detection shows this object. @param box of the detection, with its legs */
  surprise({ score }: Detection, box: Box): number {
    return this.#filter.surprise(box, this.#noiseOf(score)) - Math.log(score);
  }

  /** For a camera that moved: the object is elsewhere in the frame. */
  shift(dx: number, dy: number): void {
    this.own.shift(dy);
    this.#filter.shift(dx, dy);
    this.#filter.writeTo(this.box);
  }

  /** @param box of the detection, with its legs */
  see({ score, classId }: Detection, box: Box, timeMs: number): void {
    this.#filter.correct(box, this.#noiseOf(score));
    this.#filter.writeTo(this.box);
    // A detector may give one vehicle two classes in turn: the detection with the highest score decides.
    if (score >= this.score) this.classId = classId;
    this.score = score;
    this.lastSeenMs = timeMs;
    this.unseenSeconds = 0;
    this.#framesSeen++;
    const { bornBox } = this;
    this.hasWalked ||= inHeights(box, middleOffset(bornBox, box), box.top - bornBox.top) > WALKED;
  }

  /** After the first detection it learns from sure ones only: an unsure box may also hold another person. */
  learn(seen: SeenAppearance, score: number): void {
    if (!this.appearance) this.appearance = new LearnedAppearance(seen);
    else if (score >= this.#options.confidenceThreshold) this.appearance.learn(seen);
  }

  /** The frame shows the same as the one before: seen again, where it was, and nothing is learned. */
  rest(timeMs: number): void {
    this.#filter.rest();
    this.lastSeenMs = timeMs;
  }

  /** Of the body, in body heights a second. */
  get pace(): number {
    return inHeights(this.box, ...this.#filter.velocity);
  }

  miss(seconds: number): void {
    this.unseenSeconds += seconds;
  }

  #noiseOf(score: number): number {
    return score < this.#options.confidenceThreshold ? this.#options.unsureNoise : 1;
  }
}
