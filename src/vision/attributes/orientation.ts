import { isSkinLike, mean } from './colour.ts';
import { type CropPixels, coloursAt } from './crop-colours.ts';
import { ATTRIBUTE_CATEGORIES, type Classification } from './keys.ts';
import type { Pose } from './pose.ts';

/** Joints with a lower score are not visible. */
const SEEN = 0.1;
/** Largest distance of the shoulders, in heights of the torso. */
const WIDEST = 1.2;
/** Rows and columns of points on a face, in heights of the torso from its middle. */
const DOWN = [-0.06, 0, 0.06, 0.12, 0.18];
const ACROSS = [-0.11, -0.055, 0, 0.055, 0.11];
/** CIELAB; about the difference between hair, eyes and skin of one face. */
const VARIED_LIGHTNESS = 15;

/** Weights of the signs, in the order of `signsOf`; fitted to two simulated shops (seeds 53 and 54). */
const WEIGHTS: Readonly<Record<'front' | 'side' | 'back', readonly number[]>> = {
  front: [-4.27, 1.35, 1.9, 5.35, -1.19, 1.01, 0.69, 0.54],
  side: [-0.36, -3.98, -0.81, 0.73, 2.41, 1.67, 0.97, 0.72],
  back: [4.63, 2.63, -1.1, -6.08, -1.22, -2.68, -1.66, -1.25],
};

/** Classifies the orientation of a person. @param face 0-1: how likely the head shows a face */
export function classifyOrientation(crop: CropPixels, pose: Pose, face: number): Classification {
  const signs = signsOf(crop, pose, face);
  if (!signs) return {};
  const likely = ATTRIBUTE_CATEGORIES.orientation.map((key) => {
    const value = Math.exp(signs.reduce((sum, sign, at) => sum + WEIGHTS[key][at]! * sign, 0));
    return { key, value };
  });
  const sum = likely.reduce((total, { value }) => total + value, 0);
  return Object.fromEntries(likely.map(({ key, value }) => [key, value / sum]));
}

/** The signs of an orientation, each about 0-1 or from -1 to 1; lengths are heights of the torso. Null: too little is visible. */
function signsOf(crop: CropPixels, pose: Pose, face: number): number[] | null {
  const { nose, leftEye, rightEye, leftEar, rightEar, leftShoulder, rightShoulder, leftHip, rightHip } = pose;
  if ([leftShoulder, rightShoulder, leftHip, rightHip].some(({ score }) => score < SEEN)) return null;
  const torso = (leftHip.y + rightHip.y - leftShoulder.y - rightShoulder.y) / 2;
  const turned = (leftShoulder.x - rightShoulder.x) / torso;
  if (torso <= 0 || Math.abs(turned) > WIDEST) return null;
  // The parts of a head are about a third as far apart as shoulders are.
  const length = (pixels: number) => Math.max(-WIDEST, Math.min(WIDEST, (3 * pixels) / torso));
  const head = [nose, leftEye, rightEye, leftEar, rightEar];
  const x = mean(head.map((joint) => joint.x));
  const y = mean(head.map((joint) => joint.y));
  const points = DOWN.flatMap((down) =>
    ACROSS.map((across) => ({ x: x + across * torso, y: y + down * torso })),
  );
  const colours = coloursAt(crop, points);
  if (colours.length < points.length / 2) return null;
  const lightness = colours.map(([value]) => value);
  const middle = mean(lightness);
  return [
    1,
    // Distance of the shoulders: small from the side.
    Math.abs(turned),
    // How far left shoulder and ear are to the right of the others: from the front.
    (turned + length(leftEar.x - rightEar.x)) / 2,
    face,
    // The nose is beside the middle of the ears, or below it.
    Math.abs(length(nose.x - (leftEar.x + rightEar.x) / 2)),
    length(nose.y - (leftEar.y + rightEar.y) / 2),
    // Share of the face with the colour of skin, and how varied its lightness is.
    colours.filter(isSkinLike).length / colours.length,
    Math.sqrt(mean(lightness.map((value) => (value - middle) ** 2))) / VARIED_LIGHTNESS,
  ];
}
