import sharp, { type Sharp } from 'sharp';
import type { SeenTrack } from '../../../alerts/alert-facts.ts';
import { zonePolygons } from '../../../cameras/devices/images/draw-zones.ts';
import type { AlertImage } from '../../../images/image.store.ts';
import { type ImageStore, newImageKey } from '../../../platform/images/image-store.ts';
import type { WriteFaults } from '../../../platform/write-faults.ts';
import { JPEG } from '../../../video/jpeg.ts';
import type { QueueZones } from '../../../vision/types.ts';

const THUMBNAIL_WIDTH = 320;
/** Pixels. */
const MIN_TEXT = 9;
/** As shares of the text size: the width of a letter, and the space beside a text. */
const LETTER = 0.62;
const MARGIN = 0.6;
const COLOURS = { queue: '#ffb000', checkout: '#2f9bff', none: '#ffffff' } as const;

/** What is drawn on an image. */
export interface Annotation {
  readonly zones: QueueZones;
  readonly tracks: readonly SeenTrack[];
  /** The message of the alert. */
  readonly caption: string;
}

/** Three bytes for each pixel, row by row. */
interface Pixels extends Size {
  readonly data: Buffer;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const IMAGES = 'Images of alerts';

export interface ImageOptions {
  readonly userId: string;
  readonly annotation: Annotation;
  readonly now: Date;
  /** Gets each success and failure of the store. */
  readonly faults?: Pick<WriteFaults, 'failed' | 'worked'> | undefined;
}

/**
 * Stores three images of a frame at the same time: clean, annotated, and a thumbnail. It stores all of them or none.
 * @throws Error when the store or the JPEG cannot be used
 */
export async function storeAlertImages(
  images: ImageStore,
  jpeg: Uint8Array,
  { userId, annotation, now, faults }: ImageOptions,
): Promise<AlertImage[]> {
  const full = await pixels(sharp(jpeg));
  const store = async (kind: AlertImage['kind'], { width, height }: Size, bytes: Uint8Array) => {
    const objectKey = newImageKey(now, userId);
    await images.put(objectKey, bytes).catch((error: unknown) => {
      faults?.failed(IMAGES, error);
      throw error;
    });
    return { kind, objectKey, width, height, sizeBytes: bytes.length };
  };
  const stored = await Promise.allSettled([
    store('clean', full, jpeg),
    annotate(full, annotation).then((bytes) => store('annotated', full, bytes)),
    shrink(full).then(async (small) => store('thumbnail', small, await annotate(small, annotation))),
  ]);
  const succeeded = stored.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = stored.find((each) => each.status === 'rejected');
  if (!failed) {
    faults?.worked(IMAGES);
    return succeeded;
  }
  // No row names these images.
  await images.remove(succeeded.map(({ objectKey }) => objectKey)).catch(() => undefined);
  throw failed.reason;
}

/** @returns a JPEG of the image with zones, boxes with their numbers, and the caption */
function annotate(image: Pixels, annotation: Annotation): Promise<Buffer> {
  return sharpOf(image)
    .composite([{ input: Buffer.from(drawing(annotation, image)) }])
    .jpeg(JPEG)
    .toBuffer();
}

/** A step of its own: sharp computes rows several times when it resizes and draws in one step. */
async function shrink(image: Pixels): Promise<Pixels> {
  const width = Math.min(THUMBNAIL_WIDTH, image.width);
  return pixels(sharpOf(image).resize(width, Math.round((image.height * width) / image.width)));
}

async function pixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const sharpOf = ({ data, width, height }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 } });

function drawing({ zones, tracks, caption }: Annotation, { width, height }: Size): string {
  const size = Math.max(12, Math.round(height / 36));
  const boxes = tracks.map(({ id, box, zone }) => {
    const [x, y] = [box.left * width, box.top * height];
    const [w, h] = [(box.right - box.left) * width, (box.bottom - box.top) * height];
    const colour = COLOURS[zone ?? 'none'];
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${colour}" stroke-width="2"/>${label(String(id), { x: Math.max(0, x), y: Math.max(0, y - size * 1.3), size, colour })}`;
  });
  const fitting = Math.max(MIN_TEXT, Math.floor(width / (caption.length * LETTER + MARGIN)));
  const titleSize = Math.min(Math.round(size * 1.3), fitting);
  const title = label(caption, { x: 0, y: 0, size: titleSize, colour: '#ffffff' });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${zonePolygons(zones, { width, height })}${boxes.join('')}${title}</svg>`;
}

function label(
  text: string,
  { x, y, size, colour }: { x: number; y: number; size: number; colour: string },
): string {
  const width = (text.length * LETTER + MARGIN) * size;
  return `<rect x="${x}" y="${y}" width="${width}" height="${size * 1.3}" fill="#000000" fill-opacity="0.7"/><text x="${x + size * 0.3}" y="${y + size}" font-family="sans-serif" font-size="${size}" fill="${colour}">${escaped(text)}</text>`;
}

/** XML allows neither most control characters nor lone surrogates. */
const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
