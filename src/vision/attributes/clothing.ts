import { distance, isSkinLike, type Lab, mean, median, upperColourOf } from './colour.ts';
import { type CropPixels, colourAt, coloursAt, type Point } from './crop-colours.ts';
import { ATTRIBUTE_CATEGORIES, type Classification } from './keys.ts';
import type { Joint, Pose } from './pose.ts';

/** Least score of a joint. */
const SURE = 0.2;

const sure = (...joints: readonly Joint[]): boolean => joints.every(({ score }) => score >= SURE);
const between = (a: Point, b: Point, share: number): Point => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});

/** The median colour along a limb; null where it is not visible. @param shares points from 0 at `a` to 1 at `b` */
function along(crop: CropPixels, [a, b]: readonly [Joint, Joint], shares: readonly number[]): Lab | null {
  if (!sure(a, b)) return null;
  const points = shares.map((share) => between(a, b, share));
  const colours = coloursAt(crop, points);
  return colours.length < 2 ? null : median(colours);
}

/** Rows and columns of points on the torso, as shares from shoulders to hips and from side to side. */
const DOWN = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
const ACROSS = [0.2, 0.35, 0.5, 0.65, 0.8];
/** Least width of a torso seen from the side, as a share of its height. */
const NARROWEST = 0.3;

function torsoColours(crop: CropPixels, pose: Pose): Lab[] {
  const { leftShoulder, rightShoulder, leftHip, rightHip } = pose;
  if (!sure(leftShoulder, rightShoulder, leftHip, rightHip)) return [];
  const [top, bottom] = [between(leftShoulder, rightShoulder, 0.5), between(leftHip, rightHip, 0.5)];
  const height = bottom.y - top.y;
  const width = Math.max(Math.abs(leftShoulder.x - rightShoulder.x), NARROWEST * height);
  const points = DOWN.flatMap((down) => {
    const middle = top.x + (bottom.x - top.x) * down;
    return ACROSS.map((across) => ({ x: middle + (across - 0.5) * width, y: top.y + down * height }));
  });
  return coloursAt(crop, points);
}

/** Colours at this distance or more are different. */
const SAME = 16;
/** Least share of the torso that has one colour. */
const MOST = 0.4;

/** The colour that most points have, so that straps and held objects do not count. */
function mostly(colours: readonly Lab[]): { colour: Lab; share: number } | null {
  if (colours.length === 0) return null;
  const near = colours.map((one) => colours.filter((other) => distance(one, other) < SAME));
  const largest = near.reduce((best, group) => (group.length > best.length ? group : best));
  return { colour: median(largest), share: largest.length / colours.length };
}

/** Classifies clothing by the colours along a pose: the colour of the upper body, sleeves and legs. */
export function classifyClothing(crop: CropPixels, pose: Pose): Classification {
  const torso = mostly(torsoColours(crop, pose));
  if (!torso || torso.share < MOST) return {};
  return {
    ...classifyColour(torso.colour),
    ...classifySleeves(crop, pose, torso.colour),
    ...classifyLegs(crop, pose),
  };
}

function classifyColour(torso: Lab): Classification {
  const key = upperColourOf(torso);
  return Object.fromEntries(ATTRIBUTE_CATEGORIES.upperColour.map((name) => [name, name === key ? 1 : 0]));
}

const FOREARM = [0.3, 0.45, 0.6, 0.75];
/** A forearm has the colour of the torso or of skin if it is nearer to that by this factor. */
const NEARER = 0.8;

function classifySleeves(crop: CropPixels, pose: Pose, torso: Lab): Classification {
  const skin = faceColour(crop, pose);
  // A garment with the colour of skin can only be compared with the person's own skin.
  if (!skin && isSkinLike(torso)) return {};
  const arms = [
    [pose.leftElbow, pose.leftWrist],
    [pose.rightElbow, pose.rightWrist],
  ] as const;
  const bare = arms.flatMap((arm) => {
    const colour = along(crop, arm, FOREARM);
    if (!colour) return [];
    const [toTorso, toSkin] = [distance(colour, torso), fromSkin(colour, skin)];
    if (toTorso < NEARER * toSkin) return toTorso < FOREIGN ? 0 : [];
    return toSkin < NEARER * toTorso && toSkin < FOREIGN ? 1 : [];
  });
  if (bare.length === 0) return {};
  const share = mean(bare);
  return { shortSleeve: share, longSleeve: 1 - share };
}

