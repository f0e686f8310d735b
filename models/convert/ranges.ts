import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/**
 * The ranges of the activations of a network by tensor name, measured on images by `npm run models -- calibrate`. Static
 * quantisation needs no other data.
 */
const RangesSchema = z.strictObject({
  model: z.string(),
  pictures: z.int().positive(),
  ranges: z.record(z.string(), z.tuple([z.number(), z.number()])),
});
export type Ranges = z.infer<typeof RangesSchema>;

/** @throws Error with one sentence when the table is missing or faulty */
export async function readRanges(file: string): Promise<Ranges> {
  try {
    return RangesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'not a table of ranges';
    throw new Error(
      `The ranges ${file} cannot be read (${reason}): make them with \`npm run models -- calibrate\`.`,
    );
  }
}
