import { Assignment } from '../assignment.ts';
import { area, footPoint, height, intersection } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box, Track } from '../types.ts';
import { type Gap, logLikelihood } from './likelihood.ts';
import { IDENTITY_DEFAULTS, type IdentityOptions } from './options.ts';
import { endOf, lastSighting, newPerson, type Person, type Sighting, see, startOf } from './person.ts';

/** What a frame told of one person. */
export interface PersonPath {
  readonly personId: number;
  readonly trackId: number;
  /**
   * Where the person was, in the order of time: in this frame, and in frames before it in which they were out of sight or
   * not yet followed. At least one.
   */
  readonly path: readonly Sighting[];
}

/** Somebody who was given up. */
export interface Departure {
  readonly personId: number;
  /** The sightings of the last second. */
  readonly last: readonly Sighting[];
}

export interface IdentityUpdate {
  readonly paths: readonly PersonPath[];
  readonly departed: readonly Departure[];
}

/** What is asked of the picture beside the tracks. */
export interface FrameContext {
  /** Everything detected in it, also what is not sure enough to be followed: it may hide people. */
  readonly boxes: readonly Box[];
  /** Width over height. */
  readonly aspect: number;
  /** The camera moved since the frame before: where people out of sight stood says nothing any more. */
  readonly hasMoved: boolean;
}

/** Everything a stage knows, as plain data. */
export interface IdentityCheckpoint {
  readonly nextId: number;
  readonly people: readonly Person[];
}

/**
 * Joins the tracks of one person: who was lost from sight and is seen again as a new track is the same person, and the
 * way between is a straight line. In each frame all missing people and all new tracks are paired by one assignment, so
 * that the likeliest explanation of all of them together wins. What is decided is never undone. One scene.
 */
export class IdentityStage {
  readonly #maxAgeMs: number;
  readonly #options: IdentityOptions;
  readonly #assignment = new Assignment();
  #people: Person[];
  readonly #byTrack = new Map<number, Person>();
  /** As far back as somebody may have been seen last. */
  #frames: Moment[] = [];
  #nextId: number;

  /** @param maxAgeMs whoever should have been seen for so long and was not is given up */
  constructor(
    maxAgeMs: number,
    known: IdentityCheckpoint | null = null,
    options: Partial<IdentityOptions> = {},
  ) {
    this.#maxAgeMs = maxAgeMs;
    this.#options = { ...IDENTITY_DEFAULTS, ...options };
    this.#nextId = known?.nextId ?? 1;
    // Track ids begin anew, so people are found again by where they were and what they wear.
    this.#people = (known?.people ?? []).map((person) => ({ ...person, trackId: null }));
  }

