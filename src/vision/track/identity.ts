import { KnownLook, type SeenLook } from './look.ts';
import type { TrackerOptions } from './options.ts';

type IdentityOptions = Pick<TrackerOptions, 'knownSightings' | 'strangerLook' | 'newLookSightings'>;

/** Somebody else than expected, seen several times in a row. */
interface Stranger {
  readonly look: KnownLook;
  readonly sinceMs: number;
  sightings: number;
}

/**
 * What somebody looks like, learned from sure sightings with nobody before it. Unlike the look that prices a pair
 * it does not follow when the track goes over to another person, so it can tell that this happened.
 */
export class Identity {
  readonly #options: IdentityOptions;
  #look: KnownLook;
  #sightings = 1;
  #ownMs: number;
  #stranger: Stranger | null = null;

  constructor(options: IdentityOptions, seen: SeenLook, timeMs: number) {
    this.#options = options;
    this.#look = new KnownLook(seen);
    this.#ownMs = timeMs;
  }

  get isKnown(): boolean {
    return this.#sightings >= this.#options.knownSightings;
  }

  /** Time of the last sighting that showed this person. */
  get ownMs(): number {
    return this.#ownMs;
  }

  /** Who is seen in this person's place since then; null while it is the person itself. */
  get stranger(): Readonly<Stranger> | null {
    return this.#stranger;
  }

  /** @param seen torso and legs, of one person */
  see(seen: SeenLook, timeMs: number): void {
    const { strangerLook, newLookSightings } = this.#options;
    if (!this.isKnown || this.#look.difference(seen)! <= strangerLook) {
      this.#look.learn(seen);
      this.#sightings++;
      this.beItself(timeMs);
      return;
    }
    if (this.#stranger) {
      this.#stranger.look.learn(seen);
      this.#stranger.sightings++;
    } else this.#stranger = { look: new KnownLook(seen), sinceMs: timeMs, sightings: 1 };
    // Nobody claims the look for so long: a coat was taken off, or the light has changed.
    if (this.#stranger.sightings > newLookSightings) {
      this.#look = this.#stranger.look;
      this.beItself(timeMs);
    }
  }

  /** Mean difference of the colours, 0-255. */
  difference(look: KnownLook): number {
    return this.#look.difference(look.whole)!;
  }

  beItself(timeMs: number): void {
    this.#ownMs = timeMs;
    this.#stranger = null;
  }
}
