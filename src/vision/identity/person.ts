import type { Moment } from '../moment.ts';
import type { Box, SeenAppearance, Track } from '../types.ts';
import type { End } from './likelihood.ts';
import { motionOf, standOf } from './motion.ts';

/** Where somebody was in one frame. */
export interface Sighting {
  readonly box: Box;
  readonly at: Moment;
  /** False: somebody out of sight, supposed on the straight way between two sightings. */
  readonly isSeen: boolean;
  /** Somebody nearer to the camera stands before the feet, so the box may end above them. */
  readonly hasHiddenFeet: boolean;
}

/** One person (or vehicle) as far as they are known; plain data, so that it can move to another node. */
export interface Person {
  /** Unique within a run, from 1. */
  readonly id: number;
  /** The track that shows them; null after a move to another node. */
  trackId: number | null;
  /** The sightings of the last second, the newest last; at least one. */
  last: readonly Sighting[];
  appearance: SeenAppearance | null;
  /** Watched time since the last sighting, in which they should have been seen … */
  openMs: number;
  /** … and in which somebody stood before them. */
  hiddenMs: number;
}

/** Speeds are measured over so long. */
const MOTION_MS = 1_000;

/** @param last where the track was born, and where it is now if that is later */
export const newPerson = (id: number, track: Track, last: readonly Sighting[]): Person => ({
  id,
  trackId: track.id,
  last,
  appearance: track.appearance ?? null,
  openMs: 0,
  hiddenMs: 0,
});

/** Notes a sighting. */
export function see(person: Person, sighting: Sighting, appearance: SeenAppearance | undefined): void {
  const sinceMs = sighting.at.watchedMs - MOTION_MS;
  person.last = [...person.last.filter(({ at }) => at.watchedMs >= sinceMs), sighting];
  person.appearance = appearance ?? person.appearance;
  person.openMs = 0;
  person.hiddenMs = 0;
}

export const lastSighting = ({ last }: Person): Sighting => last.at(-1)!;

/** How a person was seen last. @param aspect width over height of the picture */
export const endOf = ({ last, appearance }: Person, aspect: number): End =>
  endAt(last.toReversed(), appearance, aspect);

/** How a newcomer was seen first. */
export const startOf = ({ last, appearance }: Person, aspect: number): End => endAt(last, appearance, aspect);

function endAt(sightings: readonly Sighting[], appearance: SeenAppearance | null, aspect: number): End {
  return {
    motion: motionOf(sightings.map(({ box, at }) => standOf(box, at.watchedMs / 1000, aspect))),
    appearance,
  };
}
