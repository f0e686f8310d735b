/** Directions a person is drawn from, in eighths of a turn: 0 shows the back, 2 looks right, 4 the face, 6 left. */
export const FACINGS = 8;
export const WALK_PHASES = 8;

/** A point of the body in body heights: right and up in the frame, `away` from the camera. */
export interface Joint {
  readonly right: number;
  readonly up: number;
  readonly away: number;
}

export interface Limb {
  /** Hip or shoulder, knee or elbow, ankle or wrist. */
  readonly root: Joint;
  readonly bend: Joint;
  readonly end: Joint;
}

export interface Pose {
  /** Radians: 0 looks away from the camera, π/2 to the right. */
  readonly yaw: number;
  readonly legs: readonly [left: Limb, right: Limb];
  readonly arms: readonly [left: Limb, right: Limb];
}

const HIP_UP = 0.515;
const THIGH = 0.245;
const SHIN = 0.235;
const SHOULDER_UP = 0.825;
const UPPER_ARM = 0.165;
const FOREARM = 0.15;

/** From the axes of the body (to its right, ahead) to those of the frame. */
function seenFrom(yaw: number): (side: number, ahead: number, up: number) => Joint {
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  return (side, ahead, up) => ({
    right: side * cos + ahead * sin,
    up,
    away: ahead * cos - side * sin,
  });
}

/**
 * @param phase 0…7 of a walking cycle; null: standing
 * @param body `holding`: both forearms carry something in front
 */
export function poseOf(facing: number, phase: number | null, body: { wide: number; holding: boolean }): Pose {
  const yaw = (facing * 2 * Math.PI) / FACINGS;
  const at = seenFrom(yaw);
  const cycle = phase === null ? 0 : (phase / WALK_PHASES) * 2 * Math.PI;
  const stride = phase === null ? 0 : 1;

  const leg = (side: -1 | 1): Limb => {
    const t = cycle + (side < 0 ? Math.PI : 0);
    const swing = stride * 0.42 * Math.sin(t);
    // The knee bends while the leg comes forward.
    const knee = stride * (0.12 + 0.55 * Math.max(0, Math.cos(t)));
    const hip = side * 0.05 * body.wide;
    const kneeAhead = THIGH * Math.sin(swing);
    const kneeUp = HIP_UP - THIGH * Math.cos(swing);
    const shin = swing - knee;
    const spread = side * (stride ? 0.046 : 0.058) * body.wide;
    return {
      root: at(hip, 0, HIP_UP),
      bend: at((hip + spread) / 2, kneeAhead, kneeUp),
      end: at(spread, kneeAhead + SHIN * Math.sin(shin), kneeUp - SHIN * Math.cos(shin)),
    };
  };

  const arm = (side: -1 | 1): Limb => {
    const swing = -stride * 0.42 * Math.sin(cycle + (side < 0 ? Math.PI : 0));
    const shoulder = side * 0.114 * body.wide;
    const root = at(shoulder, 0, SHOULDER_UP - 0.015);
    if (body.holding) {
      const elbowAt = at(shoulder * 1.08, 0.01, SHOULDER_UP - UPPER_ARM);
      return { root, bend: elbowAt, end: at(shoulder * 0.62, 0.14, SHOULDER_UP - UPPER_ARM + 0.035) };
    }
    const elbow = { ahead: UPPER_ARM * Math.sin(swing), up: SHOULDER_UP - UPPER_ARM * Math.cos(swing) };
    const lower = swing + (stride ? 0.3 : 0.12);
    return {
      root,
      bend: at(shoulder * 1.1, elbow.ahead, elbow.up),
      end: at(shoulder * 1.08, elbow.ahead + FOREARM * Math.sin(lower), elbow.up - FOREARM * Math.cos(lower)),
    };
  };
  return { yaw, legs: [leg(-1), leg(1)], arms: [arm(-1), arm(1)] };
}
