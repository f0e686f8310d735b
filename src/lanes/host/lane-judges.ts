import type { Logger } from 'pino';
import { loadJudges, prepareJudges } from '../../models/load-judges.ts';
import type { Judges } from '../../vision/attributes/judges.ts';
import type { LaneOptions } from '../lane-protocol.ts';

type Options = Pick<LaneOptions, 'attributeModels' | 'modelsDir' | 'cacheDir'>;

/** The attribute models of a lane: made ready at its start, opened when the first camera wants them. */
export class LaneJudges {
  readonly #options: Options;
  readonly #log: Logger;
  #judges: Judges | null = null;
  #opening: Promise<void> | null = null;

  constructor(options: Options, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  /** @throws Error saying why a model cannot be used */
  prepare(): Promise<void> {
    const { attributeModels, ...place } = this.#options;
    return prepareJudges(attributeModels, {
      ...place,
      onProgress: (sentence: string) => this.#log.info(sentence),
    });
  }

  /** null until they are open. */
  get(): Judges | null {
    if (!this.#judges && !this.#opening && this.#options.attributeModels.length > 0) {
      this.#opening = loadJudges(this.#options.attributeModels, this.#options).then(
        (judges) => {
          this.#judges = judges;
        },
        (error: unknown) => this.#log.error({ err: error }, 'attribute models cannot be opened'),
      );
    }
    return this.#judges;
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#judges?.dispose();
    this.#judges = null;
  }
}
