import { type AttributeModel, type Crop, EMBEDDED } from './attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey, type Classification } from './keys.ts';

/** Several attribute models as one: the first model that has a key owns it. */
export class CombinedAttributeModel implements AttributeModel {
  readonly name: string;
  readonly keys: readonly AttributeKey[];
  /** The keys of bags that the embedded default owns: the detector finds bags, in every frame. */
  readonly bagKeys: readonly ('handBag' | 'backpack')[];
  /** In the order of ownership. */
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
    const embedded = this.#owned.find(({ model }) => model.name === EMBEDDED)?.keys ?? [];
    this.bagKeys = (['handBag', 'backpack'] as const).filter((key) => embedded.includes(key));
  }

  async classify(crop: Crop, wanted: readonly AttributeKey[] = this.keys): Promise<Classification> {
    const all: Classification = {};
    for (const { model, keys: owned } of this.#owned) {
      const keys = owned.filter((key) => wanted.includes(key));
      if (keys.length === 0) continue;
      const found = await model.classify(crop, keys);
      for (const key of keys) if (found[key] !== undefined) all[key] = found[key];
    }
    return all;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.all.map((model) => model.dispose()));
  }
}
