import { isSkinLike } from './colour.ts';
import { type CropPixels, coloursAt } from './crop-colours.ts';
import { ATTRIBUTE_CATEGORIES, type Classification } from './keys.ts';
import type { Pose } from './pose.ts';

/** Joints below this score are nowhere. */
const SEEN = 0.1;
/** Shoulders are not further apart than this, in heights of the torso. */
const WIDEST = 1.2;
/** Rows and columns of places on a face, in heights of the torso from its middle. */
const DOWN = [-0.06, 0, 0.06, 0.12, 0.18];
const ACROSS = [-0.11, -0.055, 0, 0.055, 0.11];
/** CIELAB; hair, eyes and skin of one face differ by about as much. */
const VARIED_LIGHTNESS = 15;

/** What tells which way somebody is turned, each about 0-1 or from -1 to 1. Lengths are in heights of the torso. */
interface Signs {
  /** 1 */
  readonly always: number;
  /** How far apart the shoulders are: little from the side. */
  readonly apart: number;
  /** How far left shoulder and ear are to the right of the others: from the front. */
  readonly order: number;
  /** How likely there is a face where the head is. */
  readonly face: number;
  /** The nose is beside the middle of the ears, or below it. */
  readonly noseAside: number;
  readonly noseBelow: number;
  /** Share of the face that has the colour of skin. */
  readonly skin: number;
  /** How varied its lightness is. */
  readonly varied: number;
}

/** How much each sign counts; fitted to two drawn shops (seeds 53 and 54). */
const WEIGHTS: Readonly<Record<'front' | 'side' | 'back', Signs>> = {
  front: {
    always: -4.27,
    apart: 1.35,
    order: 1.9,
    face: 5.35,
    noseAside: -1.19,
    noseBelow: 1.01,
    skin: 0.69,
    varied: 0.54,
  },
  side: {
    always: -0.36,
    apart: -3.98,
    order: -0.81,
    face: 0.73,
    noseAside: 2.41,
    noseBelow: 1.67,
    skin: 0.97,
    varied: 0.72,
  },
  back: {
    always: 4.63,
    apart: 2.63,
    order: -1.1,
    face: -6.08,
    noseAside: -1.22,
    noseBelow: -2.68,
    skin: -1.66,
    varied: -1.25,
  },
};

/**
 * Which way somebody is turned.
 * @param face 0-1: how likely there is a face where the head is
 */
export function classifyOrientation(crop: CropPixels, pose: Pose, face: number): Classification {
  const signs = signsOf(crop, pose, face);
  if (!signs) return {};
  const likely = ATTRIBUTE_CATEGORIES.orientation.map((key) =>
    Math.exp(SIGNS.reduce((sum, sign) => sum + WEIGHTS[key][sign] * signs[sign], 0)),
  );
  const sum = likely.reduce((total, value) => total + value, 0);
  return Object.fromEntries(ATTRIBUTE_CATEGORIES.orientation.map((key, at) => [key, likely[at]! / sum]));
}

const SIGNS = Object.keys(WEIGHTS.front) as (keyof Signs)[];

function signsOf(crop: CropPixels, pose: Pose, face: number): Signs | null {
  const { nose, leftEye, rightEye, leftEar, rightEar, leftShoulder, rightShoulder, leftHip, rightHip } = pose;
  if ([leftShoulder, rightShoulder, leftHip, rightHip].some(({ score }) => score < SEEN)) return null;
  const torso = (leftHip.y + rightHip.y - leftShoulder.y - rightShoulder.y) / 2;
  const turned = (leftShoulder.x - rightShoulder.x) / torso;
  if (torso <= 0 || Math.abs(turned) > WIDEST) return null;
  // what is in a head is about three times as near together as shoulders are
  const length = (pixels: number) => Math.max(-WIDEST, Math.min(WIDEST, (3 * pixels) / torso));
  const head = [nose, leftEye, rightEye, leftEar, rightEar];
  const x = mean(head.map((joint) => joint.x));
  const y = mean(head.map((joint) => joint.y));
  const places = DOWN.flatMap((down) =>
    ACROSS.map((across) => ({ x: x + across * torso, y: y + down * torso })),
  );
  const colours = coloursAt(crop, places);
  if (colours.length < places.length / 2) return null;
  const lightness = colours.map(([value]) => value);
  const middle = mean(lightness);
  return {
    always: 1,
    apart: Math.abs(turned),
    order: (turned + length(leftEar.x - rightEar.x)) / 2,
    face,
    noseAside: Math.abs(length(nose.x - (leftEar.x + rightEar.x) / 2)),
    noseBelow: length(nose.y - (leftEar.y + rightEar.y) / 2),
    skin: colours.filter(isSkinLike).length / colours.length,
    varied: Math.sqrt(mean(lightness.map((value) => (value - middle) ** 2))) / VARIED_LIGHTNESS,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
