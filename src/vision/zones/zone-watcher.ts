import { FRAME_GAP_MS } from '../frame-gap.ts';
import { area, footPoint, intersection } from '../geometry.ts';
import type { Box, QueueParameters, QueueZones, Track, Visit } from '../types.ts';
import type { Moment } from './dwell.ts';
import { areFeetHidden, coverOf, isCovered, moveAlong } from './hidden.ts';
import { noteMingled } from './mingle.ts';
import { Area } from './polygon.ts';
import { type Candidate, continuations, hasStrayed, isStillInLine } from './reassociate.ts';
import { noEvidence, type StaffCounts, type StaffDecisions, StaffWatch } from './staff.ts';
import {
  hasHistory,
  isNewcomer,
  isSettled,
  newSubject,
  noteAppearance,
  type Place,
  type Subject,
  see,
} from './subject.ts';
import { VisitRules } from './visit-rules.ts';
import { isServed, isWaiting } from './visit-states.ts';
import { newStature } from './whole-body.ts';

/** After a longer gap nobody can be recognised by where they stand. */
const LONGEST_BRIDGED_GAP_MS = 60_000;

/** Part of a new box that another one must cover for it to be doubted. */
const TWIN_SHARE = 0.4;

/** One that was stored before there were staff zones has no evidence. */
type StoredSubject = Omit<Subject, 'staff'> & Partial<Pick<Subject, 'staff'>>;

/** Everything a watcher knows, as plain data: carries a run to another process or node. The subjects live on in it. */
export interface ZoneCheckpoint {
  readonly version: 2;
  readonly lastFrameMs: number | null;
  readonly watchedMs: number;
  readonly nextVisitId: number;
  readonly nextKey: number;
  readonly subjects: readonly StoredSubject[];
  /** Missing in what was stored before there were staff zones. */
  readonly staff?: StaffDecisions;
}

export interface ZoneWatcherOptions {
  readonly zones: QueueZones;
  readonly parameters: QueueParameters;
}

/** Watches who stands in which zone and turns it into visits, debounced and back-dated. One scene. */
export class ZoneWatcher {
  readonly #queueArea: Area | null;
  readonly #checkoutArea: Area | null;
  readonly #maxAgeMs: number;
  readonly #rules: VisitRules;
  readonly #staff: StaffWatch;
  #subjects: Subject[] = [];
  readonly #byTrack = new Map<number, Subject>();
  #now: Moment = { timeMs: 0, watchedMs: 0 };
  #lastFrameMs: number | null = null;
  #nextKey = 1;

  constructor({ zones, parameters }: ZoneWatcherOptions, nextVisitId = 1, staff?: StaffDecisions) {
    this.#staff = new StaffWatch(zones.staffZone, staff);
    this.#queueArea = zones.queueZone ? new Area(zones.queueZone.points) : null;
    this.#checkoutArea = zones.checkoutZone ? new Area(zones.checkoutZone.points) : null;
    this.#maxAgeMs = parameters.trackingMaxAgeSeconds * 1000;
    this.#rules = new VisitRules(parameters, { hasCheckout: this.#checkoutArea !== null, nextVisitId });
  }

