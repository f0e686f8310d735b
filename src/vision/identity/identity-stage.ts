import { Assignment } from '../assignment.ts';
import { footPoint, height } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box, Track } from '../types.ts';
import { type Gap, logLikelihood } from './likelihood.ts';
import { miss } from './missing.ts';
import { IDENTITY_DEFAULTS, type IdentityOptions } from './options.ts';
import type { Person, Sighting, Sightings } from './person.ts';
import { endOf, lastSighting, newPerson, see, startOf } from './person.ts';

/** What a frame adds to the path of one person. */
export interface PersonPath {
  readonly personId: number;
  readonly trackId: number;
  /**
   * In the order of time: this frame, and before it the frames in which the person was not detected or their track was
   * not confirmed.
   */
  readonly path: Sightings;
}

/** A person who counts as gone. */
export interface Departure {
  readonly personId: number;
  /** The sightings of their last second. */
  readonly last: Sightings;
  /** A nearer person covered them since, and they were not there afterwards. */
  readonly wasCovered: boolean;
}

export interface IdentityUpdate {
  readonly paths: readonly PersonPath[];
  readonly departed: readonly Departure[];
}

/** What the stage needs of a frame besides its tracks. */
export interface FrameContext {
  /** All detections that may cover a person, also those with a score too low for a track. */
  readonly boxes: readonly Box[];
  /** Width over height. */
  readonly aspect: number;
  /** The camera moved since the frame before, so the last positions of people out of sight are no longer valid. */
  readonly hasMoved: boolean;
}

/** The state of a stage, as plain data. */
export interface IdentityCheckpoint {
  readonly nextId: number;
  readonly people: readonly Person[];
  /** The frames before, only of an exact checkpoint: then tracks keep their ids, and with them their people. */
  readonly frames?: readonly Moment[] | undefined;
}

/** Somebody with a new track. */
interface Newcomer {
  readonly person: Person;
  readonly track: Track;
}

/**
 * Joins the tracks of one person. A person who was lost and is detected again as a new track is the same person, and the
 * path in between is a straight line. One assignment per frame pairs all missing people with all new tracks, so that the
 * most likely explanation of all of them together wins. A decision is never undone. One instance per scene.
 */
export class IdentityStage {
  readonly #maxAgeMs: number;
  readonly #options: IdentityOptions;
  readonly #assignment = new Assignment();
  #people: Person[];
  readonly #byTrack = new Map<number, Person>();
  /** As far back as the last sighting of a person may lie. */
  #frames: Moment[] = [];
  #nextId: number;

