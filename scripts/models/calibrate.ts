import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calibrate } from '../../models/calibrate.ts';
import { readDetectorCard } from '../../src/models/cards.ts';
import type { ModelFolders } from '../../src/models/model-sources.ts';
import { progress } from '../support/terminal.ts';
import { letterboxImage } from './letterbox-image.ts';

/**
 * Writes the table of ranges of a quantised model, from a folder of images.
 * @returns the path of the table
 */
export async function calibrateModel(name: string, imagesDir: string, places: ModelFolders): Promise<string> {
  const { quantise, input } = await readDetectorCard(places.modelsDir, name);
  if (!quantise) throw new Error(`The model ${name} is not quantised by us: its card has no "quantise".`);
  const files = (await readdir(imagesDir)).filter((file) => /\.(jpe?g|png)$/i.test(file)).sort();
  if (files.length === 0) throw new Error(`No JPEG or PNG images in ${imagesDir}.`);
  const bar = progress(name, files.length, 'images');
  const images = async function* () {
    for (const [i, file] of files.entries()) {
      const size = { inputWidth: input.width, inputHeight: input.height };
      yield (await letterboxImage(join(imagesDir, file), size)).pixels;
      bar.update(i + 1);
    }
  };
  try {
    const ranges = await calibrate(name, places, images());
    const target = join(places.modelsDir, quantise.ranges);
    // One tensor a line, so that a change of the network or the images is a readable difference.
    const text = JSON.stringify(ranges, null, 2).replace(/\[\s+(\S+),\s+(\S+)\s+\]/g, '[$1, $2]');
    await writeFile(target, `${text}\n`);
    return target;
  } finally {
    bar.stop();
  }
}
