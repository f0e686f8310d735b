import { type AttributeModel, EMBEDDED } from '../vision/attributes/attribute-model.ts';
import { CombinedAttributeModel } from '../vision/attributes/combined-attribute-model.ts';
import { CardAttributeModel } from './card-attribute-model.ts';
import { readAttributeCard } from './cards.ts';
import type { NetworkPlace } from './crop-network.ts';
import { EmbeddedAttributeModel } from './embedded-attribute-model.ts';
import { type ModelPlace, prepareModel } from './model-store.ts';

/** Networks of the embedded default. */
const PARTS = ['movenet-lightning', 'blazeface-front', 'faceres'];

/** The networks of the models. */
export const networksOf = (models: readonly string[]): string[] =>
  models.flatMap((name) => (name === EMBEDDED ? PARTS : [name]));

/** Converts the networks of the models, so that opening them is quick. @throws Error with one sentence that says what to do */
export async function prepareAttributeModels(names: readonly string[], place: ModelPlace): Promise<void> {
  for (const name of networksOf(names)) {
    await prepareModel(await readAttributeCard(place.modelsDir, name), place);
  }
}

/** @param names the first model that knows a key answers it @throws Error with one sentence that says what to do */
export async function loadAttributeModels(
  names: readonly string[],
  place: NetworkPlace,
): Promise<CombinedAttributeModel> {
  const models: AttributeModel[] = [];
  for (const name of names) models.push(await openAttributeModel(name, place));
  return new CombinedAttributeModel(models);
}

async function openAttributeModel(name: string, place: NetworkPlace): Promise<AttributeModel> {
  if (name === EMBEDDED) return EmbeddedAttributeModel.open(place);
  const card = await readAttributeCard(place.modelsDir, name);
  if (card.task === 'attributes') return CardAttributeModel.open(card, place);
  throw new Error(`The model ${name} is a part of the model ${EMBEDDED}: name that one in ATTRIBUTE_MODELS.`);
}
