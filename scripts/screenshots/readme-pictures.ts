import { mkdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { PROJECT } from '../../src/platform/project.ts';
import { fileOf } from './take-pictures.ts';

/** Where the README has its pictures. */
export const README_FOLDER = 'src/page/pictures';

/** Name in the README, what it shows, its width. */
const PICTURES = [
  { name: 'now', picture: ['now', 'phone', 'light'], width: 390 },
  { name: 'scene', picture: ['scene', 'wide', 'dark'], width: 1000 },
  { name: 'alerts', picture: ['feed', 'wide', 'light'], width: 1000 },
] as const;
/** Together they have at most 150 KB. */
const QUALITY = 70;

/** Compresses the pictures of the README. @returns a line for each */
export async function writeReadmePictures(folder: string): Promise<string[]> {
  const out = join(PROJECT, README_FOLDER);
  await mkdir(out, { recursive: true });
  const lines: string[] = [];
  for (const { name, picture, width } of PICTURES) {
    const file = join(out, `${name}.webp`);
    await sharp(fileOf(folder, picture)).resize({ width }).webp({ quality: QUALITY }).toFile(file);
    lines.push(`${relative(PROJECT, file)}: ${Math.ceil((await stat(file)).size / 1000)} KB`);
  }
  return lines;
}
