import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { CardAttributeModel } from '../../../src/models/card-attribute-model.ts';
import type { AttributeModel } from '../../../src/vision/attributes/attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../../src/vision/attributes/keys.ts';
import { Votes } from '../../../src/vision/attributes/votes.ts';
import { progress } from '../../support/terminal.ts';
import { KeyScores } from './key-scores.ts';
import { frameOf } from './yuv-image.ts';

const Labels = z.record(
  z.string(),
  z.strictObject({
    /** Where in the picture the person is: left, top, right, bottom in pixels; all of it by default. */
    box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
    /** Keys of ours, or outputs as the model calls them; what is left out is not known. */
    attributes: z.record(z.string(), z.boolean()),
  }),
);
type Labels = z.infer<typeof Labels>;

/** @throws one sentence when they cannot be used */
export async function readLabels(file: string): Promise<Labels> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(
      `${file} cannot be read: put labels.json beside the pictures or name a file with --labels; see models/README.md for its form.`,
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  const parsed = Labels.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`${file} does not fit: ${issue.path.join('.')}: ${issue.message}.`);
}

/** Shows each labelled picture to the models once. @throws one sentence when a picture or a label cannot be used */
export async function judgeCrops(
  folder: string,
  labels: Labels,
  judges: readonly AttributeModel[],
): Promise<KeyScores> {
  const scores = new KeyScores();
  const names = Object.entries(labels);
  const bar = progress('attributes', names.length, 'pictures');
  for (const [at, [name, { box, attributes }]] of names.entries()) {
    const frame = await readFrame(join(folder, name), box);
    const sight = { frame, box: { left: 0, top: 0, right: 1, bottom: 1 } };
    for (const [judgeAt, judge] of judges.entries()) {
      const said = await sayings(judge, sight);
      for (const [key, isTrue] of Object.entries(attributes)) {
        if (judgeAt > 0 && judges.slice(0, judgeAt).some((earlier) => knows(earlier, key))) continue;
        if (knows(judge, key)) scores.add(key, isTrue, said.get(key) ?? null);
      }
    }
    for (const [key, isTrue] of Object.entries(attributes)) {
      if (!judges.some((judge) => knows(judge, key))) scores.add(key, isTrue, null);
    }
    bar.update(at + 1);
  }
  bar.stop();
  return scores;
}

const knows = (judge: AttributeModel, key: string): boolean =>
  judge.keys.includes(key as AttributeKey) ||
  (judge instanceof CardAttributeModel && judge.outputs.some(({ name }) => name === key));

/** Our keys, and the model's own outputs by their names. */
async function sayings(
  judge: AttributeModel,
  sight: Parameters<AttributeModel['classify']>[0],
): Promise<Map<string, boolean>> {
  const votes = new Votes();
  votes.add(await judge.classify(sight), { timeMs: 0, weight: 1 });
  const { known, attributes } = votes.result();
  const said = new Map<string, boolean>(
    ALL_ATTRIBUTE_KEYS.filter((key) => known.includes(key)).map((key) => [key, attributes.includes(key)]),
  );
  if (judge instanceof CardAttributeModel) {
    const scores = await judge.scores(sight);
    for (const [at, { name, threshold }] of judge.outputs.entries()) said.set(name, scores[at]! >= threshold);
  }
  return said;
}

const ENLARGED = 4;

async function readFrame(file: string, box: Labels[string]['box']) {
  try {
    const [left = 0, top = 0, right = 0, bottom = 0] = box ?? [];
    const whole = sharp(file).removeAlpha().toColourspace('srgb');
    const part = box ? whole.extract({ left, top, width: right - left, height: bottom - top }) : whole;
    // Cameras' pictures keep colours at half the size: enlarged, a small crop loses none of them.
    const { width, height } = await part
      .clone()
      .png()
      .toBuffer({ resolveWithObject: true })
      .then(({ info }) => info);
    const enlarged = part.resize(ENLARGED * width, ENLARGED * height, { kernel: 'nearest', fit: 'fill' });
    const { data, info } = await enlarged.raw().toBuffer({ resolveWithObject: true });
    return frameOf(data, info);
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}.`);
  }
}
