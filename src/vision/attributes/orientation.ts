import { ATTRIBUTE_CATEGORIES, type Opinion } from './keys.ts';
import type { Pose } from './pose.ts';

/** Weights of: always, how far apart the shoulders are, how far the left one is to the right of the other, the face. */
type Weights = readonly [always: number, apart: number, turned: number, face: number];

/**
 * From the side the shoulders are near together, from behind there is no face, and from the front the left shoulder is on
 * the right. How much each counts was fitted to one drawn shop (seed 301); seeds 302 and 201 were kept aside.
 */
const WEIGHTS: Readonly<Record<'front' | 'side' | 'back', Weights>> = {
  front: [-3.59, 0.75, 0.95, 5.94],
  side: [1.07, -2.78, -0.36, 0.83],
  back: [2.52, 2.03, -0.59, -6.77],
};

/** Joints below this score are nowhere. */
const SEEN = 0.1;
/** Shoulders are not further apart than this, in heights of the torso. */
const WIDEST = 1.2;

/**
 * Which way somebody is turned.
 * @param face 0-1: how likely there is a face where the head is
 */
export function orientationOpinion(pose: Pose, face: number): Opinion {
  const { leftShoulder, rightShoulder, leftHip, rightHip } = pose;
  if ([leftShoulder, rightShoulder, leftHip, rightHip].some(({ score }) => score < SEEN)) return {};
  const torso = (leftHip.y + rightHip.y - leftShoulder.y - rightShoulder.y) / 2;
  const turned = (leftShoulder.x - rightShoulder.x) / torso;
  if (torso <= 0 || Math.abs(turned) > WIDEST) return {};
  const likely = ATTRIBUTE_CATEGORIES.orientation.map((key) => {
    const [always, apart, sideways, facing] = WEIGHTS[key];
    return Math.exp(always + apart * Math.abs(turned) + sideways * turned + facing * face);
  });
  const sum = likely.reduce((total, value) => total + value, 0);
  return Object.fromEntries(ATTRIBUTE_CATEGORIES.orientation.map((key, at) => [key, likely[at]! / sum]));
}
