import { type AttributeJudge, EMBEDDED, type Sight } from './judge.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey, type Opinion } from './keys.ts';

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
