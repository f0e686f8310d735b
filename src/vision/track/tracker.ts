import { iou } from '../geometry.ts';
import type { Box, Detection, Track } from '../types.ts';
import { Assignment } from './assignment.ts';
import { cameraPush, type Surprise } from './camera-motion.ts';
import { exchangeIdentities } from './exchange.ts';
import { cutDetections, withLegs } from './hidden-legs.ts';
import { SeenLooks } from './look.ts';
import { TRACKER_DEFAULTS, type TrackerOptions } from './options.ts';
import { overlap, shapeDifference } from './similarity.ts';
import { Tracklet } from './tracklet.ts';

/** One round of pairing. */
interface Round {
  /** Which box of the track is compared. */
  readonly place: 'predicted' | 'lastSeen';
  /** Whose boxes are enlarged by the uncertainty of their place. */
  readonly slackFor: 'all' | 'unseen' | 'none';
  /** How much scores count. */
  readonly scorePower: number;
  readonly gate: number;
  /** What the colours of clothes do: add to the cost, decide who may be the same, or nothing. */
  readonly look: 'weighs' | 'decides' | 'ignored';
}

/** Pairs without overlap: above every gate. */
const APART = 10;

/**
 * Follows objects from frame to frame: two rounds of association, sure detections before unsure ones (ByteTrack,
 * arXiv 2110.06864), a Kalman filter in seconds, and recovery by what was last seen (OC-SORT, arXiv 2203.14360).
 * Where detections come with the colours of clothes, these tell apart people who stand before one another; legs that
 * somebody hides are added. It looks at nothing but boxes, scores, colours and times, never at later frames. One
 * instance per scene.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #rounds: Readonly<Record<'sure' | 'unsure' | 'again' | 'recovery' | 'newcomer', Round>>;
  readonly #assignment = new Assignment();
  #cost = new Float64Array(1024);
  #tracks: Tracklet[] = [];
  #lastId = 0;
  #lastMs: number | null = null;
  #looks = new SeenLooks([]);
  #cut: ReadonlySet<Detection> = new Set();

  constructor(options: Partial<TrackerOptions> = {}) {
    const all = { ...TRACKER_DEFAULTS, ...options };
    const { sureScorePower, unsureScorePower } = all;
    const predicted = { place: 'predicted', look: 'weighs' } as const;
    const lastSeen = { place: 'lastSeen', slackFor: 'none', scorePower: 0 } as const;
    this.#options = all;
    this.#rounds = {
      sure: { ...predicted, slackFor: 'unseen', scorePower: sureScorePower, gate: all.sureGate },
      unsure: { ...predicted, slackFor: 'all', scorePower: unsureScorePower, gate: all.unsureGate },
      again: { ...lastSeen, gate: all.againGate, look: 'decides' },
      recovery: { ...lastSeen, gate: all.recoveryGate, look: 'ignored' },
      newcomer: { ...predicted, slackFor: 'unseen', scorePower: sureScorePower, gate: all.newcomerGate },
    };
  }

  /** Forgets everybody; ids begin at 1 again. */
  reset(): void {
    this.#tracks = [];
    this.#lastId = 0;
    this.#lastMs = null;
  }

  /**
   * @param detections of one frame, in any order, one kind of object (their classes are not told apart)
   * @param timeMs of the frame, not before the last one's
   * @returns confirmed tracks seen in this frame, with the filter's boxes; a track's earlier frames are not handed
   *   out later, `bornMs` tells of them
   */
  update(detections: readonly Detection[], timeMs: number): Track[] {
    const { longestStepSeconds } = this.#options;
    const elapsed = this.#lastMs === null ? 0 : Math.max(0, timeMs - this.#lastMs) / 1000;
    const seconds = Math.min(elapsed, longestStepSeconds);
    this.#lastMs = timeMs;
    if (seconds > 0) for (const track of this.#tracks) track.predict(seconds);

    const { sure, unsure } = this.#sorted(detections);
    const known = [...sure, ...unsure];
    this.#looks = new SeenLooks(known);
    if (this.#options.visibleBoxes) this.#cut = cutDetections(known);
    const recent = this.#tracks.filter((track) => track.confirmed && track.recent);
    const older = this.#tracks.filter((track) => track.confirmed && !track.recent);
    const newcomers = this.#tracks.filter((track) => !track.confirmed);
    this.#followCamera(recent, sure);

    const see = (track: Tracklet, detection: Detection) => {
      this.#learnLook(track, detection, timeMs);
      track.see(detection, this.#bodyOf(detection, track.box), timeMs);
    };
    const left = this.#associate(recent, sure, this.#rounds.sure, see);
    const inSight = left.tracks.filter((track) => track.unseenSeconds === 0);
    const outOfSight = left.tracks.filter((track) => track.unseenSeconds > 0);
    const second = this.#associate(inSight, unsure, this.#rounds.unsure, see);
    const missing = this.#lookFor([...outOfSight, ...older], second.detections, see);
    const recovered = this.#associate(
      [...second.tracks, ...missing],
      left.detections,
      this.#rounds.recovery,
      see,
    );
    const fresh = this.#associate(newcomers, recovered.detections, this.#rounds.newcomer, see);

    for (const track of recovered.tracks) track.miss(seconds);
    for (const track of fresh.tracks) track.miss(seconds);
    this.#tracks = this.#tracks.filter((track) => !this.#gone(track));
    this.#welcome(fresh.detections, timeMs);
    exchangeIdentities(this.#tracks, { timeMs, options: this.#options });
    return this.#seenNow(timeMs);
  }

  /** By score, so that the order in which a detector lists them decides nothing. */
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

  #followCamera(recent: readonly Tracklet[], sure: readonly Detection[]): void {
    const { cameraWitnesses } = this.#options;
    const inSight = recent.filter((track) => track.unseenSeconds === 0);
    if (Math.min(inSight.length, sure.length) < cameraWitnesses) return;
    const surprises: Surprise[] = [];
    this.#associate(inSight, sure, this.#rounds.sure, ({ box: expected }, detection) => {
      const box = this.#bodyOf(detection, expected);
      surprises.push({
        dx: (box.left + box.right - expected.left - expected.right) / 2,
        dy: (box.top + box.bottom - expected.top - expected.bottom) / 2,
      });
    });
    const { dx, dy } = cameraPush(surprises, cameraWitnesses);
    if (dx !== 0 || dy !== 0) for (const track of this.#tracks) track.shift(dx, dy);
  }

  /**
   * Somebody half hidden is seen, but not surely. Boxes alone could be anybody's, so those out of sight are found
   * again in unsure detections by their look only.
   * @returns who is still out of sight
   */
  #lookFor(
    missing: readonly Tracklet[],
    unsure: readonly Detection[],
    see: (track: Tracklet, detection: Detection) => void,
  ): readonly Tracklet[] {
    const known = missing.filter(({ look }) => look);
    if (known.length === 0) return missing;
    const likely = unsure.filter(({ score }) => score >= this.#options.againThreshold);
    const still = new Set(this.#associate(known, likely, this.#rounds.again, see).tracks);
    return missing.filter((track) => !track.look || still.has(track));
  }

  #learnLook(track: Tracklet, detection: Detection, timeMs: number): void {
    const seen = this.#looks.of(detection);
    if (seen) track.learn(seen, detection, timeMs);
  }

  #bodyOf(detection: Detection, expected: Box): Box {
    return this.#cut.has(detection) ? withLegs(detection.box, expected) : detection.box;
  }

  /** @returns who found no partner */
  #associate(
    tracks: readonly Tracklet[],
    detections: readonly Detection[],
    round: Round,
    pair: (track: Tracklet, detection: Detection) => void,
  ): { tracks: readonly Tracklet[]; detections: readonly Detection[] } {
    if (tracks.length === 0 || detections.length === 0) return { tracks, detections };
    this.#price(tracks, detections, round);
    const columnOf = this.#assignment.solve(this.#cost, tracks.length, detections.length, round.gate);
    const taken = new Set<Detection>();
    const alone = tracks.filter((track, row) => {
      const detection = detections[columnOf[row]!];
      if (!detection) return true;
      taken.add(detection);
      pair(track, detection);
      return false;
    });
    return { tracks: alone, detections: detections.filter((detection) => !taken.has(detection)) };
  }

  #price(tracks: readonly Tracklet[], detections: readonly Detection[], round: Round): void {
    const { shapeWeight, unseenWeight } = this.#options;
    const count = tracks.length * detections.length;
    if (this.#cost.length < count) this.#cost = new Float64Array(2 * count);
    const trust = detections.map(({ score }) => score ** round.scorePower);
    let at = 0;
    for (const track of tracks) {
      const predicted = round.place === 'predicted';
      const place: Box = predicted ? track.box : track.lastSeen;
      const slack = round.slackFor === 'all' || (round.slackFor === 'unseen' && track.unseenSeconds > 0);
      const slackX = slack ? track.slackX : 0;
      const slackY = slack ? track.slackY : 0;
      const late = predicted ? unseenWeight * Math.min(1, track.unseenSeconds) : 0;
      for (let column = 0; column < detections.length; column++) {
        const detection = detections[column]!;
        const box = this.#bodyOf(detection, place);
        const shared = overlap(place, box, slackX, slackY);
        this.#cost[at++] =
          shared === 0
            ? APART
            : 1 -
              shared * trust[column]! +
              shapeWeight * shapeDifference(place, box) +
              this.#lookCost(track, detection, round) +
              late;
      }
    }
  }

  #lookCost({ look }: Tracklet, detection: Detection, round: Round): number {
    if (round.look === 'ignored') return 0;
    const seen = look && this.#looks.of(detection);
    if (!look || !seen) return round.look === 'decides' ? APART : 0;
    const { lookWeight, otherLook, sameLook, hiddenLookCost } = this.#options;
    const difference = look.difference(seen);
    if (round.look === 'weighs') return lookWeight * Math.min(1, (difference ?? 0) / otherLook);
    if (difference === null) return hiddenLookCost;
    return difference <= sameLook ? 0 : APART;
  }

  #gone({ confirmed, unseenSeconds }: Tracklet): boolean {
    const { maxAgeSeconds, newcomerMissSeconds } = this.#options;
    return unseenSeconds > (confirmed ? maxAgeSeconds : newcomerMissSeconds);
  }

  #welcome(detections: readonly Detection[], timeMs: number): void {
    const { duplicateIou } = this.#options;
    for (const detection of detections) {
      const isTwin = this.#tracks.some(
        ({ lastSeenMs, lastSeen }) => lastSeenMs === timeMs && iou(lastSeen, detection.box) >= duplicateIou,
      );
      if (isTwin) continue;
      const track = new Tracklet(this.#options, detection, timeMs);
      this.#learnLook(track, detection, timeMs);
      this.#tracks.push(track);
    }
  }

  #seenNow(timeMs: number): Track[] {
    const seen: Track[] = [];
    for (const track of this.#tracks) {
      if (track.lastSeenMs !== timeMs) continue;
      if (!track.confirmed && track.ripe) track.id = ++this.#lastId;
      if (!track.confirmed) continue;
      const { id, box, score, classId, bornMs, looks } = track;
      seen.push({ id, box: { ...box }, score, classId, bornMs, timeMs, ...looks });
    }
    return seen;
  }
}
