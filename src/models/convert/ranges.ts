import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/**
 * Ranges of a network's activations, by tensor name, as `npm run models -- calibrate` saw them on pictures:
 * all that static quantisation needs to know about data.
 */
const RangesSchema = z.strictObject({
  model: z.string(),
  pictures: z.int().positive(),
  ranges: z.record(z.string(), z.tuple([z.number(), z.number()])),
});
export type Ranges = z.infer<typeof RangesSchema>;

/** @throws one sentence when the table is missing or faulty */
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
