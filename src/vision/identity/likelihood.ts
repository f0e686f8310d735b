import { appearanceDifference } from '../appearance-difference.ts';
import type { SeenAppearance } from '../types.ts';
import type { Motion } from './motion.ts';
import type { IdentityOptions } from './options.ts';

/** What is known of a person at one end of a gap. */
export interface End {
  readonly motion: Motion;
  readonly appearance: SeenAppearance | null;
  /** The left or right edge of the picture cuts the box off: people come and go there. */
  readonly isAtEdge: boolean;
}

/** The time between two ends, in seconds. */
export interface Gap {
  /** In which the person should have been detected. */
  readonly open: number;
  /** In which a nearer person covered them, or no frames came. */
  readonly hidden: number;
}

/**
 * Logarithm of the likelihood that two ends belong to one person over that of two people: above 0, one person is more
 * likely. Motion is compared in both directions: AFLink of StrongSORT (arXiv 2202.13514), GTA-Link (2411.08216).
 */
export function logLikelihood(before: End, after: End, gap: Gap, options: IdentityOptions): number {
  const { positionError, positionErrorPerSecond, largestPositionError, heightError } = options;
  const seconds = gap.open + gap.hidden;
  const error = Math.min(largestPositionError, positionError + positionErrorPerSecond * seconds);
  const distance = distanceBetween(before.motion, after.motion, seconds, options);
  const position = -2 * Math.log(1 + distance ** 2 / (2 * error ** 2)) - Math.log(2 * Math.PI * error ** 2);
  const growth = Math.log(before.motion.height / after.motion.height) / heightError;
  const size = -1.5 * Math.log(1 + growth ** 2 / 2);
  const time = -options.openCost * gap.open - options.hiddenCost * gap.hidden;
  const appearance = appearanceRatio(before.appearance, after.appearance, options);
  const births = options.rarityOfBirths - (after.isAtEdge ? options.edgeBirths : 0);
  return position + size + time + births + appearance;
}

function appearanceRatio(
  a: SeenAppearance | null,
  b: SeenAppearance | null,
  { sameAppearance, otherAppearance, largestAppearanceCost }: IdentityOptions,
): number {
  const difference = a && b ? appearanceDifference(a, b) : null;
  if (difference === null) return 0;
  const ratio =
    Math.log(otherAppearance / sameAppearance) - difference * (1 / sameAppearance - 1 / otherAppearance);
  return Math.max(-largestAppearanceCost, ratio);
}

/** Distance of one end from where the other one predicts it, in body heights. */
function distanceBetween(before: Motion, after: Motion, seconds: number, options: IdentityOptions): number {
  const { straightSeconds, stopPenalty, headPenalty } = options;
  const height = (before.height + after.height) / 2;
  const ahead = Math.min(seconds, straightSeconds);
  const dx = after.at.x - before.at.x;
  const apart = (dy: number): number => {
    const stopped = Math.hypot(dx, dy);
    const walked = [before.speed, after.speed].flatMap((speed) =>
      speed ? [(dx - speed.x * ahead) ** 2 + (dy - speed.y * ahead) ** 2] : [],
    );
    if (walked.length === 0) return stopped;
    const mean = walked.reduce((sum, square) => sum + square, 0) / walked.length;
    return Math.min(stopped + stopPenalty * height, Math.sqrt(mean));
  };
  const byFoot = apart(after.at.foot - before.at.foot);
  const byHead = apart(after.at.head - before.at.head) + headPenalty * height;
  return Math.min(byFoot, byHead) / height;
}
