import sharp from 'sharp';
import { JPEG } from '../../../video/jpeg.ts';
import type { Point, QueueZones } from '../../../vision/types.ts';

/** The zones also differ without colours: the queue is dashed, the staff zone dotted. */
const STYLE = {
  queueZone: 'stroke="#ffb000" fill="#ffb000" stroke-dasharray="12 6"',
  checkoutZone: 'stroke="#2f9bff" fill="#2f9bff"',
  staffZone: 'stroke="#b46cff" fill="#b46cff" stroke-dasharray="2 6"',
} as const;

/** @param zones polygons of points 0-1 @returns SVG elements for an image of this size in pixels */
export function zonePolygons(
  zones: QueueZones,
  { width, height }: { width: number; height: number },
): string {
  const polygon = (points: readonly Point[] | undefined, style: string) =>
    points
      ? `<polygon points="${points.map(([x, y]) => `${x * width},${y * height}`).join(' ')}" ${style}/>`
      : '';
  const polygons = [
    ...(Object.keys(STYLE) as (keyof typeof STYLE)[]).map((name) =>
      polygon(zones[name]?.points, STYLE[name]),
    ),
    ...(zones.tills ?? []).flatMap(({ points, staffPoints }) => [
      polygon(points, STYLE.checkoutZone),
      polygon(staffPoints, STYLE.staffZone),
    ]),
  ];
  return `<g fill-opacity="0.15" stroke-width="3" stroke-linejoin="round">${polygons.join('')}</g>`;
}

/** @param zones polygons of points 0-1 @returns the image with the zones on it */
export async function drawZones(jpeg: Uint8Array, zones: QueueZones): Promise<Buffer> {
  const image = sharp(jpeg);
  const { width, height } = await image.metadata();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${zonePolygons(zones, { width, height })}</svg>`;
  return image
    .composite([{ input: Buffer.from(svg) }])
    .jpeg(JPEG)
    .toBuffer();
}
