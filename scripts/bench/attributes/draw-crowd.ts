import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FRAME_HEIGHT, FRAME_WIDTH, SHOP_VIEW } from '../../../src/simulator/camera.ts';
import { randomCostume } from '../../../src/simulator/draw/costume.ts';
import { ShopRenderer } from '../../../src/simulator/draw/shop-renderer.ts';
import type { Person } from '../../../src/simulator/person.ts';
import { placeOf } from '../../../src/simulator/place.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import type { FullFrame } from '../../../src/vision/frame.ts';
import type { Box } from '../../../src/vision/types.ts';
import { frameOf } from '../../evaluate/attributes/frame-of-image.ts';
import { encodeVideo } from '../../support/footage/start-encoder.ts';

export const PEOPLE = 16;
export const FPS = 60;
const DRAWN_SECONDS = 4;
/** Metres from the camera. In these two rows nobody hides anybody. */
const ROWS = [5, 10.5];
const SEED = 16;

/** Sixteen people who stand, sway and turn round. @param seconds the time for which they are drawn */
function crowd(seconds: number): Person[] {
  return Array.from({ length: PEOPLE }, (_, at) => {
    const inRow = PEOPLE / ROWS.length;
    const z = ROWS[Math.floor(at / inRow)]!;
    const across = ((at % inRow) + 0.5) / inRow;
    const x =
      (2 * across - 1) * 0.94 * SHOP_VIEW.halfViewWidth(z) +
      0.05 * Math.sin(2 * Math.PI * (seconds / 2 + across));
    const heading = Math.PI + 2 * Math.PI * (seconds / DRAWN_SECONDS + across);
    const body = { x, z, velocityX: 0, velocityZ: 0, heading, walkedMetres: 0 };
    const costume = randomCostume(createRandom(SEED, at));
    const alone = {
      isStaff: false,
      seatedMetres: 0,
      carries: null,
      outcome: null,
      inLine: false,
      group: null,
    };
    return { ...body, ...alone, id: at + 1, costume, standing: true };
  });
}

/** The first frame, and the box of each person in it as fractions. */
export async function crowdFrame(): Promise<{ frame: FullFrame; boxes: Box[] }> {
  const renderer = await ShopRenderer.create(placeOf('classic'));
  const pixels = new Uint8Array(FRAME_WIDTH * FRAME_HEIGHT * 3);
  await renderer.ready(crowd(0));
  renderer.draw(crowd(0), 0, pixels);
  const boxes = renderer.drawn().map(({ left, top, right, bottom }) => ({
    left: left / FRAME_WIDTH,
    top: top / FRAME_HEIGHT,
    right: right / FRAME_WIDTH,
    bottom: bottom / FRAME_HEIGHT,
  }));
  return { frame: frameOf(pixels, { width: FRAME_WIDTH, height: FRAME_HEIGHT }), boxes };
}

/** Draws a video of the crowd. @param seconds its least length @returns its file */
export async function drawCrowd(folder: string, ffmpeg: string, seconds: number): Promise<string> {
  const [once, video] = [join(folder, 'once.mp4'), join(folder, 'crowd.mp4')];
  const renderer = await ShopRenderer.create(placeOf('classic'));
  const format = { width: FRAME_WIDTH, height: FRAME_HEIGHT, fps: FPS, frames: DRAWN_SECONDS * FPS };
  await encodeVideo(ffmpeg, once, format, async (timeMs, pixels) => {
    const people = crowd(timeMs / 1000);
    await renderer.ready(people);
    renderer.draw(people, timeMs, pixels);
  });
  const repeats = Math.ceil(seconds / DRAWN_SECONDS);
  const loop = ['-y', '-loglevel', 'error', '-stream_loop', `${repeats}`, '-i', once, '-c', 'copy', video];
  await promisify(execFile)(ffmpeg, loop);
  return video;
}
