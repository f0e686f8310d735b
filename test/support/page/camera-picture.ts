import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
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

/** Answers requests for stills of cameras, for tests without a worker. */
export async function showPicture(page: Page): Promise<void> {
  const body = await cameraPicture();
  await page.route('**/api/v1/devices/*/frame*', (route) =>
    route.fulfill({
      body,
      contentType: 'image/jpeg',
      headers: { 'X-Captured-At': '2026-11-23T10:00:00.000Z' },
    }),
  );
}
