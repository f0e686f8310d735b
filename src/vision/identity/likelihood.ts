import { lookDifference } from '../look-difference.ts';
import type { SeenLook } from '../types.ts';
import type { Motion } from './motion.ts';

/** What is known at one end of a gap. */
export interface End {
  readonly motion: Motion;
  readonly look: SeenLook | null;
}

/** The time between two ends, in seconds. */
export interface Gap {
  /** In which the person should have been seen. */
  readonly open: number;
  /** In which somebody nearer to the camera stood before the place, or no frames came. */
  readonly hidden: number;
}

/**
 * Errors of a predicted place in body heights: at once, and what each second adds. The scale of Student's t with two
 * degrees of freedom, which fits the true ways of MOT17-02, 09 and PETS09-S2L1 over gaps of 0.4 to 4.5 s, plus the error
 * of a detected box.
 */
const PLACE_ERROR = 0.06;
const PLACE_ERROR_PER_SECOND = 0.08;
/** People who stand in a line do not drift away: the error grows no further. */
const LARGEST_PLACE_ERROR = 0.8;
/** Speeds predict for so long; whoever walks then stops or turns. */
const STRAIGHT_SECONDS = 1.5;
/** The scale of the logarithm of two heights of one person, Student's t as well: legs get hidden. */
const HEIGHT_ERROR = 0.15;
/** A place by the head counts, too, for the legs may be hidden; it is this much worse, in body heights. */
const HEAD_PENALTY = 0.03;
/** Somebody who moves may as well have stopped, at this cost in body heights. */
const STOP_PENALTY = 0.05;
/** Minus the logarithm of how many new people come into being in a place of one body height squared. */
const RARITY_OF_BIRTHS = 4.5;
/** What each second costs in which somebody should have been seen and was not … */
const OPEN_COST = 0.25;
/** … and in which they were hidden. */
const HIDDEN_COST = 0.02;
/** Mean difference of two looks of one person and of two people, 0-255: both exponential. */
const SAME_LOOK = 8;
const OTHER_LOOK = 35;
const LARGEST_LOOK_COST = 3;

/**
 * Logarithm of how much more likely it is that two ends of what was seen belong to one person than to two: above 0 they
 * are rather the same. Linking by motion in both directions: AFLink of StrongSORT (arXiv 2202.13514), GTA-Link (2411.08216).
 */
export function logLikelihood(before: End, after: End, { open, hidden }: Gap): number {
  const seconds = open + hidden;
  const error = Math.min(LARGEST_PLACE_ERROR, PLACE_ERROR + PLACE_ERROR_PER_SECOND * seconds);
  const distance = distanceBetween(before.motion, after.motion, seconds);
  const place = -2 * Math.log(1 + distance ** 2 / (2 * error ** 2)) - Math.log(2 * Math.PI * error ** 2);
  const growth = Math.log(before.motion.height / after.motion.height) / HEIGHT_ERROR;
  const size = -1.5 * Math.log(1 + growth ** 2 / 2);
  const time = -OPEN_COST * open - HIDDEN_COST * hidden;
  return place + size + time + RARITY_OF_BIRTHS + lookRatio(before.look, after.look);
}

function lookRatio(a: SeenLook | null, b: SeenLook | null): number {
  const difference = a && b ? lookDifference(a, b) : null;
  if (difference === null) return 0;
  const ratio = Math.log(OTHER_LOOK / SAME_LOOK) - difference * (1 / SAME_LOOK - 1 / OTHER_LOOK);
  return Math.max(-LARGEST_LOOK_COST, ratio);
}

/** How far one end lies from where the other one predicts it, in body heights. */
function distanceBetween(before: Motion, after: Motion, seconds: number): number {
  const height = (before.height + after.height) / 2;
  const ahead = Math.min(seconds, STRAIGHT_SECONDS);
  const dx = after.at.x - before.at.x;
  const apart = (dy: number): number => {
    const stopped = Math.hypot(dx, dy);
    const walked = [before.speed, after.speed].flatMap((speed) =>
      speed ? [(dx - speed.x * ahead) ** 2 + (dy - speed.y * ahead) ** 2] : [],
    );
    if (walked.length === 0) return stopped;
    const mean = walked.reduce((sum, square) => sum + square, 0) / walked.length;
    return Math.min(stopped + STOP_PENALTY * height, Math.sqrt(mean));
  };
  const byFoot = apart(after.at.foot - before.at.foot);
  const byHead = apart(after.at.head - before.at.head) + HEAD_PENALTY * height;
  return Math.min(byFoot, byHead) / height;
}
