import type { Logger } from 'pino';
import { loadAttributeModels, prepareAttributeModels } from '../../models/load-attribute-models.ts';
import type { CombinedAttributeModel } from '../../vision/attributes/combined-attribute-model.ts';
import type { LaneOptions } from '../lane-protocol.ts';

type Options = Pick<LaneOptions, 'attributeModels' | 'modelsDir' | 'cacheDir'>;

/** The attribute models of a lane: made ready at its start, opened when the first camera wants them. */
export class LaneAttributeModels {
  readonly #options: Options;
  readonly #log: Logger;
  #models: CombinedAttributeModel | null = null;
  #opening: Promise<void> | null = null;

  constructor(options: Options, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /** @throws Error saying why a model cannot be used */
  prepare(): Promise<void> {
    const { attributeModels, ...place } = this.#options;
    return prepareAttributeModels(attributeModels, {
      ...place,
      onProgress: (sentence: string) => this.#log.info(sentence),
    });
  }

  /** null until they are open. */
  get(): CombinedAttributeModel | null {
    if (!this.#models && !this.#opening && this.#options.attributeModels.length > 0) {
      this.#opening = loadAttributeModels(this.#options.attributeModels, this.#options).then(
        (models) => {
          this.#models = models;
        },
        (error: unknown) => this.#log.error({ err: error }, 'attribute models cannot be opened'),
      );
    }
    return this.#models;
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#models?.dispose();
    this.#models = null;
  }
}
