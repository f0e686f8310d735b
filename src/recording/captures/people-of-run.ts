import type { Capture } from '../../attributes/capture.ts';
import type { RunObservation, RunPeople } from '../../lanes/lane-protocol.ts';
import type { RunAttributes } from '../../runs/run-stats.ts';
import { isCaptureTime, SETTLE_MS } from '../../vision/attributes/capture-times.ts';
import { ALL_ATTRIBUTE_KEYS, ATTRIBUTE_CATEGORIES, type AttributeKey } from '../../vision/attributes/keys.ts';

/** Which way somebody is turned is not known from an older look. */
const TURNED_MS = 3_000;
/** Who was not seen for so long is forgotten. */
const FORGET_MS = 60_000;
const TURNED: ReadonlySet<AttributeKey> = new Set(ATTRIBUTE_CATEGORIES.orientation);

type Observation = Pick<RunObservation['observation'], 'timeMs' | 'tracks'>;
type Told = RunPeople['people'][number];

interface Person {
  told: Told | null;
  seenAtMs: number;
}

/** Whom a run sees, and what the lane has told about them. */
export class PeopleOfRun {
  readonly #people = new Map<number, Person>();
  readonly #told = new Map<AttributeKey, number>();
  #captured = 0;
  #lastTimeMs: number | null = null;
  /** The last moment of capture, until it is taken. */
  #moment: Observation | null = null;
  readonly #coveredKeys: readonly AttributeKey[];

  /** @param coveredKeys the keys that the networks in use can tell at all */
  constructor(coveredKeys: readonly AttributeKey[]) {
    this.#coveredKeys = coveredKeys;
  }

  learn(people: readonly Told[]): void {
    for (const told of people) {
      const known = this.#people.get(told.trackId);
      if (known) known.told = told;
      else if (this.#lastTimeMs !== null)
        this.#people.set(told.trackId, { told, seenAtMs: this.#lastTimeMs });
    }
  }

  observe(observation: Observation): void {
    const { timeMs, tracks } = observation;
    for (const { id } of tracks) {
      const known = this.#people.get(id);
      if (known) known.seenAtMs = timeMs;
      else this.#people.set(id, { told: null, seenAtMs: timeMs });
    }
    for (const [id, { seenAtMs }] of this.#people) if (timeMs - seenAtMs > FORGET_MS) this.#people.delete(id);
    if (isCaptureTime(this.#lastTimeMs, timeMs)) this.#moment = tracks.length > 0 ? observation : null;
    this.#lastTimeMs = timeMs;
  }

  /** The periodic capture, once, as soon as everybody of its moment has been looked at. */
  take(): Capture | null {
    const moment = this.#moment;
    if (!moment || this.#lastTimeMs === null || this.#lastTimeMs - moment.timeMs < SETTLE_MS) return null;
    this.#moment = null;
    const capture = this.capture(moment);
    if (capture) this.#count(capture);
    return capture;
  }

  /** Who is in the picture, also those of whom nothing is known yet; null when nobody is. */
  capture({ timeMs, tracks }: Observation): Capture | null {
    if (tracks.length === 0) return null;
    const persons = tracks.map(({ id: trackId, box }) => {
      const told = this.told(trackId, timeMs);
      const { confidence = 0, attributes = [], known = [] } = told ?? {};
      return { trackId, box, confidence, attributes, known };
    });
    return { atMs: timeMs, persons, coveredKeys: this.#coveredKeys };
  }

  /** What is known of somebody at a time. */
  told(trackId: number, timeMs: number): Told | null {
    const told = this.#people.get(trackId)?.told;
    if (!told) return null;
    if (timeMs - told.classifiedAtMs <= TURNED_MS) return told;
    const lasting = (keys: readonly AttributeKey[]) => keys.filter((key) => !TURNED.has(key));
    return { ...told, attributes: lasting(told.attributes), known: lasting(told.known) };
  }

  /** Of how many captured persons each key could be told; null before the first capture. */
  coverage(models: readonly string[]): RunAttributes | null {
    if (this.#captured === 0) return null;
    const share = (key: AttributeKey) =>
      Math.round(((this.#told.get(key) ?? 0) / this.#captured) * 1000) / 1000;
    const coverage = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, share(key)]));
    return { models, persons: this.#captured, coveredKeys: this.#coveredKeys, coverage };
  }

  #count({ persons }: Capture): void {
    this.#captured += persons.length;
    for (const { known } of persons) {
      for (const key of known) this.#told.set(key, (this.#told.get(key) ?? 0) + 1);
    }
  }
}
