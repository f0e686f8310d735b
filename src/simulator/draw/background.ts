import sharp from 'sharp';
import { FRAME_HEIGHT, FRAME_WIDTH, type Ground, type View } from '../camera.ts';
import { silhouette } from '../furniture.ts';
import type { Carried } from '../person.ts';
import type { Place } from '../place.ts';
import { rasterise, type Sprite } from './sprite.ts';

const WALL_Z = 16;

/** An object on the floor among the people. */
export interface Prop {
  readonly at: Ground;
  readonly sprite: Sprite;
}

const corner = (view: View, at: Ground): string => {
  const [x, y] = view.project(at);
  return `${(x * FRAME_WIDTH).toFixed(1)},${(y * FRAME_HEIGHT).toFixed(1)}`;
};
const patchIn =
  (view: View) =>
  (outline: readonly Ground[], style: string): string =>
    `<polygon points="${outline.map((at) => corner(view, at)).join(' ')}" ${style}/>`;
const strip = (x: number, z: number, to: Ground): Ground[] => [
  { x, z },
  { x: to.x, z },
  { x: to.x, z: to.z },
  { x, z: to.z },
];

/** The empty shop as rgb24. */
export async function drawBackground({ view, outlines }: Place): Promise<Uint8Array> {
  const patch = patchIn(view);
  const wall = view.vertical(WALL_Z) * FRAME_HEIGHT;
  const lines: string[] = [];
  for (let x = -9; x <= 9; x += 1.5)
    lines.push(patch(strip(x, 3.5, { x: x + 0.025, z: WALL_Z }), 'fill="#857d70"'));
  for (let z = 4; z < WALL_Z; z += 1.5)
    lines.push(patch(strip(-10, z, { x: 10, z: z + 0.03 }), 'fill="#857d70"'));
  const panels = [0.04, 0.2, 0.36, 0.52, 0.68, 0.84].map(
    (x, i) =>
      `<rect x="${x * FRAME_WIDTH}" y="${wall - 96}" width="118" height="66" fill="${i % 2 ? '#b9c2c8' : '#c6c3b8'}"/>` +
      `<rect x="${x * FRAME_WIDTH}" y="${wall - 66}" width="118" height="3" fill="#98a0a5"/>`,
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${FRAME_WIDTH}" height="${FRAME_HEIGHT}">` +
    '<defs><linearGradient id="floor" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#aaa397"/><stop offset="1" stop-color="#8f877b"/></linearGradient>' +
    '<linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#d5d9db"/><stop offset="1" stop-color="#c2c7ca"/></linearGradient></defs>' +
    `<rect width="100%" height="100%" fill="url(#wall)"/><rect y="${wall}" width="100%" height="${FRAME_HEIGHT - wall}" fill="url(#floor)"/>` +
    `${panels.join('')}<rect y="${wall - 6}" width="100%" height="6" fill="#8d8a84"/>${lines.join('')}` +
    patch(outlines.queue, 'fill="#7d8b99" fill-opacity=".28"') +
    patch(outlines.checkout, 'fill="#8a9a7d" fill-opacity=".3"') +
    '</svg>';
  return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
}

/** Terminals and furniture, to be drawn among the people by distance. */
export async function drawProps({ view, counters, furniture }: Place): Promise<Prop[]> {
  const terminals = counters.map(async ({ terminal }) => {
    const height = Math.round(view.apparentHeight(terminal.z, 1.15) * FRAME_HEIGHT);
    const width = Math.round(height * 0.5);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 100"><rect x="8" y="94" width="34" height="6" fill="#4c5052"/>' +
      '<rect x="19" y="34" width="12" height="62" fill="#777d80"/><rect x="3" y="2" width="44" height="36" rx="3" fill="#5a6064"/>' +
      '<rect x="7" y="6" width="36" height="28" fill="#9db4bd"/></svg>';
    const sprite = await rasterise(svg, { width, height }, { column: width >> 1, row: height });
    return { at: terminal, sprite };
  });
  const blocks = furniture.map(async (block) => {
    const { left, top, right, bottom } = silhouette(block, view);
    const width = Math.round((right - left) * FRAME_WIDTH);
    const height = Math.round((bottom - top) * FRAME_HEIGHT);
    // The front, below the top, which is seen from above.
    const front = Math.round((view.vertical(block.front, block.height) - top) * FRAME_HEIGHT);
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#6d675f"/>` +
      `<rect y="${front}" width="${width}" height="${height - front}" fill="#4f5a60"/>` +
      `<rect y="${front}" width="${width}" height="4" fill="#30373b"/></svg>`;
    const sprite = await rasterise(svg, { width, height }, { column: width >> 1, row: height });
    return { at: { x: (block.left + block.right) / 2, z: block.front }, sprite };
  });
  return Promise.all([...terminals, ...blocks]);
}

/** A trolley or basket as tall as a picture of these pixels. */
export function drawCarried(carried: Carried, heightPx: number): Promise<Sprite> {
  const { share, svg } = CARRIED[carried];
  const height = Math.max(4, Math.round(heightPx));
  const width = Math.max(4, Math.round(height * share));
  return rasterise(svg, { width, height }, { column: width >> 1, row: height });
}

/** Width over height, and the picture. */
const CARRIED = {
  trolley: {
    share: 0.58,
    svg:
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 58 100" preserveAspectRatio="none"><rect x="2" y="8" width="54" height="58" fill="#9aa2a8"/>' +
      '<rect x="2" y="8" width="54" height="7" fill="#b3282d"/><rect x="5" y="66" width="48" height="26" fill="#70777c"/>' +
      '<rect x="6" y="90" width="9" height="10" fill="#222"/><rect x="43" y="90" width="9" height="10" fill="#222"/></svg>',
  },
  basket: {
    share: 1.25,
    svg:
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 80" preserveAspectRatio="none"><rect x="0" y="12" width="100" height="68" fill="#a5352f"/>' +
      '<rect x="0" y="12" width="100" height="14" fill="#7d2622"/><rect x="20" y="0" width="60" height="12" fill="#4a4a4a"/></svg>',
  },
} as const;
