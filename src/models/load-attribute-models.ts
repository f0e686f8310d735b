import { type AttributeModel, EMBEDDED } from '../vision/attributes/attribute-model.ts';
import { CombinedAttributeModel } from '../vision/attributes/combined-attribute-model.ts';
import type { AttributeCard } from './attribute-card.ts';
import { CardAttributeModel } from './card-attribute-model.ts';
import { readAttributeCard } from './cards.ts';
import type { NetworkPlace } from './crop-network.ts';
import { EmbeddedAttributeModel } from './embedded-attribute-model.ts';

/** Networks of the embedded default. */
const PARTS = ['movenet-lightning', 'blazeface-front', 'faceres'];

/** The networks of the models. */
export const networksOf = (models: readonly string[]): string[] =>
  models.flatMap((name) => (name === EMBEDDED ? PARTS : [name]));

/** The cards of these networks. @throws Error with one sentence that says what to do */
export const cardsOfNetworks = (models: readonly string[], modelsDir: string): Promise<AttributeCard[]> =>
  Promise.all(networksOf(models).map((name) => readAttributeCard(modelsDir, name)));

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