  /**
   * One frame.
   * @param tracks everybody seen in it
   * @param timeMs its time; a frame not after the last one is left out
   * @param boxes everything detected in it, also what is not sure enough to be followed: it may hide people
   * @returns the visits it changed: opened, left the queue, moved to service, closed
   */
  update(tracks: readonly Track[], timeMs: number, boxes: readonly Box[] = []): readonly Visit[] {
    if (this.#lastFrameMs !== null && timeMs <= this.#lastFrameMs) return [];
    const before = this.#now;
    this.#advance(timeMs);
    const seen = new Set(tracks.map(({ id }) => id));
    this.#receive(tracks, seen);
    // Everybody is seen before anybody is placed: those told of later are not out of sight.
    for (const track of tracks) see(this.#byTrack.get(track.id)!, track, { now: this.#now, before });
    for (const { id } of tracks) this.#place(this.#byTrack.get(id)!, boxes, before);
    noteMingled(this.#subjects);
    this.#ageMissing({ seen, boxes, elapsedMs: this.#now.watchedMs - before.watchedMs });
    return this.#rules.takeChanges();
  }

  /** The open visits. */
  get open(): readonly Visit[] {
    return this.#subjects.flatMap(({ visit }) => visit ?? []);
  }

  /** Confirmed counts: somebody between the queue and the checkout is in neither. */
  counts(): { queued: number; inService: number } {
    const visits = this.open;
    return { queued: visits.filter(isWaiting).length, inService: visits.filter(isServed).length };
  }

  /** The zone a track counts in: confirmed, not merely where its feet are. */
  zoneOf(trackId: number): Place {
    const visit = this.#byTrack.get(trackId)?.visit;
    if (!visit) return null;
    return isServed(visit) ? 'checkout' : isWaiting(visit) ? 'queue' : null;
  }

  /** From the decision on staff are in no count. */
  isStaff(trackId: number): boolean {
    return this.#byTrack.get(trackId)?.staff.isStaff ?? false;
  }

  /** Null where there is no staff zone. */
  get staff(): StaffCounts | null {
    return this.#staff.counts(this.#subjects.map(({ staff }) => staff));
  }

  /** At stop: nobody sees any more how the open visits end, so they are lost, at the last frame. */
  closeAll(timeMs: number): readonly Visit[] {
    for (const subject of this.#subjects) this.#rules.lose(subject, timeMs);
    this.#subjects = [];
    this.#byTrack.clear();
    return this.#rules.takeChanges();
  }

  checkpoint(): ZoneCheckpoint {
    return {
      version: 2,
      lastFrameMs: this.#lastFrameMs,
      watchedMs: this.#now.watchedMs,
      nextVisitId: this.#rules.nextVisitId,
      nextKey: this.#nextKey,
      subjects: this.#subjects.filter(hasHistory),
      staff: this.#staff.decisions,
    };
  }

  /** Goes on where a checkpoint ended. Track ids start anew there, so people are found again by their boxes. */
  static restore(options: ZoneWatcherOptions, checkpoint: ZoneCheckpoint): ZoneWatcher {
    const watcher = new ZoneWatcher(options, checkpoint.nextVisitId, checkpoint.staff);
    watcher.#nextKey = checkpoint.nextKey;
    watcher.#lastFrameMs = checkpoint.lastFrameMs;
    watcher.#now = { timeMs: checkpoint.lastFrameMs ?? 0, watchedMs: checkpoint.watchedMs };
    watcher.#subjects = checkpoint.subjects.map((subject) => ({
      staff: noEvidence(),
      ...structuredClone(subject),
      trackId: null,
    }));
    return watcher;
  }

  #advance(timeMs: number): void {
    const elapsed = this.#lastFrameMs === null ? 0 : timeMs - this.#lastFrameMs;
    if (elapsed > LONGEST_BRIDGED_GAP_MS) {
      for (const subject of this.#subjects) this.#rules.lose(subject, timeMs);
      this.#subjects = [];
      this.#byTrack.clear();
    }
    const watched = elapsed > FRAME_GAP_MS ? 0 : elapsed;
    this.#now = { timeMs, watchedMs: this.#now.watchedMs + watched };
    this.#lastFrameMs = timeMs;
  }

  /**
   * New tracks: people out of sight who are seen again, or new people. Somebody half hidden is not known by the first
   * box, so newcomers are asked again in each frame until their stay is confirmed.
   */
  #receive(tracks: readonly Track[], seen: ReadonlySet<number>): void {
    const candidates = this.#unknown(tracks);
    if (candidates.length === 0) return;
    const missing = this.#subjects.filter(
      (subject) => hasHistory(subject) && (subject.trackId === null || !seen.has(subject.trackId)),
    );
    const strays = this.#subjects.filter(hasStrayed);
    const continued = continuations({ missing, strays }, candidates);
    for (const candidate of candidates) {
      const { track, inQueue } = candidate;
      const subject = continued.get(track);
      if (!subject) {
        if (!this.#byTrack.has(track.id)) this.#welcome(track, inQueue && this.#mayBeTwin(track, tracks));
      } else if (strays.includes(subject) && isStillInLine(subject, candidate)) {
        const stranger = tracks.find(({ id }) => id === subject.trackId);
        this.#continue(subject, track);
        subject.stature = newStature(track.box, this.#now.watchedMs);
        this.#rules.takeBack(subject, this.#now);
        if (stranger) this.#welcome(stranger);
      } else this.#continue(subject, track);
    }
  }

  #welcome({ id, box }: Track, doubtful = false): void {
    const place = this.#placeOf(box);
    const subject = newSubject(this.#nextKey++, id, { box, at: this.#now, place, doubtful });
    this.#subjects.push(subject);
    this.#byTrack.set(id, subject);
  }

  /** When the watch begins the line stands there already: then nobody is doubted. */
  #mayBeTwin({ box }: Track, tracks: readonly Track[]): boolean {
    if (!isSettled(this.#now)) return false;
    return tracks.some(
      (other) => other.box !== box && intersection(other.box, box) >= TWIN_SHARE * area(box),
    );
  }

  #unknown(tracks: readonly Track[]): Candidate[] {
    return tracks.flatMap((track): Candidate[] => {
      const known = this.#byTrack.get(track.id);
      if (known && !isNewcomer(known)) return [];
      const inQueue = this.#placeOf(track.box) === 'queue';
      return [
        { track, since: known?.appeared ?? this.#now, inQueue, foundAgain: known?.foundAgain ?? false },
      ];
    });
  }

  #continue(subject: Subject, track: Track): void {
    const newcomer = this.#byTrack.get(track.id);
    if (newcomer) this.#subjects = this.#subjects.filter((other) => other !== newcomer);
    if (subject.trackId !== null) this.#byTrack.delete(subject.trackId);
    subject.trackId = track.id;
    if (subject.visit) subject.visit = { ...subject.visit, trackId: track.id };
    this.#byTrack.set(track.id, subject);
  }

  #ageMissing(frame: { seen: ReadonlySet<number>; boxes: readonly Box[]; elapsedMs: number }): void {
    const { seen, boxes, elapsedMs } = frame;
    let gone = false;
    for (const subject of this.#subjects) {
      if (subject.trackId !== null && seen.has(subject.trackId)) continue;
      this.#rules.hide(subject, this.#now);
      // Behind somebody nobody ages: standing still must drop no one.
      const cover = coverOf(subject, this.#subjects, this.#now);
      if (cover) moveAlong(subject, cover);
      else if (!isCovered(subject, boxes)) subject.missedMs += elapsedMs;
      if (subject.missedMs < this.#maxAgeMs) continue;
      this.#rules.giveUp(subject, this.#now);
      if (subject.trackId !== null) this.#byTrack.delete(subject.trackId);
      gone = true;
    }
    if (gone) this.#subjects = this.#subjects.filter(({ missedMs }) => missedMs < this.#maxAgeMs);
  }

  /** Who is in the queue and whose feet get hidden is not believed to leave it before these are seen outside. */
  #place(subject: Subject, boxes: readonly Box[], before: Moment): void {
    const place = this.#placeOf(subject.box);
    if (this.#staff.see(subject.staff, subject.box, { now: this.#now, before }))
      this.#rules.discard(subject, this.#now);
    if (subject.staff.isStaff) {
      subject.place = place;
      return;
    }
    noteAppearance(subject, place);
    const isQueued = subject.visit?.state === 'queued' && subject.place === 'queue';
    if (isQueued && place === null && areFeetHidden(subject.box, boxes)) this.#rules.hide(subject, this.#now);
    else this.#rules.stand(subject, place, { now: this.#now, all: this.#subjects });
  }

  #placeOf(box: Box): Place {
    const foot = footPoint(box);
    if (this.#checkoutArea?.contains(foot)) return 'checkout';
    return this.#queueArea?.contains(foot) ? 'queue' : null;
  }
}
