import { join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { CardAttributeModel } from '../../../src/models/card-attribute-model.ts';
import type { AttributeModel } from '../../../src/vision/attributes/attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../../src/vision/attributes/keys.ts';
import { Votes } from '../../../src/vision/attributes/votes.ts';
import { readJson } from '../../support/read-json.ts';
import { eachWithProgress } from '../../support/terminal.ts';
import { frameOf } from './frame-of-image.ts';
import { KeyScores } from './key-scores.ts';

const Labels = z.record(
  z.string(),
  z.strictObject({
    /** Where the person is: left, top, right, bottom in pixels; by default the whole image. */
    box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
    /** Our keys, or the names of the outputs of a model. A key that is not listed is unknown. */
    attributes: z.record(z.string(), z.boolean()),
  }),
);
type Labels = z.infer<typeof Labels>;

/** @throws Error with one sentence when the file cannot be used */
export const readLabels = (file: string): Promise<Labels> =>
  readJson(file, Labels, {
    name: 'label file',
    advice: 'put labels.json beside the images or name a file with --labels; models/README.md has its form',
  });

/** Shows each labelled image to the models once. @throws Error with one sentence when an image cannot be used */
export async function scoreCrops(
  folder: string,
  labels: Labels,
  models: readonly AttributeModel[],
): Promise<KeyScores> {
  const scores = new KeyScores();
  await eachWithProgress(
    'attributes',
    Object.entries(labels),
    'images',
    async ([name, { box, attributes }]) => {
      const frame = await readImage(join(folder, name), box);
      const sight = { frame, box: { left: 0, top: 0, right: 1, bottom: 1 } };
      const answers: Map<string, boolean>[] = [];
      for (const model of models) answers.push(await answersOf(model, sight));
      for (const [key, isTrue] of Object.entries(attributes)) {
        // The first model that knows a key answers for it.
        const owner = models.findIndex((model) => knows(model, key));
        scores.add(key, isTrue, answers[owner]?.get(key) ?? null);
      }
    },
  );
  return scores;
}

const knows = (model: AttributeModel, key: string): boolean =>
  model.keys.includes(key as AttributeKey) ||
  (model instanceof CardAttributeModel && model.outputs.some(({ name }) => name === key));

/** The answers of a model to our keys, and to its own outputs by their names. */
async function answersOf(
  model: AttributeModel,
  sight: Parameters<AttributeModel['classify']>[0],
): Promise<Map<string, boolean>> {
  const votes = new Votes();
  votes.add(await model.classify(sight), { timeMs: 0, weight: 1 });
  const { known, attributes } = votes.result();
  const answers = new Map<string, boolean>(
    ALL_ATTRIBUTE_KEYS.filter((key) => known.includes(key)).map((key) => [key, attributes.includes(key)]),
  );
  if (model instanceof CardAttributeModel) {
    const scores = await model.scores(sight);
    for (const [at, { name, threshold }] of model.outputs.entries())
      answers.set(name, scores[at]! >= threshold);
  }
  return answers;
}

const ENLARGED = 4;

async function readImage(file: string, box: Labels[string]['box']) {
  try {
    const [left = 0, top = 0, right = 0, bottom = 0] = box ?? [];
    const whole = sharp(file).removeAlpha().toColourspace('srgb');
    const part = box ? whole.extract({ left, top, width: right - left, height: bottom - top }) : whole;
    // Frames store colours at half the resolution. Enlarged, a small crop loses no colour.
    const { info: size } = await part.clone().png().toBuffer({ resolveWithObject: true });
    const enlarged = { width: ENLARGED * size.width, height: ENLARGED * size.height };
    const { data, info } = await part
      .resize({ ...enlarged, kernel: 'nearest', fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return frameOf(data, info);
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}.`);
  }
}
