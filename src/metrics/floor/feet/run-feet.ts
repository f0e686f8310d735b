import { isDeepStrictEqual } from 'node:util';
import { footPoint, height, width } from '../../../vision/geometry.ts';
import type { Box, Feet, QueueZones } from '../../../vision/types.ts';
import { type FootPoint, MINUTE_MS, MINUTES, MOST_A_MINUTE } from './encode-feet.ts';
import { isLeft, type LeftProposal } from './left-proposal.ts';
import { type ZoneAdvice, zoneAdvice } from './zone-advice.ts';

/** A sample as a row has it. */
export interface FeetSample {
  /** The newest minute of which it may have points: whole minutes since 1970. */
  readonly minute: number;
  readonly points: readonly FootPoint[];
}

export interface RunAdvice extends ZoneAdvice {
  /** Frame time. */
  readonly sinceMs: number;
}

interface Seen {
  readonly id: number;
  readonly box: Box;
  readonly feet?: Feet | undefined;
}

/** Somebody whose head stayed at one place. */
interface Stand {
  x: number;
  top: number;
  sinceMs: number;
  takenMs: number;
  taken: number;
  seenMs: number;
}

/** Frame time between two looks at the people. */
const LOOK_MS = 1_000;
/** Whose head moved by more than this share of the picture is at another place. */
const SAME_PLACE = 0.03;
/** Whoever stays so long at a place stands. */
const STANDING_MS = 3_000;
/** A person counts every so often, and so often at most at one place: who sits behind a counter all day is not most of the sample. */
const AGAIN_MS = 4_000;
const MOST_AT_PLACE = 6;
/** People out of sight for longer come back as others. */
const FORGOTTEN_MS = 10_000;
/** Points of each minute that are left to people who walk. */
const WALKERS_A_MINUTE = 2;
/** Candidates of one minute; more say nothing new. */
const MOST_CANDIDATES = 2_000;
/** Of a box, height over width. That of a standing person is 2.6 on average. */
const SHORT = 1.9;

/**
 * Where the people of a run were in the last hour: a few points of each minute, spread evenly over its people and time. They
 * name nobody. Frames of another view forget them.
 */
export class RunFeet {
  readonly #zones: QueueZones;
  readonly #stands = new Map<number, Stand>();
  #points: FootPoint[];
  #minute: number | null;
  #candidates: FootPoint[] = [];
  #lookedMs = Number.NEGATIVE_INFINITY;
  #isChanged = false;
  #isInFlight = false;
  #advice: RunAdvice | null = null;
  #left: LeftProposal | null;
  /** The view is another one than that for which the zones were drawn. */
  #hasMoved = false;

  /** @param stored of earlier runs, or of this one on another node */
  constructor(
    zones: QueueZones,
    stored: (FeetSample & { readonly left?: LeftProposal | null }) | null = null,
  ) {
    this.#zones = zones;
    this.#left = stored?.left ?? null;
    this.#points = [...(stored?.points ?? [])];
    this.#minute = stored?.minute ?? null;
    this.#advise();
  }

  /** The zone beside which people are often cut off; null where there is none. */
  get advice(): RunAdvice | null {
    return this.#advice;
  }

  /** While the camera shows another view nothing is learned, and what was known is wrong. */
  set hasMoved(hasMoved: boolean) {
    if (hasMoved && !this.#hasMoved) {
      this.#isChanged ||= this.#points.length > 0;
      this.#points = [];
      this.#candidates = [];
      this.#stands.clear();
      this.#advice = null;
    }
    this.#hasMoved = hasMoved;
  }

