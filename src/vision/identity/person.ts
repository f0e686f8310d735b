import { AT_EDGE } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box, SeenAppearance, Track } from '../types.ts';
import type { End } from './likelihood.ts';
import { motionOf, standOf } from './motion.ts';

/** Where a person was in one frame. */
export interface Sighting {
  readonly box: Box;
  readonly at: Moment;
  /** False: not detected; the box is interpolated between two sightings. */
  readonly isSeen: boolean;
  /** A nearer person covers the feet, so the box may end above them. */
  readonly hasHiddenFeet: boolean;
}

/** In the order of time, the newest last; at least one. */
export type Sightings = readonly [...earlier: Sighting[], newest: Sighting];

/** One person (or vehicle). Plain data, so that it can move to another node. */
export interface Person {
  /** Unique within a run, from 1. */
  readonly id: number;
  /** The current track of the person; null after a move to another node. */
  trackId: number | null;
  /** Of the last second. */
  last: Sightings;
  appearance: SeenAppearance | null;
  /** Watched time since the last sighting in which they should have been detected … */
  openMs: number;
  /** … and in which a nearer person covered them. */
  hiddenMs: number;
  /** More likely gone than there. */
  isDoubtful: boolean;
}

/** A speed is measured over the sightings of this time. */
const MOTION_MS = 1_000;

/** @param last where the track was born, and where it is now if that is later */
export const newPerson = (id: number, track: Track, last: Sightings): Person => {
  const appearance = track.appearance ?? null;
  return { id, trackId: track.id, last, appearance, openMs: 0, hiddenMs: 0, isDoubtful: false };
};

/** Adds a sighting. */
export function see(person: Person, sighting: Sighting, appearance: SeenAppearance | undefined): void {
  const sinceMs = sighting.at.watchedMs - MOTION_MS;
  person.last = [...person.last.filter(({ at }) => at.watchedMs >= sinceMs), sighting];
  person.appearance = appearance ?? person.appearance;
  person.openMs = 0;
  person.hiddenMs = 0;
  person.isDoubtful = false;
}

export const newestOf = (sightings: Sightings): Sighting => sightings.at(-1) ?? sightings[0];
export const lastSighting = ({ last }: Person): Sighting => newestOf(last);

/** The end before a gap: how a person was last seen. @param aspect width over height of the frame */
export const endOf = (person: Person, aspect: number): End =>
  endAt(lastSighting(person), person.last.toReversed(), person, aspect);

/** The end after a gap: how a newcomer was first seen. */
export const startOf = (person: Person, aspect: number): End =>
  endAt(person.last[0], person.last, person, aspect);

function endAt(end: Sighting, sightings: readonly Sighting[], { appearance }: Person, aspect: number): End {
  const standIn = ({ box, at }: Sighting) => standOf(box, at.watchedMs / 1000, aspect);
  const { left, right } = end.box;
  const isAtEdge = left <= AT_EDGE || right >= 1 - AT_EDGE;
  return { motion: motionOf(standIn(end), sightings.map(standIn)), appearance, isAtEdge };
}
