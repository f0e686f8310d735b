import { type AttributeModel, type Crop, EMBEDDED } from './attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey, type Classification } from './keys.ts';

/** Several models as one: each key is said by the first that can. */
export class CombinedAttributeModel implements AttributeModel {
  readonly name: string;
  readonly keys: readonly AttributeKey[];
  /** Bags are seen by the detector, frame by frame. */
  readonly ownsBags: boolean;
  /** In the order in which they own keys. */
  readonly all: readonly AttributeModel[];
  readonly #owned: readonly { model: AttributeModel; keys: readonly AttributeKey[] }[];

  constructor(models: readonly AttributeModel[]) {
    this.all = models;
    this.name = models.map(({ name }) => name).join('+');
    this.#owned = models.map((model, at) => ({
      model,
      keys: model.keys.filter((key) => !models.slice(0, at).some(({ keys }) => keys.includes(key))),
    }));
    this.keys = ALL_ATTRIBUTE_KEYS.filter((key) => this.#owned.some(({ keys }) => keys.includes(key)));
    this.ownsBags = this.owns(EMBEDDED, 'handBag') || this.owns(EMBEDDED, 'backpack');
  }

  owns(name: string, key: AttributeKey): boolean {
    return this.#owned.some(({ model, keys }) => model.name === name && keys.includes(key));
  }

  async classify(crop: Crop): Promise<Classification> {
    const classification: Classification = {};
    for (const { model, keys } of this.#owned) {
      if (keys.length === 0) continue;
      const said = await model.classify(crop);
      for (const key of keys) if (said[key] !== undefined) classification[key] = said[key];
    }
    return classification;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#owned.map(({ model }) => model.dispose()));
  }
}