  /** @param people of one frame, without staff @param aspect width over height of the picture */
  see(people: readonly Seen[], timeMs: number, aspect: number): void {
    if (this.#hasMoved) return;
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (this.#minute !== minute) this.#begin(minute);
    if (timeMs - this.#lookedMs < LOOK_MS && timeMs >= this.#lookedMs) return;
    this.#lookedMs = timeMs;
    for (const person of people) this.#look(person, { timeMs, minute, aspect });
    for (const [id, { seenMs }] of this.#stands) if (timeMs - seenMs > FORGOTTEN_MS) this.#stands.delete(id);
  }

  /**
   * What is to be stored now; null where nothing is. The next call returns it again unless `stored` is called before.
   * @param isLast also the minute that is not over
   */
  take(isLast = false): FeetSample | null {
    if (isLast) this.#keepMinute();
    if (this.#minute === null || !(this.#isChanged || this.#isInFlight)) return null;
    this.#isInFlight = true;
    this.#isChanged = false;
    return { minute: this.#minute, points: [...this.#points] };
  }

  /** What the last `take` returned is in the database. @param left the proposal that its row says was left; absent: as before */
  stored(left: LeftProposal | null = this.#left): void {
    this.#isInFlight = false;
    if (isDeepStrictEqual(left, this.#left)) return;
    this.#left = left;
    this.#advise();
  }

  #look(
    { id, box, feet }: Seen,
    { timeMs, minute, aspect }: { timeMs: number; minute: number; aspect: number },
  ) {
    const [x, y] = footPoint(box);
    const known = this.#stands.get(id);
    const stays = known && Math.hypot(x - known.x, box.top - known.top) <= SAME_PLACE;
    const stand: Stand = stays
      ? known
      : {
          x,
          top: box.top,
          sinceMs: timeMs,
          takenMs: known?.takenMs ?? timeMs - AGAIN_MS,
          taken: 0,
          seenMs: timeMs,
        };
    stand.seenMs = timeMs;
    this.#stands.set(id, stand);
    const isDue = stand.taken < MOST_AT_PLACE && timeMs - stand.takenMs >= AGAIN_MS;
    const isInPicture = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    if (!isDue || !isInPicture || this.#candidates.length >= MOST_CANDIDATES) return;
    stand.taken++;
    stand.takenMs = timeMs;
    this.#candidates.push({
      ...{ minute, x, y, feet: feet ?? 'unknown' },
      isStanding: timeMs - stand.sinceMs >= STANDING_MS,
      isShort: height(box) < SHORT * width(box) * aspect,
    });
  }

  #begin(minute: number): void {
    if (this.#minute !== null) {
      this.#keepMinute();
      this.#advise();
    }
    this.#minute = minute;
    this.#points = this.#points.filter((point) => point.minute <= minute && minute - point.minute < MINUTES);
  }

  /** A few of the candidates, first of people who stand, because zones are drawn around them. */
  #keepMinute(): void {
    if (this.#candidates.length === 0) return;
    const standing = this.#candidates.filter(({ isStanding }) => isStanding);
    const walking = this.#candidates.filter(({ isStanding }) => !isStanding);
    const walkers = Math.min(walking.length, Math.max(WALKERS_A_MINUTE, MOST_A_MINUTE - standing.length));
    const kept = [...evenly(standing, MOST_A_MINUTE - walkers), ...evenly(walking, walkers)];
    // A minute may be begun by one run and ended by the next.
    this.#points = [...this.#points, ...kept].slice(-MINUTES * MOST_A_MINUTE);
    this.#candidates = [];
    this.#isChanged = true;
  }

  #advise(): void {
    const before = this.#advice;
    const found = zoneAdvice(this.#points, this.#zones, before !== null);
    const advice = found && isLeft(found, this.#zones, this.#left) ? null : found;
    const isSame = before?.zone === advice?.zone;
    const sinceMs = isSame && before ? before.sinceMs : ((this.#minute ?? 0) + 1) * MINUTE_MS;
    this.#advice = advice && { ...advice, sinceMs };
  }
}

/** So many of a list, with equal distances. */
function evenly<Of>(list: readonly Of[], most: number): readonly Of[] {
  const count = Math.min(list.length, most);
  return Array.from({ length: count }, (_, at) => list[Math.floor(((at + 0.5) * list.length) / count)]!);
}
