import { createHash } from 'node:crypto';
import type { Message } from './connection.ts';
import { discoveryOf, discoveryTopics } from './discovery.ts';
import { presentState } from './present.ts';
import type { SceneNow } from './scenes.store.ts';
import type { ScenePlace, Topics } from './topics.ts';

interface Known {
  readonly userId: string;
  /** Digest of the state. */
  state: string;
  /** What its discovery depends on; null: not published. */
  discovery: string | null;
}

/** Places of unknown scenes that are kept; a broker can send any number. */
const MOST_UNKNOWN = 100_000;

export interface PublishedOptions {
  readonly topics: Topics;
  readonly bridgeId: string;
  readonly hasDiscovery: boolean;
  readonly pageAddressOf: (scene: SceneNow) => string;
}

/** Messages, by what they are for. */
export interface Changes {
  readonly messages: readonly Message[];
  readonly counts: Readonly<Record<'state' | 'discovery' | 'removal', number>>;
}

/** What the broker has of the scenes, so that only changes are published. It lasts as long as a connection. */
export class Published {
  readonly #options: PublishedOptions;
  readonly #known = new Map<string, Known>();
  /** States on the broker that an earlier connection of this installation has published. */
  readonly #found = new Map<string, ScenePlace>();

  constructor(options: PublishedOptions) {
    this.#options = options;
  }

  /** The broker sent a retained state. Those of other installations are left alone. */
  find(topic: string, text: string): void {
    const place = this.#options.topics.placeOfState(topic);
    if (!place || this.#found.size >= MOST_UNKNOWN) return;
    if (bridgeOf(text) === this.#options.bridgeId) this.#found.set(place.sceneId, place);
  }

  /** Home Assistant has started: every discovery is published again. */
  forgetDiscovery(): void {
    for (const known of this.#known.values()) known.discovery = null;
  }

  /** What has changed about these scenes. From now on it counts as published. */
  change(scenes: readonly SceneNow[]): Changes {
    const messages: Message[] = [];
    const counts = { state: 0, discovery: 0, removal: 0 };
    for (const scene of scenes) {
      const known = this.#known.get(scene.sceneId) ?? { userId: scene.userId, state: '', discovery: null };
      this.#known.set(scene.sceneId, known);
      const shown = presentState(scene, this.#options.bridgeId);
      const state = digestOf(shown);
      // The state first: the next connection finds the scene by it, also when this one ends in between.
      if (state !== known.state) {
        known.state = state;
        counts.state += 1;
        messages.push({
          topic: this.#options.topics.state(scene),
          text: JSON.stringify(shown),
          retain: true,
        });
      }
      const discovery = JSON.stringify([scene.deviceName, scene.name, scene.zones]);
      if (!this.#options.hasDiscovery || discovery === known.discovery) continue;
      known.discovery = discovery;
      counts.discovery += 1;
      messages.push(...this.#discover(scene));
    }
    return { messages, counts };
  }

  /** Removes what is on the broker of scenes that are not among these, which are all there are. */
  removeOthers(sceneIds: ReadonlySet<string>): Changes {
    const gone = [
      ...[...this.#known].map(([sceneId, { userId }]) => ({ sceneId, userId })),
      ...this.#found.values(),
    ].filter(({ sceneId }) => !sceneIds.has(sceneId));
    this.#found.clear();
    for (const { sceneId } of gone) this.#known.delete(sceneId);
    const messages = gone.flatMap((place) =>
      removalOf(place, this.#options.topics, this.#options.hasDiscovery),
    );
    return { messages, counts: { state: 0, discovery: 0, removal: gone.length } };
  }

  #discover(scene: SceneNow): Message[] {
    const { topics, pageAddressOf } = this.#options;
    return discoveryOf(scene, topics, pageAddressOf(scene)).map(({ topic, config }) => ({
      topic,
      text: config === null ? '' : JSON.stringify(config),
      retain: true,
    }));
  }
}

/** The state comes last: as long as it exists, a next connection removes the rest. */
const removalOf = (place: ScenePlace, topics: Topics, hasDiscovery: boolean): Message[] =>
  [...(hasDiscovery ? discoveryTopics(place, topics) : []), topics.state(place)].map((topic) => ({
    topic,
    text: '',
    retain: true,
  }));

/** The time of the measurement alone is published once a minute. */
function digestOf(state: ReturnType<typeof presentState>): string {
  const text = JSON.stringify({
    ...state,
    measuredAt: state.measuredAt?.slice(0, 'yyyy-mm-ddThh:mm'.length),
  });
  return createHash('sha256').update(text).digest('base64');
}

function bridgeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { bridgeId?: unknown } | null)?.bridgeId;
  } catch {
    return undefined;
  }
}
