import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runFfmpeg, scratchFolder } from '../ffmpeg.ts';

let picture: Promise<Buffer> | undefined;

/** A test picture of 960 × 540 pixels as a JPEG. */
export function cameraPicture(): Promise<Buffer> {
  picture ??= makePicture();
  return picture;
}

async function makePicture(): Promise<Buffer> {
  const folder = scratchFolder();
  const file = join(folder, 'picture.jpg');
  await runFfmpeg('-f', 'lavfi', '-i', 'testsrc=size=960x540', '-frames:v', '1', file);
  const jpeg = await readFile(file);
  await rm(folder, { recursive: true });
  return jpeg;
}
