import type { Costume } from './costume.ts';
import { drawHead } from './draw-head.ts';
import { bar, between, ellipsePath, px, py, shaded, trunk } from './draw-parts.ts';
import { type Joint, type Limb, type Pose, poseOf } from './pose.ts';

/** Size of the drawing in SVG units (a body height is 100), with room for hats, bags and strides. */
export const CELL = { left: -40, top: -6, width: 80, height: 108 } as const;

interface Part {
  readonly away: number;
  readonly svg: string;
}

/** SVG of one person; the lower sole is at y = 100, or above with a lifted heel. */
export function drawPerson(costume: Costume, facing: number, phase: number | null): string {
  const { attributes } = costume;
  const wide = costume.build * (attributes.gender === 'male' ? 1.08 : 0.98);
  const pose = poseOf(facing, phase, { wide, holding: attributes.holdObjectsInFront });
  const head = drawHead(costume, pose.yaw);
  const parts: Part[] = [
    // Legs are always drawn before the trunk.
    ...pose.legs.map((leg) => ({ away: 1 + leg.bend.away, svg: drawLeg(costume, leg, pose, wide) })),
    ...pose.arms.map((arm) => ({
      away: arm.root.away * 1.6 + arm.end.away * 0.5,
      svg: drawArm(costume, arm, wide),
    })),
    { away: 0, svg: head.under + drawTrunk(costume, pose, wide) + head.over },
    ...drawBags(costume, pose, wide),
  ];
  parts.sort((a, b) => b.away - a.away);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${CELL.left} ${CELL.top} ${CELL.width} ${CELL.height}">` +
    '<defs><linearGradient id="s" x2=".9" y2=".5"><stop offset="0" stop-color="#000" stop-opacity=".3"/>' +
    '<stop offset=".2" stop-color="#fff" stop-opacity=".05"/><stop offset=".4" stop-color="#fff" stop-opacity=".12"/>' +
    '<stop offset="1" stop-color="#000" stop-opacity=".5"/>' +
    `</linearGradient></defs>${parts.map((part) => part.svg).join('')}</svg>`
  );
}

function drawLeg(costume: Costume, leg: Limb, pose: Pose, wide: number): string {
  const { lower, boots } = costume.attributes;
  const bare = lower === 'shorts' || lower === 'skirtDress';
  const loose = bare ? 0.85 : 1;
  const shin = bar(leg.bend, leg.end, [3.9 * wide * loose, 2.9 * wide * loose]);
  const thigh = bar(leg.root, leg.bend, [5.6 * wide, 4.1 * wide]);
  const forward = Math.sin(pose.yaw) * 4.6;
  const [x, y] = [px(leg.end), py(leg.end)];
  const toes = -Math.cos(pose.yaw) * 1.1;
  const shoe = shaded(
    `M${x - 2.6 + Math.min(0, forward)},${y + 3.6 + toes} Q${x - 2.9},${y - 1.5} ${x},${y - 1.8} Q${x + 2.9},${y - 1.5} ${x + 2.6 + Math.max(0, forward)},${y + 3.6 + toes} Q${x + forward / 2},${y + 4.6 + toes} ${x - 2.6 + Math.min(0, forward)},${y + 3.6 + toes} Z`,
    costume.shoes,
  );
  const boot = boots
    ? shaded(bar(between(leg.bend, leg.end, 0.3), leg.end, [3.9 * wide, 3.2 * wide]), costume.shoes)
    : '';
  const shorts =
    lower === 'shorts'
      ? shaded(bar(leg.root, between(leg.root, leg.bend, 0.85), [5.8 * wide, 5.4 * wide]), costume.lower)
      : '';
  const colour = bare ? costume.skin : costume.lower;
  return shoe + shaded(shin, colour) + boot + shaded(thigh, colour) + shorts;
}

function drawArm(costume: Costume, arm: Limb, wide: number): string {
  const long = costume.attributes.sleeve === 'longSleeve';
  const hand = shaded(ellipsePath(px(arm.end), py(arm.end) + 1.6, 1.9, 2.5), costume.skin);
  const forearm = bar(arm.bend, arm.end, [2.7 * wide, 2.1 * wide]);
  const upper = bar(arm.root, arm.bend, [3.2 * wide, 2.7 * wide]);
  const sleeve = bar(arm.root, between(arm.root, arm.bend, long ? 1 : 0.7), [3.4 * wide, 3.1 * wide]);
  return (
    hand +
    shaded(forearm, long ? costume.upper : costume.skin) +
    (long ? '' : shaded(upper, costume.skin)) +
    shaded(sleeve, costume.upper)
  );
}

