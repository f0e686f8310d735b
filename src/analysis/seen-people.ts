import type { Capture } from '../attributes/capture.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../vision/attributes/keys.ts';
import type { RunObservation, RunPeople } from './lane-protocol.ts';
import type { RunAttributes } from './run-stats.ts';

/** A capture is made at every full ten seconds of frame time at which somebody is there, so whichever node works. */
const EVERY_MS = 10_000;
/** Who was not seen for so long is forgotten. */
const FORGET_MS = 60_000;

type Observation = Pick<RunObservation['observation'], 'timeMs' | 'tracks'>;
type Told = RunPeople['people'][number];

interface Person {
  told: Told | null;
  seenAtMs: number;
}

/** Whom a run sees, and what the lane has told about them. */
export class SeenPeople {
  readonly #people = new Map<number, Person>();
  readonly #told = new Map<AttributeKey, number>();
  #captured = 0;
  #lastTimeMs: number | null = null;
  #due: Capture | null = null;

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
    const isDue =
      this.#lastTimeMs !== null && Math.floor(timeMs / EVERY_MS) > Math.floor(this.#lastTimeMs / EVERY_MS);
    this.#lastTimeMs = timeMs;
    if (isDue) this.#due = this.capture(observation) ?? this.#due;
  }

  /** The periodic capture, once. */
  take(): Capture | null {
    const due = this.#due;
    this.#due = null;
    if (due) this.#count(due);
    return due;
  }

  /** Who is in the picture now, also those of whom nothing is known yet; null when nobody is. */
  capture({ timeMs, tracks }: Observation): Capture | null {
    if (tracks.length === 0) return null;
    const persons = tracks.map(({ id: trackId, box }) => {
      const told = this.#people.get(trackId)?.told;
      return { trackId, box, confidence: told?.confidence ?? 0, attributes: told?.attributes ?? [] };
    });
    return { atMs: timeMs, persons };
  }

  /** Of how many captured persons each key could be told; null before the first capture. */
  coverage(models: readonly string[]): RunAttributes | null {
    if (this.#captured === 0) return null;
    const share = (key: AttributeKey) =>
      Math.round(((this.#told.get(key) ?? 0) / this.#captured) * 1000) / 1000;
    const coverage = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, share(key)]));
    return { models, persons: this.#captured, coverage };
  }

  #count({ persons }: Capture): void {
    this.#captured += persons.length;
    for (const { trackId } of persons) {
      for (const key of this.#people.get(trackId)?.told?.known ?? [])
        this.#told.set(key, (this.#told.get(key) ?? 0) + 1);
    }
  }
}
