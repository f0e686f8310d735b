import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Box } from '../../../src/vision/types.ts';

export interface LabelledImage {
  readonly file: string;
  /** Boxes as fractions of the image. */
  readonly truth: readonly { readonly classId: number; readonly box: Box }[];
}

/**
 * The images of a folder in the order of their names, with their labels in YOLO's convention.
 * @param labels folder of `<image>.txt`; an image without such a file shows no object
 * @throws Error with one sentence when there is no image, or a line of labels is wrong
 */
export async function labelledImages(images: string, labels: string): Promise<LabelledImage[]> {
  const names = await readdir(images).catch(() => {
    throw new Error(`There is no folder ${images}.`);
  });
  await readdir(labels).catch(() => {
    throw new Error(`There is no folder ${labels}.`);
  });
  const files = names.filter((file) => /\.(jpe?g|png)$/i.test(file)).sort();
  if (files.length === 0) throw new Error(`No JPEG or PNG images in ${images}.`);
  return Promise.all(
    files.map(async (file) => ({
      file: join(images, file),
      truth: await readLabels(join(labels, `${basename(file, extname(file))}.txt`)),
    })),
  );
}

async function readLabels(file: string): Promise<LabelledImage['truth']> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      const [classId, x, y, width, height, ...rest] = line.split(/\s+/).map(Number);
      const values = [classId, x, y, width, height];
      if (rest.length > 0 || values.some((value) => value === undefined || !Number.isFinite(value))) {
        throw new Error(`${file}, line ${number}: expected "class x y width height".`);
      }
      const [left, top] = [x! - width! / 2, y! - height! / 2];
      return { classId: classId!, box: { left, top, right: left + width!, bottom: top + height! } };
    });
}
