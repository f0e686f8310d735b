import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { drawZones } from '../../../../src/cameras/devices/images/draw-zones.ts';
import type { Polygon } from '../../../../src/vision/types.ts';

const column = (left: number): Polygon => ({
  type: 'polygon',
  points: [
    [left, 0.1],
    [left + 0.2, 0.1],
    [left + 0.2, 0.9],
    [left, 0.9],
  ],
});

test('each zone is drawn at its place in its own colour', async () => {
  const grey = { width: 300, height: 200, channels: 3, background: { r: 100, g: 100, b: 100 } } as const;
  const zones = { queueZone: column(0.1), checkoutZone: column(0.4), staffZone: column(0.7) };
  const drawn = await drawZones(await sharp({ create: grey }).jpeg().toBuffer(), zones);
  const { data, info } = await sharp(drawn).raw().toBuffer({ resolveWithObject: true });
  const [queue, checkout, staff, beside] = [0.2, 0.5, 0.8, 0.65].map((x) => {
    const at = (100 * info.width + x * info.width) * info.channels;
    return { red: data[at]!, green: data[at + 1]!, blue: data[at + 2]! };
  }) as { red: number; green: number; blue: number }[];
  expect(beside).toEqual({ red: 100, green: 100, blue: 100 });
  // Amber, blue, violet.
  expect(queue!.red - queue!.blue).toBeGreaterThan(20);
  expect(checkout!.blue - checkout!.red).toBeGreaterThan(20);
  expect(staff!.blue - staff!.green).toBeGreaterThan(15);
  expect(staff!.red - staff!.green).toBeGreaterThan(5);
});
