import { type AttributeJudge, EMBEDDED } from '../vision/attributes/judge.ts';
import { Judges } from '../vision/attributes/judges.ts';
import { readNetworkCard } from './card-files.ts';
import { CardJudge } from './card-judge.ts';
import { EmbeddedJudge } from './embedded-judge.ts';
import { type NetworkPlace, prepareNetwork } from './network-store.ts';

/** Networks of the embedded judge. */
const PARTS = ['movenet-lightning', 'blazeface-front', 'faceres'];

/** Converts what the named models need, so that opening them is quick. @throws one sentence saying what to do */
export async function prepareJudges(names: readonly string[], place: NetworkPlace): Promise<void> {
  for (const name of names.flatMap((wanted) => (wanted === EMBEDDED ? PARTS : [wanted]))) {
    await prepareNetwork(await readNetworkCard(place.modelsDir, name), place);
  }
}

/** @param names in the order in which they own keys; @throws one sentence saying what to do */
export async function loadJudges(names: readonly string[], place: NetworkPlace): Promise<Judges> {
  const judges: AttributeJudge[] = [];
  for (const name of names) judges.push(await openJudge(name, place));
  return new Judges(judges);
}

async function openJudge(name: string, place: NetworkPlace): Promise<AttributeJudge> {
  if (name === EMBEDDED) return EmbeddedJudge.open(place);
  const card = await readNetworkCard(place.modelsDir, name);
  if (card.task === 'attributes') return CardJudge.open(card, place);
  throw new Error(`The model ${name} is a part of the model ${EMBEDDED}: name that one in ATTRIBUTE_MODELS.`);
}
