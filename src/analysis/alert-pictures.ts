import sharp from 'sharp';
import type { SeenTrack } from '../alerts/alert-facts.ts';
import type { StoredPicture } from '../alerts/firing.store.ts';
import { zonePolygons } from '../devices/draw-zones.ts';
import { type ImageStore, newImageKey } from '../platform/images/image-store.ts';
import type { QueueZones } from '../vision/types.ts';

const THUMBNAIL_WIDTH = 320;
const QUALITY = 85;
const COLOURS = { queue: '#ffb000', checkout: '#2f9bff', none: '#ffffff' } as const;

/** What is drawn on a picture. */
export interface Annotation {
  readonly zones: QueueZones;
  readonly tracks: readonly SeenTrack[];
  /** The number that fired, as the alert says it. */
  readonly caption: string;
}

/**
 * @param shownWidth the picture is made so wide; default as it is
 * @returns the picture with zones, boxes with their numbers, and the caption on it
 */
export async function annotate(
  jpeg: Uint8Array,
  annotation: Annotation,
  shownWidth?: number,
): Promise<Buffer> {
  const full = await sharp(jpeg).metadata();
  const width = Math.min(full.width, shownWidth ?? full.width);
  const height = Math.round((full.height * width) / full.width);
  return sharp(jpeg)
    .resize(width, height)
    .composite([{ input: Buffer.from(drawing(annotation, width, height)) }])
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/**
 * Stores the frame as it was, annotated, and small; all at once, since the alert waits for it.
 * @throws Error when the store or the picture cannot be used
 */
export async function storePictures(
  images: ImageStore,
  jpeg: Uint8Array,
  { annotation, now }: { annotation: Annotation; now: Date },
): Promise<StoredPicture[]> {
  const store = async (kind: StoredPicture['kind'], made: Uint8Array | Promise<Buffer>) => {
    const bytes = await made;
    const objectKey = newImageKey(now);
    const [{ width, height }] = await Promise.all([sharp(bytes).metadata(), images.put(objectKey, bytes)]);
    return { kind, objectKey, width, height, sizeBytes: bytes.length };
  };
  return Promise.all([
    store('clean', jpeg),
    store('annotated', annotate(jpeg, annotation)),
    store('thumbnail', annotate(jpeg, annotation, THUMBNAIL_WIDTH)),
  ]);
}

function drawing({ zones, tracks, caption }: Annotation, width: number, height: number): string {
  const size = Math.max(12, Math.round(height / 36));
  const boxes = tracks.map(({ id, box, zone }) => {
    const [x, y] = [box.left * width, box.top * height];
    const [w, h] = [(box.right - box.left) * width, (box.bottom - box.top) * height];
    const colour = COLOURS[zone ?? 'none'];
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${colour}" stroke-width="2"/>${label(String(id), { x: Math.max(0, x), y: Math.max(0, y - size * 1.3), size, colour })}`;
  });
  const title = label(caption, { x: 0, y: 0, size: Math.round(size * 1.3), colour: '#ffffff' });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${zonePolygons(zones, { width, height })}${boxes.join('')}${title}</svg>`;
}

function label(
  text: string,
  { x, y, size, colour }: { x: number; y: number; size: number; colour: string },
): string {
  const width = text.length * size * 0.62 + size * 0.6;
  return `<rect x="${x}" y="${y}" width="${width}" height="${size * 1.3}" fill="#000000" fill-opacity="0.7"/><text x="${x + size * 0.3}" y="${y + size}" font-family="sans-serif" font-size="${size}" fill="${colour}">${escaped(text)}</text>`;
}

/** XML knows neither most control characters nor lone surrogates. */
const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
