import { FeetWatch } from './feet/feet-watch.ts';
import { IdentityStage, type IdentityUpdate } from './identity/identity-stage.ts';
import type { IdentityOptions } from './identity/options.ts';
import type { Moment } from './moment.ts';
import type { SceneCheckpoint } from './scene-checkpoint.ts';
import type { Stopwatch } from './stopwatch.ts';
import { TRACKER_DEFAULTS, type TrackerOptions } from './track/options.ts';
import { Tracker } from './track/tracker.ts';
import type { Detection, QueueParameters, Track } from './types.ts';

/** Least score of a detection that may cover a person. */
const COVERING_SCORE = 0.3;

export interface PeopleWatchOptions {
  readonly parameters: Pick<QueueParameters, 'class' | 'confidenceThreshold' | 'trackingMaxAgeSeconds'>;
  readonly known?: Pick<SceneCheckpoint, 'lastTrackId' | 'identity' | 'feet' | 'exact'> | null;
  /** Measures `tracking` and `identity`. */
  readonly stopwatch?: Stopwatch | undefined;
  /** For the evaluation of single options. */
  readonly tracker?: Partial<TrackerOptions> | undefined;
  readonly identity?: Partial<IdentityOptions> | undefined;
}

/** What one frame shows. */
export interface SeenPeople extends IdentityUpdate {
  readonly tracks: readonly Track[];
  /** The camera moved since the frame before. */
  readonly hasMoved: boolean;
}

/** What a scene needs of those who follow its people. */
export type PeopleStage = Pick<
  PeopleWatch,
  | 'update'
  | 'isEmpty'
  | 'isUndecided'
  | 'isMissing'
  | 'shown'
  | 'personOf'
  | 'isDoubtful'
  | 'forgetAll'
  | 'checkpoint'
>;

/** Detections → tracks → people of one scene: tracker, feet and identity together. */
export class PeopleWatch {
  readonly #stopwatch: Stopwatch | undefined;
  readonly #tracker: Tracker;
  /** Null in a scene of vehicles. */
  readonly #feet: FeetWatch | null;
  readonly #identity: IdentityStage;
  /** Track ids continue after a move to another process, so that a run uses none twice. */
  readonly #firstTrackId: number;
  #lastTrackId: number;

  constructor({ parameters, known, stopwatch, tracker, identity }: PeopleWatchOptions) {
    const { confidenceThreshold, trackingMaxAgeSeconds } = parameters;
    const maxAgeSeconds = Math.min(trackingMaxAgeSeconds, TRACKER_DEFAULTS.maxAgeSeconds);
    this.#stopwatch = stopwatch;
    this.#tracker = new Tracker({ confidenceThreshold, maxAgeSeconds, ...tracker }, known?.exact?.tracker);
    this.#feet = parameters.class === 'person' ? new FeetWatch(known?.feet) : null;
    this.#identity = new IdentityStage(trackingMaxAgeSeconds * 1000, known?.identity, identity);
    this.#lastTrackId = known?.lastTrackId ?? 0;
    this.#firstTrackId = known?.exact?.firstTrackId ?? this.#lastTrackId;
  }

  /**
   * One frame.
   * @param detections of the scene's class
   * @param aspect width over height of the frame
   * @param isHeld the detections are those of an earlier frame, since which nothing has changed: no new measurement
   */
  update(detections: readonly Detection[], now: Moment, aspect: number, isHeld = false): SeenPeople {
    const tracks = this.#follow(detections, now, aspect, isHeld).map((track) => ({
      ...track,
      id: track.id + this.#firstTrackId,
    }));
    for (const { id } of tracks) if (id > this.#lastTrackId) this.#lastTrackId = id;
    this.#stopwatch?.lap('tracking');
    const boxes = detections.filter(({ score }) => score >= COVERING_SCORE).map(({ box }) => box);
    const hasMoved = this.#tracker.cameraHasMoved;
    if (!isHeld) this.#feet?.learn(tracks, boxes, aspect, hasMoved);
    const people = this.#identity.update(tracks, now, { boxes, aspect, hasMoved });
    this.#stopwatch?.lap('identity');
    return { ...people, tracks, hasMoved };
  }

  #follow(detections: readonly Detection[], { timeMs }: Moment, aspect: number, isHeld: boolean): Track[] {
    if (isHeld) return this.#tracker.hold(timeMs);
    return this.#tracker.update(detections, timeMs, this.#feet?.judge(detections, aspect));
  }

  /** Somebody new may be confirmed with the next frame. */
  get isUndecided(): boolean {
    return this.#tracker.isUndecided;
  }

  /** Somebody who was seen a moment ago is missed. */
  get isMissing(): boolean {
    return this.#tracker.isMissing;
  }

  /** The boxes of those whom the last frame shows, and how fast they move in body heights a second. */
  get shown(): Tracker['shown'] {
    return this.#tracker.shown;
  }

  /** Nobody is in sight or missing. */
  get isEmpty(): boolean {
    return this.#tracker.isEmpty && this.#identity.isEmpty;
  }

  /** The person that a track shows; undefined for an unknown track. */
  personOf(trackId: number): number | undefined {
    return this.#identity.personOf(trackId);
  }

  /** Whether it is more likely than not that a person who is not seen is gone, although that is not decided yet. */
  isDoubtful(personId: number): boolean {
    return this.#identity.isDoubtful(personId);
  }

  /** Foot points identify nobody any more. Ids continue. */
  forgetAll(): void {
    this.#identity.forgetAll();
  }

  /** @param isExact for a watch that continues with the very next frame; otherwise the state of the tracker is left out */
  checkpoint(isExact: boolean) {
    return {
      lastTrackId: this.#lastTrackId,
      identity: this.#identity.checkpoint(isExact),
      feet: this.#feet?.checkpoint(isExact) ?? null,
      exact: isExact ? { firstTrackId: this.#firstTrackId, tracker: this.#tracker.checkpoint() } : null,
    };
  }
}
