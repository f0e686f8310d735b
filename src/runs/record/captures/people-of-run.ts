import type { Capture } from '../../../attributes/capture.ts';
import type { RunObservation, RunPeople } from '../../../lanes/lane-protocol.ts';
import { isCaptureTime, SETTLE_MS } from '../../../vision/attributes/capture-times.ts';
import {
  ALL_ATTRIBUTE_KEYS,
  ATTRIBUTE_CATEGORIES,
  type AttributeKey,
} from '../../../vision/attributes/keys.ts';
import type { RunAttributes } from '../../store/run-stats.ts';

/** The orientation of a person is valid this long after it was classified. */
const ORIENTATION_MS = 3_000;
/** A person who has not been detected this long is forgotten. */
const FORGET_MS = 60_000;
const ORIENTATION: ReadonlySet<AttributeKey> = new Set(ATTRIBUTE_CATEGORIES.orientation);

type Observation = Pick<RunObservation['observation'], 'timeMs' | 'tracks'>;
type PersonAttributes = RunPeople['people'][number];

interface Person {
  attributes: PersonAttributes | null;
  seenAtMs: number;
}

/** The people that a run sees and their attributes; it makes the captures. */
export class PeopleOfRun {
  readonly #people = new Map<number, Person>();
  readonly #coveredKeys: readonly AttributeKey[];
  #lastTimeMs: number | null = null;
  /** The frame of the last capture time, until its capture is taken. */
  #due: Observation | null = null;
  #capturedPersons = 0;
  /** By key: captured persons for whom it was known. */
  readonly #known = new Map<AttributeKey, number>();

  /** @param coveredKeys the keys that the attribute models can classify */
  constructor(coveredKeys: readonly AttributeKey[]) {
    this.#coveredKeys = coveredKeys;
  }

  /** Attributes from the lane, newer than those known here. */
  learn(people: readonly PersonAttributes[]): void {
    for (const attributes of people) {
      const known = this.#people.get(attributes.trackId);
      if (known) known.attributes = attributes;
      else if (this.#lastTimeMs !== null)
        this.#people.set(attributes.trackId, { attributes, seenAtMs: this.#lastTimeMs });
    }
  }

  observe(observation: Observation): void {
    const { timeMs, tracks } = observation;
    for (const { id } of tracks) {
      const known = this.#people.get(id);
      if (known) known.seenAtMs = timeMs;
      else this.#people.set(id, { attributes: null, seenAtMs: timeMs });
    }
    for (const [id, { seenAtMs }] of this.#people) if (timeMs - seenAtMs > FORGET_MS) this.#people.delete(id);
    if (isCaptureTime(this.#lastTimeMs, timeMs)) this.#due = tracks.length > 0 ? observation : null;
    this.#lastTimeMs = timeMs;
  }

  /** @returns the periodic capture, once, after the lane had time to classify its people; null otherwise */
  takeCapture(): Capture | null {
    const due = this.#due;
    if (!due || this.#lastTimeMs === null || this.#lastTimeMs - due.timeMs < SETTLE_MS) return null;
    this.#due = null;
    const capture = this.captureOf(due);
    if (capture) this.#count(capture);
    return capture;
  }

  /** @returns everybody in the frame, also people without known attributes; null when there is nobody */
  captureOf({ timeMs, tracks }: Observation): Capture | null {
    if (tracks.length === 0) return null;
    const persons = tracks.map(({ id: trackId, box }) => {
      const { confidence = 0, attributes = [], known = [] } = this.attributesOf(trackId, timeMs) ?? {};
      return { trackId, box, confidence, attributes, known };
    });
    return { atMs: timeMs, persons, coveredKeys: this.#coveredKeys };
  }

  /** What is known of a person at a time; null when nothing is. */
  attributesOf(trackId: number, timeMs: number): PersonAttributes | null {
    const person = this.#people.get(trackId)?.attributes;
    if (!person) return null;
    if (timeMs - person.classifiedAtMs <= ORIENTATION_MS) return person;
    const lasting = (keys: readonly AttributeKey[]) => keys.filter((key) => !ORIENTATION.has(key));
    return { ...person, attributes: lasting(person.attributes), known: lasting(person.known) };
  }

  /** The share of captured persons for whom each key was known; null before the first capture. */
  coverage(models: readonly string[]): RunAttributes | null {
    const persons = this.#capturedPersons;
    if (persons === 0) return null;
    const share = (key: AttributeKey) => Math.round(((this.#known.get(key) ?? 0) / persons) * 1000) / 1000;
    const coverage = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, share(key)]));
    return { models, persons, coveredKeys: this.#coveredKeys, coverage };
  }

  #count({ persons }: Capture): void {
    this.#capturedPersons += persons.length;
    for (const key of persons.flatMap(({ known }) => known)) {
      this.#known.set(key, (this.#known.get(key) ?? 0) + 1);
    }
  }
}
