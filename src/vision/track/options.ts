import type { MotionModel } from './kalman.ts';

/**
 * The options of the tracker. Sizes are relative to the object's own box, so nothing depends on the size of the frame.
 * Times are seconds, so that options keep their meaning at another frame rate; only `confirmFrames` counts frames. The cost of a pair of a track and a detection is a negative
 * log likelihood: the density of the detected box under the filter's prediction, in box sizes, and terms for score and
 * appearance.
 */
export interface TrackerOptions extends MotionModel {
  /** Least score of a sure detection: it takes part in the first association and may begin a track; 0-1. */
  readonly confidenceThreshold: number;
  /** Least score of an unsure detection: it may continue a track that the frame before showed; 0-1. */
  readonly lowThreshold: number;
  /** A track without a detection for this long ends. Longer times between two frames are predicted as this one. */
  readonly maxAgeSeconds: number;
  /** A new track is confirmed after detections in this many frames … */
  readonly confirmFrames: number;
  /** … with at most this time without one in between. */
  readonly newcomerMissSeconds: number;

  /** Highest cost of a pair of a track and a sure detection, at `gateStepSeconds` between two frames … */
  readonly sureGate: number;
  /** … and of a track and an unsure detection. */
  readonly unsureGate: number;
  readonly gateStepSeconds: number;
  /** Both gates grow by this for each e-fold of the time between two frames. */
  readonly gateGrowth: number;
  /** Highest cost of a different appearance, where valid colours of both are known … */
  readonly appearanceWeight: number;
  /** … and proportionally less below this difference, 0-255. */
  readonly otherAppearance: number;
  /** Factor on the variance of the measurement for the box of an unsure detection. */
  readonly unsureNoise: number;
  /** A detection with this IoU or more with a track of the same frame begins no other: one vehicle may have two classes. */
  readonly duplicateIou: number;
  /**
   * Boxes end where the visible part of an object ends (COCO), not where the whole object does (MOTChallenge, CrowdHuman).
   * Then the tracker adds hidden legs.
   */
  readonly visibleBoxes: boolean;
  /** Least number of objects that tell whether the camera moved. */
  readonly cameraWitnesses: number;
}

/**
 * Searched on MOT17-02 and 13 at full rate, at 5 and at 3 frames a second, each at three phases and also backwards.
 * `../README.md` has a table of what each option is worth.
 */
export const TRACKER_DEFAULTS: TrackerOptions = {
  confidenceThreshold: 0.6,
  lowThreshold: 0.1,
  maxAgeSeconds: 2,
  confirmFrames: 2,
  newcomerMissSeconds: 0.7,

  sureGate: 0,
  unsureGate: -5,
  gateStepSeconds: 0.2,
  gateGrowth: 0.5,
  appearanceWeight: 1.65,
  otherAppearance: 50,
  unsureNoise: 2.5,
  duplicateIou: 0.7,
  visibleBoxes: true,
  cameraWitnesses: 4,

  measurementNoise: 0.05,
  positionNoise: 0.2,
  velocityNoise: 0.5,
  growthMemorySeconds: 0.3,
  birthSpeed: 0.85,
  tailWeight: 4,
};
