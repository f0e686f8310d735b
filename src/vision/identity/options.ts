/** Everything that can be turned on the identity stage. Lengths are body heights, times seconds unless a name says ms. */
export interface IdentityOptions {
  /**
   * Error of a predicted place, at once, and what each second adds: the scale of Student's t with two degrees of freedom.
   * It fits the true ways of MOT17-02, 09 and PETS09-S2L1 over gaps of 0.4 to 4.5 s, plus the error of a detected box.
   */
  readonly positionError: number;
  readonly positionErrorPerSecond: number;
  /** People who stand in a line do not drift away: the error grows no further. */
  readonly largestPositionError: number;
  /** Speeds predict for so long; whoever walks then stops or turns. */
  readonly straightSeconds: number;
  /** The scale of the logarithm of two heights of one person, Student's t as well: legs get hidden. */
  readonly heightError: number;
  /** A place by the head counts, too, for the legs may be hidden; it is this much worse. */
  readonly headPenalty: number;
  /** Somebody who moves may as well have stopped; that is this much worse. */
  readonly stopPenalty: number;
  /** Minus the logarithm of how many new people come into being in a place of one body height squared. */
  readonly rarityOfBirths: number;
  /** What each second costs in which somebody should have been seen and was not … */
  readonly openCost: number;
  /** … and in which they were hidden. */
  readonly hiddenCost: number;
  /** Mean difference of two looks of one person and of two people, 0-255; both exponential. */
  readonly sameAppearance: number;
  readonly otherAppearance: number;
  readonly largestAppearanceCost: number;
  /** A box hides somebody if it covers this share of their last box … */
  readonly coveredShare: number;
  /** … and ends nearer to the camera, or at most this part of a height above. Feet are hidden by what ends as far below. */
  readonly behind: number;
  /** Longer nobody is hidden: then they have left unseen. */
  readonly longestHiddenMs: number;
}

/** `../README.md` has a table of what each one is worth. */
export const IDENTITY_DEFAULTS: IdentityOptions = {
  positionError: 0.06,
  positionErrorPerSecond: 0.08,
  largestPositionError: 0.8,
  straightSeconds: 1.5,
  heightError: 0.15,
  headPenalty: 0.03,
  stopPenalty: 0.05,
  rarityOfBirths: 4.5,
  openCost: 0.25,
  hiddenCost: 0.02,
  sameAppearance: 8,
  otherAppearance: 35,
  largestAppearanceCost: 3,
  coveredShare: 0.3,
  behind: 0.05,
  longestHiddenMs: 60_000,
};