  /** One frame. @param tracks everybody seen in it */
  update(tracks: readonly Track[], now: Moment, { boxes, aspect, hasMoved }: FrameContext): IdentityUpdate {
    const elapsedMs = now.watchedMs - (this.#frames.at(-1)?.watchedMs ?? now.watchedMs);
    this.#remember(now);
    const paths: PersonPath[] = [];
    const newcomers: Person[] = [];
    const seen = new Set<Person>();
    for (const track of tracks) {
      const sighting = this.#sightingOf(track, now, boxes);
      const person = this.#byTrack.get(track.id);
      if (person) {
        see(person, sighting, track.appearance);
        seen.add(person);
        paths.push({ personId: person.id, trackId: track.id, path: [sighting] });
      } else newcomers.push(newPerson(this.#nextId++, track, this.#sinceBirth(track, sighting)));
    }
    for (const person of this.#people) {
      if (seen.has(person)) continue;
      const mayHide = person.hiddenMs < this.#options.longestHiddenMs;
      const isHidden = mayHide && hides(boxes, lastSighting(person).box, this.#options);
      if (isHidden) person.hiddenMs += elapsedMs;
      else person.openMs += elapsedMs;
    }
    const missing = this.#people.filter((person) => !seen.has(person));
    const partners = this.#pair(newcomers, missing, aspect);
    newcomers.forEach((newcomer, row) => {
      const known = missing[partners[row] ?? -1];
      paths.push(this.#welcome(newcomer, known));
      seen.add(known ?? newcomer);
    });
    return { paths, departed: this.#giveUp(seen, hasMoved) };
  }

  /** The person that a track shows; undefined for a track never seen. */
  personOf(trackId: number): number | undefined {
    return this.#byTrack.get(trackId)?.id;
  }

  /** Forgets everybody; ids go on. */
  forgetAll(): void {
    this.#people = [];
    this.#byTrack.clear();
    this.#frames = [];
  }

  checkpoint(): IdentityCheckpoint {
    return { nextId: this.#nextId, people: this.#people };
  }

  #sightingOf({ box }: Track, at: Moment, boxes: readonly Box[]): Sighting {
    return { box, at, isSeen: true, hasHiddenFeet: hidesFeet(boxes, box, this.#options) };
  }

  #sinceBirth({ bornMs, bornBox }: Track, now: Sighting): Sighting[] {
    const at = this.#frames.findLast(({ timeMs }) => timeMs <= bornMs);
    return at && at.timeMs < now.at.timeMs ? [{ ...now, box: bornBox, at }, now] : [now];
  }

  /** @returns for each newcomer the index of the missing person that it is, or -1 */
  #pair(newcomers: readonly Person[], missing: readonly Person[], aspect: number): Int32Array | number[] {
    if (newcomers.length === 0 || missing.length === 0) return [];
    const ends = missing.map((person) => endOf(person, aspect));
    const cost = new Float64Array(newcomers.length * missing.length);
    newcomers.forEach((newcomer, row) => {
      const start = startOf(newcomer, aspect);
      missing.forEach((person, column) => {
        const gap = gapBetween(person, newcomer.last[0]!);
        const likelihood = gap
          ? logLikelihood(ends[column]!, start, gap, this.#options)
          : Number.NEGATIVE_INFINITY;
        cost[row * missing.length + column] = -likelihood;
      });
    });
    return this.#assignment.solve(cost, newcomers.length, missing.length, 0);
  }

  /** @param known who the newcomer is; undefined: somebody new */
  #welcome(newcomer: Person, known: Person | undefined): PersonPath {
    const trackId = newcomer.trackId!;
    const { last, appearance } = newcomer;
    if (!known) {
      this.#people.push(newcomer);
      this.#byTrack.set(trackId, newcomer);
      return { personId: newcomer.id, trackId, path: last };
    }
    const between = this.#between(lastSighting(known), last[0]!);
    if (known.trackId !== null) this.#byTrack.delete(known.trackId);
    this.#byTrack.set(trackId, known);
    Object.assign(known, {
      trackId,
      last,
      appearance: appearance ?? known.appearance,
      openMs: 0,
      hiddenMs: 0,
    });
    return { personId: known.id, trackId, path: [...between, ...last] };
  }

  /** Gaussian-smoothed interpolation (StrongSORT, arXiv 2202.13514) would be smoother; a line is as good for a dwell. */
  #between(from: Sighting, to: Sighting): Sighting[] {
    const elapsed = to.at.timeMs - from.at.timeMs;
    return this.#frames
      .filter(({ timeMs }) => timeMs > from.at.timeMs && timeMs < to.at.timeMs)
      .map((at) => {
        const part = (at.timeMs - from.at.timeMs) / elapsed;
        const mix = (side: keyof Box) => from.box[side] + part * (to.box[side] - from.box[side]);
        const box = { left: mix('left'), top: mix('top'), right: mix('right'), bottom: mix('bottom') };
        return { at, box, isSeen: false, hasHiddenFeet: false };
      });
  }

  #giveUp(seen: ReadonlySet<Person>, hasMoved: boolean): Departure[] {
    const isOver = ({ openMs }: Person) => hasMoved || openMs >= this.#maxAgeMs;
    const departed = this.#people.filter((person) => !seen.has(person) && isOver(person));
    if (departed.length === 0) return [];
    for (const { trackId } of departed) if (trackId !== null) this.#byTrack.delete(trackId);
    this.#people = this.#people.filter((person) => !departed.includes(person));
    return departed.map(({ id, last }) => ({ personId: id, last }));
  }

  #remember(now: Moment): void {
    this.#frames.push(now);
    const sinceMs = now.watchedMs - this.#maxAgeMs - this.#options.longestHiddenMs;
    // In lumps, so that a frame costs nothing.
    if (this.#frames.length % 64 === 0) {
      this.#frames = this.#frames.filter(({ watchedMs }) => watchedMs >= sinceMs);
    }
  }
}

/** Null where the newcomer was seen before the other one was lost. */
function gapBetween(missing: Person, first: Sighting): Gap | null {
  const { at } = lastSighting(missing);
  const seconds = (first.at.timeMs - at.timeMs) / 1000;
  if (seconds <= 0) return null;
  const watched = (first.at.watchedMs - at.watchedMs) / 1000;
  const { openMs, hiddenMs } = missing;
  const open = openMs === 0 ? 0 : (watched * openMs) / (openMs + hiddenMs);
  return { open, hidden: seconds - open };
}

/** Whether somebody who stands nearer covers the place where the box ends. */
function hidesFeet(boxes: readonly Box[], box: Box, { behind }: IdentityOptions): boolean {
  const [x, y] = footPoint(box);
  const least = behind * height(box);
  return boxes.some(
    ({ left, right, top, bottom }) => left < x && right > x && bottom > y + least && top < y - least,
  );
}

function hides(boxes: readonly Box[], box: Box, { coveredShare, behind }: IdentityOptions): boolean {
  const nearest = box.bottom - behind * height(box);
  return boxes.some(
    (cover) => cover.bottom >= nearest && intersection(cover, box) >= coveredShare * area(box),
  );
}