function drawTrunk(costume: Costume, pose: Pose, wide: number): string {
  const { gender, longCoat, lower } = costume.attributes;
  const seen = (across: number, deep: number) =>
    wide * Math.hypot(across * Math.cos(pose.yaw), deep * Math.sin(pose.yaw));
  const waist = gender === 'male' ? 9.4 : 8.2;
  const hem = longCoat ? seen(12.6, 10) : seen(10.4, 7.8);
  const [hips, end, below] = longCoat ? ([50, 70, 71] as const) : ([46, 52, 52.5] as const);
  const chest = [
    [16, seen(9.5, 5)],
    [18.6, seen(13.4, 7)],
    [26, seen(12, 8.4)],
    [38, seen(waist, 7)],
  ] as const;
  const coat = [
    [hips, seen(10.6, 7.8)],
    [end, hem],
    [below, seen(6, 5)],
  ] as const;
  const torso = trunk(0, [14.8, seen(3.4, 3.4)], ...chest, ...coat);
  const lowest = lower === 'skirtDress' ? skirt(costume, seen) : hipsOf(costume, seen);
  const line =
    pose.yaw === Math.PI && longCoat
      ? '<path d="M0,20 V70" stroke="#000" stroke-opacity=".4" stroke-width=".8"/>'
      : '';
  return lowest + shaded(torso, costume.upper) + line + folds(seen);
}

/** Creases of the clothes and the light on them, which make near people look real. */
function folds(seen: Seen): string {
  const w = seen(10, 7);
  const creases = [
    `M${-w * 0.8},27 q${w * 0.5},2 ${w * 0.7},6`,
    `M${w * 0.85},26 q${-w * 0.4},3 ${-w * 0.5},8`,
    `M${-w * 0.7},40 q${w * 0.6},3 ${w * 1.2},1`,
    `M${w * 0.6},36 q${-w * 0.5},5 ${-w * 0.9},5`,
    `M${-w * 0.3},20 q2,8 0,12`,
    `M${-w * 0.85},33 q${w * 0.3},5 ${w * 0.2},11`,
  ].join(' ');
  const line = `d="${creases}" stroke-width=".9" fill="none"`;
  return `<path ${line} stroke="#000" stroke-opacity=".28"/><path ${line} transform="translate(.9,.7)" stroke="#fff" stroke-opacity=".14"/>`;
}

type Seen = (across: number, deep: number) => number;

const hipsOf = (costume: Costume, seen: Seen): string => {
  const outline = trunk(0, [42, seen(9, 7)], [48, seen(10.4, 8)], [55, seen(10, 8)], [57, seen(5, 4)]);
  return shaded(outline, costume.lower);
};

const skirt = (costume: Costume, seen: Seen): string => {
  const outline = trunk(0, [42, seen(8.4, 7)], [50, seen(11, 9)], [71, seen(14, 12.5)], [72, seen(13, 12)]);
  return shaded(outline, costume.lower);
};

function drawBags(costume: Costume, pose: Pose, wide: number): Part[] {
  const { backpack, handBag, shoulderBag, holdObjectsInFront } = costume.attributes;
  const [sin, cos] = [Math.sin(pose.yaw), Math.cos(pose.yaw)];
  const parts: Part[] = [];
  if (backpack) {
    const half = Math.hypot(8.6 * cos, 5 * sin);
    const x = -sin * 9.5 * wide;
    const bag = trunk(x, [18, half * 0.7], [21, half], [40, half * 1.05], [44, half * 0.8]);
    parts.push({ away: cos * -0.3, svg: shaded(bag, costume.bag) });
    const straps = `<path d="M-7,17.5 V34 M7,17.5 V34" stroke="${costume.bag}" stroke-width="2.2"/>`;
    if (cos < -0.5) parts.push({ away: -0.01, svg: straps });
  }
  if (handBag) parts.push(hanging(costume, pose.arms[1].end));
  if (shoulderBag) {
    const x = cos * 11.5 * wide;
    const away = -sin * 0.2;
    const strap = `<path d="M${-cos * 5},17 L${x},47" stroke="${costume.bag}" stroke-width="1.6"/>`;
    if (Math.abs(cos) > 0.3 || away < 0) parts.push({ away: Math.min(away, -0.02), svg: strap });
    const bag = trunk(x, [45, 5.5], [47, 6.5], [56, 6.5], [57.5, 5]);
    parts.push({ away, svg: shaded(bag, costume.bag) });
  }
  if (holdObjectsInFront) {
    const half = Math.hypot(9.5 * cos, 6 * sin);
    const box = `M${sin * 15 - half},28 h${2 * half} v12 h${-2 * half} Z`;
    parts.push({ away: cos * 0.35, svg: shaded(box, '#b08a5b') });
  }
  return parts;
}

function hanging(costume: Costume, hand: Joint): Part {
  const [x, y] = [px(hand), py(hand) + 2.5];
  const handle = `<path d="M${x - 3},${y + 6} Q${x},${y - 4} ${x + 3},${y + 6}" stroke="${costume.bag}" stroke-width="1.1" fill="none"/>`;
  const bag = trunk(x, [y + 4.5, 4.8], [y + 6, 6.2], [y + 14, 6.8], [y + 15, 5]);
  return { away: hand.away - 0.3, svg: handle + shaded(bag, costume.bag) };
}