  /** @param maxAgeMs time without a detection, and not hidden, after which a person counts as gone */
  constructor(
    maxAgeMs: number,
    known: IdentityCheckpoint | null = null,
    options: Partial<IdentityOptions> = {},
  ) {
    this.#maxAgeMs = maxAgeMs;
    this.#options = { ...IDENTITY_DEFAULTS, ...options };
    this.#nextId = known?.nextId ?? 1;
    const { people = [], frames } = known ?? {};
    // Without the state of the tracker its ids begin anew, so people are recognised by position and appearance.
    this.#people = people.map((person) => (frames ? { ...person } : { ...person, trackId: null }));
    this.#frames = [...(frames ?? [])];
    for (const person of this.#people) if (person.trackId !== null) this.#byTrack.set(person.trackId, person);
  }

  /** One frame. @param tracks of everybody whom it shows */
  update(tracks: readonly Track[], now: Moment, { boxes, aspect, hasMoved }: FrameContext): IdentityUpdate {
    const elapsedMs = now.watchedMs - (this.#frames.at(-1)?.watchedMs ?? now.watchedMs);
    this.#remember(now);
    const paths: PersonPath[] = [];
    const newcomers: Newcomer[] = [];
    const seen = new Set<Person>();
    for (const track of tracks) {
      const hasHiddenFeet = hidesFeet(boxes, track.box, this.#options);
      const sighting = { box: track.box, at: now, isSeen: true, hasHiddenFeet };
      const person = this.#byTrack.get(track.id);
      if (person) {
        see(person, sighting, track.appearance);
        seen.add(person);
        paths.push({ personId: person.id, trackId: track.id, path: [sighting] });
      } else {
        const newcomer = newPerson(this.#nextId++, track, this.#sinceBirth(track, sighting));
        newcomers.push({ person: newcomer, track });
      }
    }
    const missing = this.#people.filter((person) => !seen.has(person));
    const around = { boxes, visible: tracks.map(({ box }) => box), aspect };
    for (const person of missing) miss(person, elapsedMs, now, around, this.#options);
    const partners = this.#pair(newcomers, missing, aspect);
    newcomers.forEach((newcomer, row) => {
      const known = missing[partners[row] ?? -1];
      paths.push(this.#welcome(newcomer, known));
      seen.add(known ?? newcomer.person);
    });
    return { paths, departed: this.#removeGone(seen, hasMoved) };
  }

  /** Nobody is followed or missing. */
  get isEmpty(): boolean {
    return this.#people.length === 0;
  }

  /** Whether it is more likely than not that a person who is not seen is gone, although that is not decided yet. */
  isDoubtful(personId: number): boolean {
    return this.#people.some(({ id, isDoubtful }) => id === personId && isDoubtful);
  }

  /** The person that a track shows; undefined for an unknown track. */
  personOf(trackId: number): number | undefined {
    return this.#byTrack.get(trackId)?.id;
  }

  /** Removes all people; ids continue. */
  forgetAll(): void {
    this.#people = [];
    this.#byTrack.clear();
    this.#frames = [];
  }

  checkpoint(isExact = false): IdentityCheckpoint {
    return { nextId: this.#nextId, people: this.#people, ...(isExact && { frames: this.#frames }) };
  }

  /** Unsure boxes before the birth: they show a new person, but are no evidence of who it is. */
  #beforeBirth({ earlier = [] }: Track): Sighting[] {
    return earlier.flatMap(({ box, timeMs }) => {
      const at = this.#frames.find((frame) => frame.timeMs === timeMs);
      return at ? [{ box, at, isSeen: true, hasHiddenFeet: false }] : [];
    });
  }

  #sinceBirth({ bornMs, bornBox }: Track, now: Sighting): Sightings {
    const at = this.#frames.findLast(({ timeMs }) => timeMs <= bornMs);
    return at && at.timeMs < now.at.timeMs ? [{ ...now, box: bornBox, at }, now] : [now];
  }

  /** @returns for each newcomer the index of the missing person that it is, or -1 */
  #pair(newcomers: readonly Newcomer[], missing: readonly Person[], aspect: number): Int32Array | number[] {
    if (newcomers.length === 0 || missing.length === 0) return [];
    const ends = missing.map((person) => ({ person, end: endOf(person, aspect) }));
    const cost = new Float64Array(newcomers.length * missing.length);
    newcomers.forEach(({ person: newcomer }, row) => {
      const start = startOf(newcomer, aspect);
      ends.forEach(({ person, end }, column) => {
        const gap = gapBetween(person, newcomer.last[0]);
        cost[row * missing.length + column] = gap
          ? -logLikelihood(end, start, gap, this.#options)
          : Number.POSITIVE_INFINITY;
      });
    });
    return this.#assignment.solve(cost, newcomers.length, missing.length, 0);
  }

  /** @param known the missing person that the newcomer is; undefined for a new one */
  #welcome({ person, track }: Newcomer, known: Person | undefined): PersonPath {
    const { last, appearance } = person;
    const { id: trackId } = track;
    if (!known) {
      this.#people.push(person);
      this.#byTrack.set(trackId, person);
      return { personId: person.id, trackId, path: [...this.#beforeBirth(track), ...last] };
    }
    const between = this.#between(lastSighting(known), last[0]);
    if (known.trackId !== null) this.#byTrack.delete(known.trackId);
    this.#byTrack.set(trackId, known);
    Object.assign(known, { trackId, last, openMs: 0, hiddenMs: 0, isDoubtful: false });
    known.appearance = appearance ?? known.appearance;
    return { personId: known.id, trackId, path: [...between, ...last] };
  }

  /** Gaussian-smoothed interpolation (StrongSORT, arXiv 2202.13514) is smoother, but no better for times in a zone. */
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

  #removeGone(seen: ReadonlySet<Person>, hasMoved: boolean): Departure[] {
    const isGone = (person: Person) => !seen.has(person) && (hasMoved || person.openMs >= this.#maxAgeMs);
    const departed = this.#people.filter(isGone);
    if (departed.length === 0) return [];
    for (const { trackId } of departed) if (trackId !== null) this.#byTrack.delete(trackId);
    this.#people = this.#people.filter((person) => !departed.includes(person));
    return departed.map(({ id, last, hiddenMs }) => ({
      ...{ personId: id, last },
      wasCovered: hiddenMs > 0 && !hasMoved,
    }));
  }

  #remember(now: Moment): void {
    this.#frames.push(now);
    const sinceMs = now.watchedMs - this.#maxAgeMs - this.#options.longestHiddenMs;
    // Not in every frame, to save the copies.
    if (this.#frames.length % 64 === 0) {
      this.#frames = this.#frames.filter(({ watchedMs }) => watchedMs >= sinceMs);
    }
  }
}

/** Null if the newcomer was detected before the missing person was lost. */
function gapBetween(missing: Person, first: Sighting): Gap | null {
  const { at } = lastSighting(missing);
  const seconds = (first.at.timeMs - at.timeMs) / 1000;
  if (seconds <= 0) return null;
  const watched = (first.at.watchedMs - at.watchedMs) / 1000;
  const { openMs, hiddenMs } = missing;
  const open = openMs === 0 ? 0 : (watched * openMs) / (openMs + hiddenMs);
  return { open, hidden: seconds - open };
}

/** Whether a nearer box covers the foot point. */
function hidesFeet(boxes: readonly Box[], box: Box, { behind }: IdentityOptions): boolean {
  const [x, y] = footPoint(box);
  const least = behind * height(box);
  return boxes.some(
    ({ left, right, top, bottom }) => left < x && right > x && bottom > y + least && top < y - least,
  );
}
