import type { AttributeModel, Crop } from '../vision/attributes/attribute-model.ts';
import type { AttributeKey, Classification } from '../vision/attributes/keys.ts';
import { takeFrom } from '../vision/detect/outputs.ts';
import type { AttributeOutput, AttributesCard } from './attribute-card.ts';
import { keysOfCard } from './covered-keys.ts';
import { CropNetwork, type NetworkPlace } from './crop-network.ts';
import { isMirrored, SCORES } from './ready-network.ts';

/** An attribute network with the outputs of its card. */
export class CardAttributeModel implements AttributeModel {
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

  static async open(card: AttributesCard, place: NetworkPlace): Promise<CardAttributeModel> {
    return new CardAttributeModel(card, await CropNetwork.open(card, place));
  }

  /** @returns a probability for each of the card's outputs */
  async scores({ frame, box }: Crop): Promise<Float32Array> {
    const part = {
      left: box.left * frame.width,
      top: box.top * frame.height,
      right: box.right * frame.width,
      bottom: box.bottom * frame.height,
    };
    const scoresOf = async (isReversed: boolean) =>
      takeFrom(await this.#network.run(frame, part, isReversed))(SCORES);
    const scores = await scoresOf(false);
    if (!isMirrored(this.#network.card)) return scores;
    const mirrored = await scoresOf(true);
    return scores.map((score, at) => (score + mirrored[at]!) / 2);
  }

  async classify(crop: Crop): Promise<Classification> {
    return classificationOf(this.outputs, await this.scores(crop));
  }

  dispose(): Promise<void> {
    return this.#network.dispose();
  }
}

/** Scales the probabilities so that the threshold of every output becomes one half. */
export function classificationOf(outputs: readonly AttributeOutput[], scores: Float32Array): Classification {
  const classification: Classification = {};
  for (const [at, { yes, no, threshold }] of outputs.entries()) {
    const score = scores[at]!;
    const value = score < threshold ? (0.5 * score) / threshold : 1 - (0.5 * (1 - score)) / (1 - threshold);
    if (yes) classification[yes] = value;
    if (no) classification[no] = 1 - value;
  }
  return classification;
}
