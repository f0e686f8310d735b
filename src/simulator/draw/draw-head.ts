import type { Costume } from './costume.ts';
import { ellipsePath, shaded } from './draw-parts.ts';

const HEAD_Y = 7;
const HEAD_RY = 7.1;

/** Direction of the face. `front`: 1 towards the camera, -1 away from it; `side`: 1 to the right. */
interface Turn {
  readonly front: number;
  readonly side: number;
}

/** Neck, head, hair, face, hat and glasses. `under` is drawn before the trunk, `over` after it. */
export function drawHead(costume: Costume, yaw: number): { under: string; over: string } {
  const turn: Turn = { front: -Math.cos(yaw), side: Math.sin(yaw) };
  const width = Math.hypot(5.1 * turn.front, 5.9 * turn.side);
  const neck = shaded(`M-2.6,11 L2.6,11 L3.4,20 L-3.4,20 Z`, costume.skin);
  const head = shaded(ellipsePath(0, HEAD_Y, width, HEAD_RY), costume.skin);
  return {
    under: longHairBehind(costume, turn, width) + neck,
    over:
      neckline(costume, turn) +
      head +
      hair(costume, turn, width) +
      face(costume, turn) +
      hat(costume, turn, width),
  };
}

/** The opening of the collar, which distinguishes a chest from a back. */
function neckline(costume: Costume, turn: Turn): string {
  if (turn.front < 0.3) return '';
  const [x, half] = [turn.side * 2.6, 3.4 * turn.front];
  return shaded(`M${x - half},13.6 L${x + half},13.6 L${x + turn.side * 0.8},19.4 Z`, costume.skin);
}

const longHairBehind = (costume: Costume, turn: Turn, width: number): string =>
  costume.longHair && turn.front > -0.5
    ? shaded(
        `M${-width - 1 - turn.side},5 L${-width - 1.6 - turn.side},19 L${width + 1.6 - turn.side},19 L${width + 1 - turn.side},5 Z`,
        costume.hair,
      )
    : '';

function hair(costume: Costume, turn: Turn, width: number): string {
  const rx = width + 0.5;
  if (turn.front < -0.9) {
    const long = costume.longHair
      ? shaded(
          `M${-rx},6 C${-rx - 0.6},12 ${-rx - 0.4},18 ${-rx + 1},21 L${rx - 1},21 C${rx + 0.4},18 ${rx + 0.6},12 ${rx},6 Z`,
          costume.hair,
        )
      : '';
    return shaded(ellipsePath(0, HEAD_Y - 0.7, rx, HEAD_RY - 0.2), costume.hair) + long;
  }
  // The front edge of the hair follows the face as it turns away.
  const edge = turn.side * rx * (turn.front > 0.5 ? -0.62 : turn.front > -0.3 ? -0.1 : 0.62);
  const back = turn.front > 0.9 ? 0 : -Math.sign(turn.side);
  const low = back === 0 ? 0 : costume.longHair ? 20 : 11.5;
  const cap = `M${-rx},${HEAD_Y} C${-rx},-2.3 ${rx},-2.3 ${rx},${HEAD_Y} C${rx * 0.8},2.6 ${-rx * 0.8},2.6 ${-rx},${HEAD_Y} Z`;
  const nape =
    back === 0
      ? ''
      : `M${back * rx},${HEAD_Y - 2} C${back * (rx + 0.5)},${low - 3} ${back * (rx - 0.4)},${low} ${back * (rx - 2.4)},${low} L${edge},${HEAD_Y - 0.5} L${edge + back},${HEAD_Y - 5} Z`;
  return (nape ? shaded(nape, costume.hair) : '') + shaded(cap, costume.hair);
}

function face(costume: Costume, turn: Turn): string {
  if (turn.front < -0.3) return '';
  const x = turn.side * 3.1;
  const gap = 1.9 * Math.max(0.25, turn.front);
  const eyes = [x - gap, x + gap].filter((eye) => turn.front > 0.3 || eye * turn.side > 2);
  const dots = eyes.map((eye) => `<ellipse cx="${eye}" cy="6.6" rx=".62" ry=".5" fill="#1c1614"/>`).join('');
  const brows = eyes
    .map((eye) => `<path d="M${eye - 0.9},5.5 h1.8" stroke="${costume.hair}" stroke-width=".5"/>`)
    .join('');
  const nose = `<path d="M${x * 1.25},6.8 l${turn.side * 1 + 0.25},2 l-.8,.25" stroke="#000" stroke-opacity=".35" stroke-width=".5" fill="none"/>`;
  const mouth = `<path d="M${x - 1.2},10.8 h${1.2 + 1.2 * Math.max(0.3, turn.front)}" stroke="#7a2f2a" stroke-opacity=".75" stroke-width=".6"/>`;
  const glasses = costume.attributes.glasses
    ? eyes
        .map(
          (eye) =>
            `<ellipse cx="${eye}" cy="6.7" rx="1.5" ry="1.2" fill="#111" fill-opacity=".45" stroke="#111" stroke-width=".5"/>`,
        )
        .join('') +
      `<path d="M${x - gap},6.4 h${2 * gap} M${x},6.4 h${-turn.side * 4}" stroke="#111" stroke-width=".5"/>`
    : '';
  return brows + dots + nose + mouth + glasses;
}

function hat(costume: Costume, turn: Turn, width: number): string {
  if (!costume.attributes.hat) return '';
  const rx = width + 0.9;
  const peak = turn.side * 4.5;
  const brim =
    turn.front > -0.3
      ? `M${-rx},4 C${-rx * 0.4 + peak},${5.6 + turn.front} ${rx * 0.4 + peak},${5.6 + turn.front} ${rx},4 C${rx * 0.5 + peak},2.6 ${-rx * 0.5 + peak},2.6 ${-rx},4 Z`
      : '';
  const crown = `M${-rx},4.2 C${-rx},-3 ${rx},-3 ${rx},4.2 C${rx * 0.5},3 ${-rx * 0.5},3 ${-rx},4.2 Z`;
  return shaded(crown, costume.hatColour) + (brim ? shaded(brim, costume.hatColour) : '');
}
