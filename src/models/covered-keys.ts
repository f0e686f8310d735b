import { EMBEDDED } from '../vision/attributes/attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS, ATTRIBUTE_CATEGORIES, type AttributeKey } from '../vision/attributes/keys.ts';
import type { AttributesCard } from './attribute-card.ts';
import { readAttributeCard } from './cards.ts';

/** The keys that the embedded networks and the detector answer; gender and age only for a face that is large enough. */
export const EMBEDDED_KEYS: readonly AttributeKey[] = [
  ...ATTRIBUTE_CATEGORIES.gender,
  ...ATTRIBUTE_CATEGORIES.age,
  ...ATTRIBUTE_CATEGORIES.orientation,
  'handBag',
  'backpack',
  'shortSleeve',
  'longSleeve',
  'trousers',
  'shorts',
  'skirtDress',
  ...ATTRIBUTE_CATEGORIES.upperColour,
];

/** The keys that the outputs of an attribute network answer, in the order of the specification. */
export function keysOfCard({ outputs }: Pick<AttributesCard, 'outputs'>): AttributeKey[] {
  const named = outputs.flatMap(({ yes, no }) => [yes, no]);
  return ALL_ATTRIBUTE_KEYS.filter((key) => named.includes(key));
}

/**
 * The keys that the models together can answer, in the order of the specification.
 * @param names as in ATTRIBUTE_MODELS
 * @throws Error with one sentence for a model without a card
 */
export async function coveredKeys(names: readonly string[], modelsDir: string): Promise<AttributeKey[]> {
  const covered = new Set<AttributeKey>();
  for (const name of names) {
    for (const key of name === EMBEDDED ? EMBEDDED_KEYS : await keysOfModel(modelsDir, name))
      covered.add(key);
  }
  return ALL_ATTRIBUTE_KEYS.filter((key) => covered.has(key));
}

async function keysOfModel(modelsDir: string, name: string): Promise<readonly AttributeKey[]> {
  const card = await readAttributeCard(modelsDir, name);
  return card.task === 'attributes' ? keysOfCard(card) : [];
}
