import type { Opinion } from './keys.ts';
import type { Pose } from './pose.ts';

/** Shoulders nearer together than this, in heights of the torso, are seen from the side. */
const SIDE_UNTIL = 0.42;
const SIDE_SOFTNESS = 0.06;
/** How likely a face is one: seen above it, turned away below. */
const FACE_SEEN = 0.56;
const FACE_SOFTNESS = 0.05;

const rising = (value: number): number => 1 / (1 + Math.exp(-value));

/**
 * Which way somebody is turned: from the front the left shoulder is to the right of the other and there is a face.
 * @param face 0-1: how likely there is a face where the head is
 */
export function orientationOpinion(pose: Pose, face: number): Opinion {
  const { leftShoulder, rightShoulder, leftHip, rightHip } = pose;
  if ([leftShoulder, rightShoulder, leftHip, rightHip].some(({ score }) => score < 0.1)) return {};
  const torso = (leftHip.y + rightHip.y - leftShoulder.y - rightShoulder.y) / 2;
  if (torso <= 0) return {};
  const turned = (leftShoulder.x - rightShoulder.x) / torso;
  const facing = rising((face - FACE_SEEN) / FACE_SOFTNESS + turned / 0.5);
  const sideways =
    rising((SIDE_UNTIL - Math.abs(turned)) / SIDE_SOFTNESS) * rising((face - 0.45) / FACE_SOFTNESS);
  return { side: sideways, front: (1 - sideways) * facing, back: (1 - sideways) * (1 - facing) };
}
