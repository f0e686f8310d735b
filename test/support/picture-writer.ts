// A program that stores pictures of alerts of USER_ID in IMAGES_DIR, one after the other, and never writes their rows: it
// is killed between the two. It says how many are stored.
import sharp from 'sharp';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { storeAlertImages } from '../../src/runs/record/alerts/alert-images.ts';

const { IMAGES_DIR, USER_ID } = process.env as Record<string, string>;
const images = new LocalImages(IMAGES_DIR!);
const jpeg = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#446688' } })
  .jpeg()
  .toBuffer();
for (let alerts = 1; ; alerts++) {
  const annotation = { zones: {}, tracks: [], caption: 'Queue length 7 is over 5' };
  await storeAlertImages(images, jpeg, { userId: USER_ID!, annotation, now: new Date() });
  process.stdout.write(`${alerts}\n`);
}
