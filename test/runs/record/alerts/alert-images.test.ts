import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { ImageStore } from '../../../../src/platform/images/image-store.ts';
import { WriteFaults } from '../../../../src/platform/write-faults.ts';
import { type Annotation, storeAlertImages } from '../../../../src/runs/record/alerts/alert-images.ts';

const USER = '0198b3f0-0000-7000-8000-00000000000a';
const NOW = new Date('2026-03-01T12:00:00Z');
const GREY = { r: 120, g: 120, b: 120 };
const ANNOTATION: Annotation = {
  zones: {
    queueZone: {
      type: 'polygon',
      points: [
        [0.5, 0.5],
        [0.9, 0.5],
        [0.9, 0.9],
        [0.5, 0.9],
      ],
    },
  },
  tracks: [{ id: 7, box: { left: 0.1, top: 0.4, right: 0.2, bottom: 0.8 }, zone: 'queue' }],
  caption: 'Queue length 7 is over 5 <at> "Main & more"',
};

async function stored(jpeg: Buffer) {
  const kept = new Map<string, Uint8Array>();
  const images = { put: async (key: string, bytes: Uint8Array) => void kept.set(key, bytes) };
  const pictures = await storeAlertImages(images as unknown as ImageStore, jpeg, {
    userId: USER,
    annotation: ANNOTATION,
    now: NOW,
  });
  return new Map(
    pictures.map((picture) => [picture.kind, { ...picture, bytes: kept.get(picture.objectKey)! }]),
  );
}

const grey = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: GREY } }).jpeg();

async function pixel(jpeg: Uint8Array, x: number, y: number) {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
}

test('the frame is stored unchanged, annotated, and as a thumbnail', async () => {
  const jpeg = await grey(960, 540).toBuffer();
  const pictures = await stored(jpeg);

  expect([...pictures.values()].map(({ kind, width, height }) => [kind, width, height])).toEqual([
    ['clean', 960, 540],
    ['annotated', 960, 540],
    ['thumbnail', 320, 180],
  ]);
  expect(pictures.get('clean')!.bytes).toBe(jpeg);
  for (const { bytes, sizeBytes, width, height } of pictures.values()) {
    expect(sizeBytes).toBe(bytes.length);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height, channels: 3 });
  }
});

test.each([
  ['annotated', 960],
  ['thumbnail', 320],
] as const)('the %s image shows caption, boxes and zones, and elsewhere the frame', async (kind, width) => {
  const { bytes } = (await stored(await grey(960, 540).toBuffer())).get(kind)!;
  const at = (x: number, y: number) => pixel(bytes, Math.round(x * width), Math.round((y * width * 9) / 16));
  const [near, far] = [await at(0.7, 0.7), await at(0.35, 0.7)];

  expect(Math.max(...far.map((value) => Math.abs(value - 120)))).toBeLessThanOrEqual(8);
  // The queue zone is slightly orange.
  expect(near[0]! - near[2]!).toBeGreaterThan(20);
  // The box of a person in the queue is orange.
  const edge = await at(0.1, 0.6);
  expect(edge[0]! - edge[2]!).toBeGreaterThan(60);
  // The caption has a dark background.
  expect((await at(0.004, 0.01))[0]).toBeLessThan(80);
});

test('a small grey frame of odd size gets all images', async () => {
  const jpeg = await sharp({ create: { width: 101, height: 57, channels: 3, background: GREY } })
    .toColourspace('b-w')
    .jpeg()
    .toBuffer();
  const pictures = await stored(jpeg);

  expect(pictures.get('thumbnail')).toMatchObject({ width: 101, height: 57 });
  expect(await sharp(pictures.get('annotated')!.bytes).metadata()).toMatchObject({ width: 101, channels: 3 });
});

test('data that is no JPEG is refused', async () => {
  await expect(stored(Buffer.from('no picture'))).rejects.toThrow();
});

test('when the store fails for one image, it keeps none of them, and the node reports the fault', async () => {
  const kept = new Set<string>();
  let puts = 0;
  const images = {
    async put(key: string) {
      puts += 1;
      if (puts === 2) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      kept.add(key);
    },
    async remove(keys: readonly string[]) {
      for (const key of keys) kept.delete(key);
    },
  } as unknown as ImageStore;
  const faults = new WriteFaults({ warn: () => undefined, info: () => undefined });
  const options = { userId: USER, annotation: ANNOTATION, now: NOW, faults };
  const jpeg = await grey(320, 180).toBuffer();
  await expect(storeAlertImages(images, jpeg, options)).rejects.toThrow('full');
  expect([puts, kept.size]).toEqual([3, 0]);
  expect(faults.sentence).toBe('Images of alerts cannot be written (no space left).');
  expect(await storeAlertImages(images, jpeg, options)).toHaveLength(3);
  expect(faults.sentence).toBeNull();
});

test('a fault that has not occurred for five minutes is no longer reported', () => {
  let nowMs = 0;
  const faults = new WriteFaults({ warn: () => undefined, info: () => undefined }, () => nowMs);
  faults.failed('Images of alerts', new Error('the bucket is away'));
  nowMs = 299_000;
  expect(faults.sentence).toBe('Images of alerts cannot be written (the bucket is away).');
  nowMs = 301_000;
  expect(faults.sentence).toBeNull();
});
