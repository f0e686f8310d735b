import { z } from 'zod';
import type { AttributeKey } from '../../../src/vision/attributes/keys.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';

const flag = z.boolean();
const FLAGS = {
  ...{ hat: flag, glasses: flag, handBag: flag, shoulderBag: flag, backpack: flag },
  ...{ holdObjectsInFront: flag, longCoat: flag, boots: flag },
};
const Person = z.looseObject({
  id: z.int(),
  attributes: z.looseObject({
    gender: z.enum(['female', 'male']),
    age: z.enum(['ageLess18', 'age18To60', 'ageOver60']),
    sleeve: z.enum(['shortSleeve', 'longSleeve']),
    lower: z.enum(['trousers', 'shorts', 'skirtDress']),
    upperColour: z.string(),
    ...FLAGS,
  }),
});
/** Person id, left, top, right, bottom in pixels, visible share, facing. */
const box = z.tuple([z.int(), z.number(), z.number(), z.number(), z.number(), z.number(), z.int()]);

/** The part of FILE.truth.json that describes who was drawn where and how. */
export const DrawnTruth = z.looseObject({
  fps: z.number().positive(),
  width: z.number().positive(),
  height: z.number().positive(),
  zones: sceneConfigSchema.shape.zones,
  parameters: sceneConfigSchema.shape.parameters,
  persons: z.array(Person),
  boxes: z.array(z.array(box)),
});
export type DrawnTruth = z.infer<typeof DrawnTruth>;

/** The attributes of a drawn person, without the orientation. */
export function wornKeys({ attributes }: DrawnTruth['persons'][number]): string[] {
  const { gender, age, sleeve, lower, upperColour } = attributes;
  const colour = `upper${upperColour.charAt(0).toUpperCase()}${upperColour.slice(1)}`;
  const flags = Object.keys(FLAGS) as (keyof typeof FLAGS)[];
  return [gender, age, sleeve, lower, colour, ...flags.filter((name) => attributes[name])];
}

/** @param facing eighths of a turn: 0 the back, 2 looks right, 4 the face */
export function orientationKey(facing: number): AttributeKey {
  if (facing >= 3 && facing <= 5) return 'front';
  return facing === 2 || facing === 6 ? 'side' : 'back';
}
