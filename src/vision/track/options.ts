import type { MotionModel } from './kalman.ts';

/**
 * Everything that can be turned on the tracker. Sizes are relative to the object's own box, so nothing depends on
 * the picture; times are seconds, so nothing depends on the frame rate. The cost of a pair is a negative log
 * likelihood: the density of the detected box under the filter's prediction, in box sizes, and terms for score and look.
 */
export interface TrackerOptions extends MotionModel {
  /** A detection from this score on takes part in the first association and may begin a track; 0-1. */
  readonly confidenceThreshold: number;
  /** A detection from this score on may carry on a track seen in the frame before; 0-1. */
  readonly lowThreshold: number;
  /** An object not seen for this long is forgotten. A frame gap beyond it moves nobody further. */
  readonly maxAgeSeconds: number;
  /** A new object is shown once it has been seen in this many frames … */
  readonly confirmFrames: number;
  /** … missing no longer than this in between. */
  readonly newcomerMissSeconds: number;

  /** Highest cost of a pair of a track and a sure detection, at `gateStepSeconds` between two frames … */
  readonly sureGate: number;
  /** … and of a track and an unsure detection. */
  readonly unsureGate: number;
  readonly gateStepSeconds: number;
  /** Both gates grow by this for each e-fold of the time between two frames. */
  readonly gateGrowth: number;
  /** Highest cost of a look (colours of clothes) that differs, where both are known and can be seen … */
  readonly appearanceWeight: number;
  /** … proportionally less below this difference, 0-255. */
  readonly otherAppearance: number;
  /** An unsure detection's box is this much more in error (factor on the variance). */
  readonly unsureNoise: number;
  /** A detection overlapping an object just seen by this IoU or more begins no other: one vehicle, two classes. */
  readonly duplicateIou: number;
  /**
   * Boxes show what is seen of an object (COCO), not where all of it must be (MOTChallenge, CrowdHuman): then legs that
   * somebody hides are added.
   */
  readonly visibleBoxes: boolean;
  /** This many objects at least must agree that the camera moved. */
  readonly cameraWitnesses: number;
}

/**
 * Searched on MOT17-02 and 13 at full rate, at 5 and at 3 frames a second, each at three phases and also backwards.
 * `../README.md` has a table of what each one is worth.
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
