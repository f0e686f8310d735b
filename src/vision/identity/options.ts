/** The options of the identity stage. Lengths are body heights, times are seconds unless a name says ms. */
export interface IdentityOptions {
  /**
   * Error of a predicted position at once, and what each second adds: the scale of Student's t with two degrees of freedom.
   * Fitted to the true paths of MOT17-02, 09 and PETS09-S2L1 over gaps of 0.4 to 4.5 s, plus the error of a detected box.
   */
  readonly positionError: number;
  readonly positionErrorPerSecond: number;
  /** The error grows no further: people who stand in a line stay there. */
  readonly largestPositionError: number;
  /** A speed predicts for so long; after that the person has stopped or turned. */
  readonly straightSeconds: number;
  /** Scale of the logarithm of the ratio of two heights of one person, Student's t as well: legs may be hidden. */
  readonly heightError: number;
  /** The head also gives a position, as the legs may be hidden; this is its extra distance. */
  readonly headPenalty: number;
  /** A walker may have stopped; this is the extra distance of that prediction. */
  readonly stopPenalty: number;
  /** Minus the logarithm of how many new people appear in an area of one body height squared. */
  readonly rarityOfBirths: number;
  /** How much less rare they are where the left or right edge of the picture cuts off the first box. */
  readonly edgeBirths: number;
  /**
   * Cost at once after the last sighting, and how fast it fades: the tracker finds most people again that it has missed for a
   * moment, and a new track beside them is a second box or somebody else.
   */
  readonly heldCost: number;
  readonly heldSeconds: number;
  /** Cost of each second in which the person should have been detected and was not … */
  readonly openCost: number;
  /** … and of each second in which they were hidden. */
  readonly hiddenCost: number;
  /** Mean difference of two appearances of one person and of two people, 0-255; both are exponential. */
  readonly sameAppearance: number;
  readonly otherAppearance: number;
  readonly largestAppearanceCost: number;
  /** A box hides a person if it covers this share of their last box … */
  readonly coveredShare: number;
  /** … and ends nearer to the camera, or at most this part of a height farther. The same margin applies to hidden feet. */
  readonly behind: number;
  /** A person hidden for longer has left behind the others. */
  readonly longestHiddenMs: number;
}

/** `../README.md` has a table of what each option is worth. */
export const IDENTITY_DEFAULTS: IdentityOptions = {
  positionError: 0.06,
  positionErrorPerSecond: 0.08,
  largestPositionError: 0.8,
  straightSeconds: 1.5,
  heightError: 0.15,
  headPenalty: 0.03,
  stopPenalty: 0.05,
  rarityOfBirths: 4.5,
  edgeBirths: 6,
  heldCost: 8,
  heldSeconds: 0.2,
  openCost: 0.25,
  hiddenCost: 0.02,
  sameAppearance: 8,
  otherAppearance: 35,
  largestAppearanceCost: 3,
  coveredShare: 0.3,
  behind: 0.05,
  longestHiddenMs: 60_000,
};
