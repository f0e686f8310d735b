/** A scene of a user: what a topic is about. */
export interface ScenePlace {
  readonly userId: string;
  readonly sceneId: string;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The topics of an installation. The user's id stands in each topic that tells something of a user, as a level of its own, so that
 * the access list of a broker can give a user only these.
 */
export class Topics {
  readonly #prefix: string;
  readonly #discovery: string | null;
  readonly #state: RegExp;

  /** @param discoveryPrefix null: no discovery */
  constructor(prefix: string, discoveryPrefix: string | null) {
    this.#prefix = prefix;
    this.#discovery = discoveryPrefix;
    const escaped = prefix.replaceAll('.', '\\.');
    this.#state = new RegExp(`^${escaped}/(${UUID})/(${UUID})/state$`);
  }

  /** `online` or `offline`: whether anybody publishes. */
  get status(): string {
    return `${this.#prefix}/status`;
  }

  /** Filter of the states of all scenes. */
  get allStates(): string {
    return `${this.#prefix}/+/+/state`;
  }

  /** Where Home Assistant says that it has started; null without discovery. */
  get birth(): string | null {
    return this.#discovery === null ? null : `${this.#discovery}/status`;
  }

  state({ userId, sceneId }: ScenePlace): string {
    return `${this.#prefix}/${userId}/${sceneId}/state`;
  }

  alert({ userId, sceneId }: ScenePlace): string {
    return `${this.#prefix}/${userId}/${sceneId}/alert`;
  }

  advice({ userId, sceneId }: ScenePlace): string {
    return `${this.#prefix}/${userId}/${sceneId}/advice`;
  }

  unusual({ userId, sceneId }: ScenePlace): string {
    return `${this.#prefix}/${userId}/${sceneId}/unusual`;
  }

  /** @param component e.g. `sensor` */
  discovery(component: string, { userId, sceneId }: ScenePlace, key: string): string {
    return `${this.#discovery}/${component}/${userId}/${sceneId}_${key}/config`;
  }

  /** @returns null for a topic that is not the state of a scene */
  placeOfState(topic: string): ScenePlace | null {
    const [, userId, sceneId] = this.#state.exec(topic) ?? [];
    return userId && sceneId ? { userId, sceneId } : null;
  }
}
