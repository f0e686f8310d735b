import { readNetworkCard } from './card-files.ts';
import { CardJudge } from './card-judge.ts';
import { EMBEDDED } from './covered-keys.ts';
import { EmbeddedJudge } from './embedded-judge.ts';
import type { AttributeJudge, Sight } from './judge.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey, type Opinion } from './keys.ts';
import { type NetworkPlace, prepareNetwork } from './network-store.ts';

/** Several judges as one: each key is said by the first that can. */
export class Judges implements AttributeJudge {
  readonly name: string;
  readonly keys: readonly AttributeKey[];
  /** Bags are seen by the detector, frame by frame. */
  readonly ownsBags: boolean;
  /** In the order in which they own keys. */
  readonly all: readonly AttributeJudge[];
  readonly #owned: readonly { judge: AttributeJudge; keys: readonly AttributeKey[] }[];

  constructor(judges: readonly AttributeJudge[]) {
    this.all = judges;
    this.name = judges.map(({ name }) => name).join('+');
    this.#owned = judges.map((judge, at) => ({
      judge,
      keys: judge.keys.filter((key) => !judges.slice(0, at).some(({ keys }) => keys.includes(key))),
    }));
    this.keys = ALL_ATTRIBUTE_KEYS.filter((key) => this.#owned.some(({ keys }) => keys.includes(key)));
    this.ownsBags = this.owns(EMBEDDED, 'handBag') || this.owns(EMBEDDED, 'backpack');
  }

  owns(name: string, key: AttributeKey): boolean {
    return this.#owned.some(({ judge, keys }) => judge.name === name && keys.includes(key));
  }

  async look(sight: Sight): Promise<Opinion> {
    const opinion: Opinion = {};
    for (const { judge, keys } of this.#owned) {
      if (keys.length === 0) continue;
      const said = await judge.look(sight);
      for (const key of keys) if (said[key] !== undefined) opinion[key] = said[key];
    }
    return opinion;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#owned.map(({ judge }) => judge.dispose()));
  }
}

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
