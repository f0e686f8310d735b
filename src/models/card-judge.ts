import type { AttributeJudge, Sight } from '../vision/attributes/judge.ts';
import type { AttributeKey, Opinion } from '../vision/attributes/keys.ts';
import type { AttributeOutput, AttributesCard } from './attribute-card.ts';
import { isMirrored, SCORES } from './convert/build-network.ts';
import { keysOfCard } from './covered-keys.ts';
import { CropNetwork } from './crop-network.ts';
import type { NetworkPlace } from './network-store.ts';

/** An attribute network, read by its card. */
export class CardJudge implements AttributeJudge {
  readonly name: string;
  readonly keys: readonly AttributeKey[];
  readonly outputs: readonly AttributeOutput[];
  readonly #network: CropNetwork;

  private constructor(card: AttributesCard, network: CropNetwork) {
    this.name = card.name;
    this.outputs = card.outputs;
    this.keys = keysOfCard(card);
    this.#network = network;
  }

  static async open(card: AttributesCard, place: NetworkPlace): Promise<CardJudge> {
    return new CardJudge(card, await CropNetwork.open(card, place));
  }

  /** @returns a probability for each of the card's outputs */
  async scores({ picture, box }: Sight): Promise<Float32Array> {
    const part = {
      left: box.left * picture.width,
      top: box.top * picture.height,
      right: box.right * picture.width,
      bottom: box.bottom * picture.height,
    };
    const scores = (await this.#network.run(picture, part))[SCORES]!;
    if (!isMirrored(this.#network.card)) return scores;
    const mirrored = (await this.#network.run(picture, part, true))[SCORES]!;
    return scores.map((score, at) => (score + mirrored[at]!) / 2);
  }

  async look(sight: Sight): Promise<Opinion> {
    return opinionOf(this.outputs, await this.scores(sight));
  }

  dispose(): Promise<void> {
    return this.#network.dispose();
  }
}

/** Probabilities as opinions, in which every threshold lies at one half. */
export function opinionOf(outputs: readonly AttributeOutput[], scores: Float32Array): Opinion {
  const opinion: Opinion = {};
  for (const [at, { yes, no, threshold }] of outputs.entries()) {
    const score = scores[at]!;
    const value = score < threshold ? (0.5 * score) / threshold : 1 - (0.5 * (1 - score)) / (1 - threshold);
    if (yes) opinion[yes] = value;
    if (no) opinion[no] = 1 - value;
  }
  return opinion;
}