/** A colour at a larger distance from both is something else: a bag, another person. */
const FOREIGN = 28;

const fromSkin = (colour: Lab, skin: Lab | null): number =>
  skin ? distance(colour, skin) : isSkinLike(colour) ? SAME * 0.6 : 2 * SAME;

/** The person's skin, between nose and mouth; null where no face is visible. */
function faceColour(crop: CropPixels, { nose, leftEye, rightEye }: Pose): Lab | null {
  if (!sure(nose, leftEye, rightEye)) return null;
  const eyes = between(leftEye, rightEye, 0.5);
  const cheek = (side: Joint) => ({ x: side.x, y: nose.y + 0.3 * (nose.y - eyes.y) });
  const colours = coloursAt(crop, [nose, cheek(leftEye), cheek(rightEye)]).filter(isSkinLike);
  return colours.length < 2 ? null : median(colours);
}

/** Points just below the knee; boots begin lower. */
const SHIN = [0.08, 0.14, 0.2, 0.26];
const THIGH = [0.25, 0.35, 0.45];

function classifyLegs(crop: CropPixels, pose: Pose): Classification {
  const legs = [
    [pose.leftHip, pose.leftKnee, pose.leftAnkle],
    [pose.rightHip, pose.rightKnee, pose.rightAnkle],
  ] as const;
  const bare = legs.flatMap(([hip, knee, ankle]) => {
    const shin = along(crop, [knee, ankle], SHIN);
    const thigh = along(crop, [hip, knee], THIGH);
    if (!shin || !thigh) return [];
    if (distance(shin, thigh) < SAME * 0.75) return 0;
    return isSkinLike(shin) ? 1 : [];
  });
  if (bare.length === 0) return {};
  const share = mean(bare);
  const skirt = share > 0.5 ? skirtShare(crop, pose) : 0;
  if (skirt === null) return { trousers: 1 - share };
  return { trousers: 1 - share, skirtDress: share * skirt, shorts: share * (1 - skirt) };
}

/** A point above the knee, where a skirt is one piece of cloth and shorts are two. */
const HEM = 0.7;
/** How much wider than the distance of the knees the cloth of a skirt is at least, in heights of the torso. */
const SKIRT_WIDTH = 0.42;
/** Largest width of the cloth alone. */
const WIDEST = 1.3;

/** 1 for a skirt: one wide piece of cloth above the knees; 0 for shorts: two narrow ones; null where no edge is visible. */
function skirtShare(crop: CropPixels, pose: Pose): number | null {
  const { leftHip, rightHip, leftKnee, rightKnee, leftShoulder, rightShoulder } = pose;
  if (!sure(leftHip, rightHip, leftKnee, rightKnee)) return null;
  const [hips, knees] = [between(leftHip, rightHip, 0.5), between(leftKnee, rightKnee, 0.5)];
  const torso = hips.y - (leftShoulder.y + rightShoulder.y) / 2;
  const cloth = along(crop, [leftHip, leftKnee], THIGH) ?? along(crop, [rightHip, rightKnee], THIGH);
  if (!cloth || torso <= 0) return null;
  const { x, y } = between(hips, knees, HEM);
  const reach = (direction: 1 | -1) => {
    let width = 0;
    for (; width < torso; width++) {
      const colour = colourAt(crop, x + direction * width, y);
      if (!colour || distance(colour, cloth) > SAME) break;
    }
    return width / torso;
  };
  const width = reach(1) + reach(-1);
  if (width > WIDEST) return null;
  return width - Math.abs(leftKnee.x - rightKnee.x) / torso >= SKIRT_WIDTH ? 1 : 0;
}
