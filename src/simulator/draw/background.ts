import sharp from 'sharp';
import { apparentHeight, FRAME_HEIGHT, FRAME_WIDTH, type Ground, project, vertical } from '../camera.ts';
import { COUNTERS } from '../layout.ts';
import { ZONE_OUTLINES } from '../shop-zones.ts';
import { rasterise, type Sprite } from './sprite.ts';

const WALL_Z = 16;

/** An object on the floor among the people. */
export interface Prop {
  readonly at: Ground;
  readonly sprite: Sprite;
}

const corner = (at: Ground): string => {
  const [x, y] = project(at);
  return `${(x * FRAME_WIDTH).toFixed(1)},${(y * FRAME_HEIGHT).toFixed(1)}`;
};
const patch = (outline: readonly Ground[], style: string): string =>
  `<polygon points="${outline.map(corner).join(' ')}" ${style}/>`;
const strip = (x: number, z: number, to: Ground): Ground[] => [
  { x, z },
  { x: to.x, z },
  { x: to.x, z: to.z },
  { x, z: to.z },
];

/** The empty shop as rgb24. */
export async function drawBackground(): Promise<Uint8Array> {
  const wall = vertical(WALL_Z) * FRAME_HEIGHT;
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
    patch(ZONE_OUTLINES.queue, 'fill="#7d8b99" fill-opacity=".28"') +
    patch(ZONE_OUTLINES.checkout, 'fill="#8a9a7d" fill-opacity=".3"') +
    '</svg>';
  return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
}

/** The terminals, to be drawn among the people by distance. */
export async function drawProps(): Promise<Prop[]> {
  return Promise.all(
    COUNTERS.map(async ({ terminal }) => {
      const height = Math.round(apparentHeight(terminal.z, 1.15) * FRAME_HEIGHT);
      const width = Math.round(height * 0.5);
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 100"><rect x="8" y="94" width="34" height="6" fill="#4c5052"/>' +
        '<rect x="19" y="34" width="12" height="62" fill="#777d80"/><rect x="3" y="2" width="44" height="36" rx="3" fill="#5a6064"/>' +
        '<rect x="7" y="6" width="36" height="28" fill="#9db4bd"/></svg>';
      const sprite = await rasterise(svg, { width, height }, { column: width >> 1, row: height });
      return { at: terminal, sprite };
    }),
  );
}
