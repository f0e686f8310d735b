import { Assignment } from '../assignment.ts';
import { downToFeet, type Judgement } from '../feet/cut-box.ts';
import { iou } from '../geometry.ts';
import type { Box, Detection, Track } from '../types.ts';
import { SeenAppearances } from './appearance.ts';
import { cameraShift } from './camera-motion.ts';
import { cutDetections, withLegs } from './hidden-legs.ts';
import { TRACKER_DEFAULTS, type TrackerOptions } from './options.ts';
import { Tracklet, type TrackletCheckpoint } from './tracklet.ts';
import { type TrailCheckpoint, UnsureTrail } from './unsure-trail.ts';

/** A new object that overlaps a visible one by so much may be its second box: nobody knows whose the unsure boxes there were. */
const SECOND_BOX_IOU = 0.3;
/** Whoever is missed for less may be found again by another look at the same picture. */
const MISSED_SECONDS = 1;

/** The state of a tracker, as plain data. */
export interface TrackerCheckpoint {
  readonly lastId: number;
  readonly lastMs: number | null;
  readonly tracks: readonly TrackletCheckpoint[];
  readonly trail: TrailCheckpoint;
}

/**
 * Follows objects from frame to frame; one instance per scene. Sure detections are paired before unsure ones (ByteTrack,
 * arXiv 2110.06864). The cost of a pair is the negative log likelihood of the detection under the filter's prediction, so
 * the search area grows with the time between two frames and with the uncertainty of a new object's speed. `identity/`
 * joins the tracks of one person.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #assignment = new Assignment();
  #cost = new Float64Array(1024);
  #tracks: Tracklet[] = [];
  #trail = new UnsureTrail();
  #hasMoved = false;
  #lastId = 0;
  #lastMs: number | null = null;
  #appearances = new SeenAppearances([]);
  #cut: ReadonlySet<Detection> = new Set();
  #judged: ReadonlyMap<Detection, Judgement> | null = null;

  /** @param known from `checkpoint()` of an earlier tracker, which this one continues without any difference */
  constructor(options: Partial<TrackerOptions> = {}, known: TrackerCheckpoint | null = null) {
    this.#options = { ...TRACKER_DEFAULTS, ...options };
    if (!known) return;
    this.#lastId = known.lastId;
    this.#lastMs = known.lastMs;
    this.#trail = new UnsureTrail(known.trail);
    this.#tracks = known.tracks.map((track) => Tracklet.restore(this.#options, track));
  }

  checkpoint(): TrackerCheckpoint {
    const tracks = this.#tracks.map((track) => track.checkpoint());
    return { lastId: this.#lastId, lastMs: this.#lastMs, tracks, trail: this.#trail.checkpoint };
  }

  /** Nothing is followed, and nothing may be confirmed with the next frame. */
  get isEmpty(): boolean {
    return this.#tracks.length === 0;
  }

  /** A new object may be confirmed with the next frame. */
  get isUndecided(): boolean {
    return this.#tracks.some(({ confirmed, lastSeenMs }) => !confirmed && lastSeenMs === this.#lastMs);
  }

  /** An object that was seen a moment ago is missed. */
  get isMissing(): boolean {
    return this.#tracks.some(({ unseenSeconds }) => unseenSeconds > 0 && unseenSeconds < MISSED_SECONDS);
  }

  /** Boxes of the objects that the last frame shows, and how fast they move in body heights a second. */
  get shown(): readonly { readonly box: Box; readonly pace: number }[] {
    return this.#tracks.filter(({ confirmed, lastSeenMs }) => confirmed && lastSeenMs === this.#lastMs);
  }

  /** Whether the camera moved between the last frame and the one before, see `cameraShift`. */
  get cameraHasMoved(): boolean {
    return this.#hasMoved;
  }

  /**
   * @param detections of one frame, in any order; the tracker does not distinguish their classes
   * @param timeMs of the frame, not before the last one's
   * @param judged where the feet of the detections are, as far as the place of the head tells; null for objects without feet
   * @returns confirmed tracks that this frame shows, with the filter's boxes
   */
  update(
    detections: readonly Detection[],
    timeMs: number,
    judged: ReadonlyMap<Detection, Judgement> | null = null,
  ): Track[] {
    const { maxAgeSeconds, sureGate, unsureGate, visibleBoxes } = this.#options;
    const elapsed = this.#lastMs === null ? 0 : Math.max(0, timeMs - this.#lastMs) / 1000;
    const seconds = Math.min(elapsed, maxAgeSeconds);
    this.#lastMs = timeMs;
    if (seconds > 0) for (const track of this.#tracks) track.predict(seconds);

    const { sure, unsure } = this.#sorted(detections);
    const known = [...sure, ...unsure];
    this.#appearances = new SeenAppearances(known);
    this.#judged = judged;
    if (visibleBoxes) this.#cut = cutDetections(known);
    const confirmed = this.#tracks.filter((track) => track.confirmed);
    const newcomers = this.#tracks.filter((track) => !track.confirmed);
    this.#followCamera(confirmed, sure);

    const growth = this.#gateGrowth(seconds);
    const left = this.#associate(confirmed, sure, sureGate + growth, timeMs);
    const inSight = left.tracks.filter((track) => track.unseenSeconds === 0);
    const outOfSight = left.tracks.filter((track) => track.unseenSeconds > 0);
    const second = this.#associate(inSight, unsure, unsureGate + growth, timeMs);
    const fresh = this.#associate(newcomers, left.detections, sureGate + growth, timeMs);

    for (const track of [...outOfSight, ...second.tracks, ...fresh.tracks]) track.miss(seconds);
    this.#removeOld();
    for (const detection of fresh.detections) this.#welcome(detection, timeMs);
    const unexplained = second.detections.map((detection) => ({
      ...{ box: detection.box, body: this.#newBodyOf(detection) },
    }));
    this.#trail.note(timeMs, unexplained);
    return this.#seenNow(timeMs);
  }

  /**
   * A frame that shows the same as the last one: who was seen is where they were, who was missed is missed. Nothing is measured.
   * @returns as `update`
   */
  hold(timeMs: number): Track[] {
    const beforeMs = this.#lastMs ?? timeMs;
    const seconds = Math.min(Math.max(0, timeMs - beforeMs) / 1000, this.#options.maxAgeSeconds);
    this.#lastMs = timeMs;
    this.#hasMoved = false;
    for (const track of this.#tracks) {
      if (track.lastSeenMs === beforeMs) track.rest(timeMs);
      else {
        if (seconds > 0) track.predict(seconds);
        track.miss(seconds);
      }
    }
    this.#removeOld();
    this.#trail.hold(beforeMs, timeMs);
    return this.#seenNow(timeMs);
  }

  /** Sorts by score, so that the order of the detector's list has no effect. */
  #sorted(detections: readonly Detection[]): { sure: Detection[]; unsure: Detection[] } {
    const { confidenceThreshold, lowThreshold } = this.#options;
    const known = detections
      .filter(({ score, box }) => score >= lowThreshold && box.right > box.left && box.bottom > box.top)
      .sort((a, b) => b.score - a.score || a.box.left - b.box.left || a.box.top - b.box.top);
    return {
      sure: known.filter(({ score }) => score >= confidenceThreshold),
      unsure: known.filter(({ score }) => score < confidenceThreshold),
    };
  }

  #followCamera(confirmed: readonly Tracklet[], sure: readonly Detection[]): void {
    const expected = confirmed.filter(({ unseenSeconds }) => unseenSeconds === 0).map(({ box }) => box);
    const detected = sure.map(({ box }) => box);
    const shift = cameraShift(expected, detected, this.#options.cameraWitnesses);
    if (shift) for (const track of this.#tracks) track.shift(shift.dx, shift.dy);
    this.#hasMoved = shift !== null;
  }

  /** Densities sink as predictions get less certain: at few frames a second, few pairs would pass a fixed gate. */
  #gateGrowth(seconds: number): number {
    const { gateGrowth, gateStepSeconds } = this.#options;
    return seconds > 0 ? gateGrowth * Math.log(seconds / gateStepSeconds) : 0;
  }

  /** The box of the whole object that a detection shows, if it shows this track. */
  #bodyOf(detection: Detection, { box: expected, own, wasWhole, hasWalked }: Tracklet): Box {
    const { box } = detection;
    const judged = this.#judged?.get(detection);
    if (judged?.feet !== 'estimated') {
      const byOwn = judged || !this.#judged ? null : own.whole(box);
      return byOwn ?? (this.#cut.has(detection) ? withLegs(box, expected) : box);
    }
    const whole = downToFeet(box, judged.whole, hasWalked);
    const isBent =
      wasWhole && Math.abs(box.bottom - expected.bottom) < Math.abs(whole.bottom - expected.bottom);
    return isBent ? box : whole;
  }

  /** Feet count as estimated where the box is not that of the detection. */
  #noteFeet(track: Tracklet, detection: Detection, body: Box): void {
    const judged = this.#judged?.get(detection);
    track.feet = body !== detection.box ? 'estimated' : judged ? 'seen' : null;
    const isWhole = judged?.feet === 'estimated' || judged?.isSure === true;
    track.own.see(judged?.feet === 'estimated' ? body : detection.box, isWhole);
    if (track.feet === 'estimated') track.wasWhole = false;
    else if (judged?.feet === 'seen' && judged.isSure) track.wasWhole = true;
  }

  /** Pairs tracks with detections. @returns those without a partner */
  #associate(
    tracks: readonly Tracklet[],
    detections: readonly Detection[],
    gate: number,
    timeMs: number,
  ): { tracks: readonly Tracklet[]; detections: readonly Detection[] } {
    if (tracks.length === 0 || detections.length === 0) return { tracks, detections };
    this.#price(tracks, detections);
    const columnOf = this.#assignment.solve(this.#cost, tracks.length, detections.length, gate);
    const taken = new Set<Detection>();
    const alone = tracks.filter((track, row) => {
      const detection = detections[columnOf[row]!];
      if (!detection) return true;
      taken.add(detection);
      this.#learnAppearance(track, detection);
      const body = this.#bodyOf(detection, track);
      track.see(detection, body, timeMs);
      this.#noteFeet(track, detection, body);
      return false;
    });
    return { tracks: alone, detections: detections.filter((detection) => !taken.has(detection)) };
  }

  #price(tracks: readonly Tracklet[], detections: readonly Detection[]): void {
    const count = tracks.length * detections.length;
    if (this.#cost.length < count) this.#cost = new Float64Array(2 * count);
    let at = 0;
    for (const track of tracks) {
      for (const detection of detections) {
        const body = this.#bodyOf(detection, track);
        let surprise = track.surprise(detection, body);
        // A track that began when nobody knew where the feet are still expects the box without them.
        if (body !== detection.box) surprise = Math.min(surprise, track.surprise(detection, detection.box));
        this.#cost[at++] = surprise + this.#appearanceCost(track, detection);
      }
    }
  }

  #appearanceCost({ appearance }: Tracklet, detection: Detection): number {
    const seen = appearance && this.#appearances.of(detection);
    if (!appearance || !seen) return 0;
    const { appearanceWeight, otherAppearance } = this.#options;
    return appearanceWeight * Math.min(1, (appearance.difference(seen) ?? 0) / otherAppearance);
  }

  #learnAppearance(track: Tracklet, detection: Detection): void {
    const seen = this.#appearances.of(detection);
    if (seen) track.learn(seen, detection.score);
  }

  #removeOld(): void {
    const { maxAgeSeconds, newcomerMissSeconds } = this.#options;
    this.#tracks = this.#tracks.filter(
      ({ confirmed, unseenSeconds }) => unseenSeconds <= (confirmed ? maxAgeSeconds : newcomerMissSeconds),
    );
  }

  #welcome(detection: Detection, timeMs: number): void {
    const { duplicateIou } = this.#options;
    const body = this.#newBodyOf(detection);
    const isTwin = this.#tracks.some(
      ({ lastSeenMs, box }) => lastSeenMs === timeMs && iou(box, body) >= duplicateIou,
    );
    if (isTwin) return;
    const track = new Tracklet(this.#options, { ...detection, box: body }, timeMs);
    track.feet = this.#judged?.get(detection)?.feet ?? null;
    const isSecondBox = this.#tracks.some(
      ({ lastSeenMs, box }) => lastSeenMs === timeMs && iou(box, body) >= SECOND_BOX_IOU,
    );
    if (!isSecondBox) track.earlier = this.#trail.before(detection.box, timeMs);
    this.#learnAppearance(track, detection);
    this.#tracks.push(track);
  }

  /** The box of an object of which nothing is known yet. */
  #newBodyOf(detection: Detection): Box {
    const judged = this.#judged?.get(detection);
    return judged?.feet === 'estimated' ? downToFeet(detection.box, judged.whole, false) : detection.box;
  }

  #seenNow(timeMs: number): Track[] {
    const seen: Track[] = [];
    for (const track of this.#tracks) {
      if (track.lastSeenMs !== timeMs) continue;
      if (!track.confirmed && track.ripe) track.id = ++this.#lastId;
      if (!track.confirmed) continue;
      const { id, box, score, classId, bornMs, bornBox, feet, appearance, earlier } = track;
      track.earlier = [];
      seen.push({
        id,
        box: { ...box },
        score,
        classId,
        bornMs,
        bornBox,
        ...(earlier.length > 0 && { earlier }),
        timeMs,
        feet: feet ?? undefined,
        appearance: appearance?.seen,
      });
    }
    return seen;
  }
}
