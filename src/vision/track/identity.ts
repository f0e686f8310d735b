import { shifted } from '../geometry.ts';
import type { Box, SeenLook } from '../types.ts';
import { KnownLook } from './look.ts';
import type { TrackerOptions } from './options.ts';

type IdentityOptions = Pick<TrackerOptions, 'knownSightings' | 'strangerLook' | 'newLookSightings'>;

/** Somebody else than expected, seen several times in a row. */
interface Stranger {
  readonly look: KnownLook;
  readonly sinceMs: number;
  sightings: number;
}

/** When and where somebody was seen. */
export interface Sighting {
  readonly box: Box;
  readonly timeMs: number;
}

/**
 * What somebody looks like, learned from sure sightings with nobody before it. Unlike the look that prices a pair
 * it does not follow when the track goes over to another person, so it can tell that this happened.
 */
export class Identity {
  readonly #options: IdentityOptions;
  #look: KnownLook;
  #sightings = 1;
  #own: Sighting;
  #stranger: Stranger | null = null;

  constructor(options: IdentityOptions, seen: SeenLook, at: Sighting) {
    this.#options = options;
    this.#look = new KnownLook(seen);
    this.#own = at;
  }

  get isKnown(): boolean {
    return this.#sightings >= this.#options.knownSightings;
  }

  /** The last sighting that showed this person. */
  get own(): Sighting {
    return this.#own;
  }

  /** What this person wears. */
  get look(): KnownLook {
    return this.#look;
  }

  /** How often this person was surely seen. */
  get sightings(): number {
    return this.#sightings;
  }

  /** Who is seen in this person's place since then; null while it is the person itself. */
  get stranger(): Readonly<Stranger> | null {
    return this.#stranger;
  }

  /** @param seen torso and legs, of one person */
  see(seen: SeenLook, at: Sighting): void {
    const { strangerLook, newLookSightings } = this.#options;
    if (!this.isKnown || this.#look.difference(seen)! <= strangerLook) {
      this.#look.learn(seen);
      this.#sightings++;
      this.beItself(at);
      return;
    }
    if (this.#stranger) {
      this.#stranger.look.learn(seen);
      this.#stranger.sightings++;
    } else this.#stranger = { look: new KnownLook(seen), sinceMs: at.timeMs, sightings: 1 };
    // Nobody claims the look for so long: a coat was taken off, or the light has changed.
    if (this.#stranger.sightings > newLookSightings) {
      this.#look = this.#stranger.look;
      this.beItself(at);
    }
  }

  /** Mean difference of the colours, 0-255. */
  difference(look: KnownLook): number {
    return this.#look.difference(look.whole)!;
  }

  /** The camera moved. */
  shift(dx: number, dy: number): void {
    this.#own = { ...this.#own, box: shifted(this.#own.box, dx, dy) };
  }

  beItself(own: Sighting): void {
    this.#own = own;
    this.#stranger = null;
  }
}
