import { Area, distanceToEdge } from '../../catalogue/zones/polygon.ts';
import { HEIGHT_PER_WIDTH, inHeights } from '../body.ts';
import { footPoint, height, width } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box, Point, Polygon } from '../types.ts';

/** Where one person stays at the till. Plain data; watched time but for the times of frames. */
export interface TillStay {
  /** Mean foot point at the place. */
  x: number;
  y: number;
  /** Time of the first frame there. */
  readonly sinceMs: number;
  hereMs: number;
  /** Time seen elsewhere since then. */
  awayMs: number;
  /** Services of others, one after the other, that began and ended meanwhile, and their length together. */
  turns: number;
  turnsMs: number;
  /** End of the last one, and the time here at its end. */
  turnEndedAtMs: number;
  hereAtTurnMs: number;
}

/** A service of somebody who has left the till. Times of frames. */
export interface Turn {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Where somebody stood who was found to be staff. */
export interface StaffPlace {
  readonly x: number;
  readonly y: number;
}

/** The shortest stay at one place after which a person is staff. */
const LEAST_HERE_MS = 60_000;
/** Services of others, one after the other, that staff have seen at least during the stay. */
const LEAST_TURNS = 3;
/** Somebody who came out of the line is staff only after this many times LEAST_TURNS. */
const AFTER_QUEUE = 2;
/** A slow customer at one till of several also sees others come and go. So staff stay at least this many times the mean service of others. */
const LONGER = 4;
/** A person at a place where staff stood before is staff after this stay and this many services of others. */
const KNOWN_PLACE = { hereMs: 30_000, turns: 1 };
/** A shorter service may be a person who passes, or one who steps over an edge. */
const LEAST_TURN_MS = 10_000;
/** So far from the zone is beside it, and so far apart is the same place; heights of a person. */
const BESIDE = 0.5;
const SAME_PLACE = 0.5;
/** Who was elsewhere for longer than at the place, and so much more, stays elsewhere. */
const AWAY_MS = 5_000;
/** The mean of a place follows within this time. */
const PLACE_MS = 300_000;
const MOST_PLACES = 8;

/** Finds staff without a staff zone: who stays at one place at the till while others are served one after the other. */
export class TillRule {
  readonly #tills: readonly { readonly points: readonly Point[]; readonly area: Area }[];
  #places: StaffPlace[];

  /** @param tills the checkout zone, and the tills of the scene */
  constructor(tills: readonly Polygon[], places: readonly StaffPlace[] = []) {
    this.#tills = tills.map(({ points }) => ({ points, area: new Area(points) }));
    this.#places = [...places];
  }

  get places(): readonly StaffPlace[] {
    return this.#places;
  }

  /** In the checkout zone or a till, or beside it. */
  isAtTill(box: Box): boolean {
    const foot = footPoint(box);
    return this.#tills.some(
      ({ points, area }) => area.contains(foot) || distanceTo(points, foot, box) <= BESIDE,
    );
  }

  /** @param isAtTill and not in line @returns the stay with one more sighting; null while there is none */
  see(
    stay: TillStay | null,
    box: Box,
    at: { now: Moment; elapsedMs: number; isAtTill: boolean },
  ): TillStay | null {
    const [x, y] = footPoint(box);
    if (stay && at.isAtTill && distance([stay.x, stay.y], [x, y], box) <= SAME_PLACE) {
      stay.hereMs += at.elapsedMs;
      const share = Math.min(1, at.elapsedMs / Math.min(PLACE_MS, stay.hereMs || 1));
      stay.x += share * (x - stay.x);
      stay.y += share * (y - stay.y);
      return stay;
    }
    if (stay) stay.awayMs += at.elapsedMs;
    if (stay && stay.awayMs <= stay.hereMs + AWAY_MS) return stay;
    if (!at.isAtTill) return null;
    const { timeMs } = at.now;
    return {
      x,
      y,
      sinceMs: timeMs,
      hereMs: 0,
      awayMs: 0,
      turns: 0,
      turnsMs: 0,
      turnEndedAtMs: timeMs,
      hereAtTurnMs: 0,
    };
  }

  /** Somebody else has been served and has left. */
  count(stay: TillStay, { sinceMs, untilMs }: Turn): void {
    const lengthMs = untilMs - sinceMs;
    const wasHereMs = stay.hereMs - stay.hereAtTurnMs;
    if (lengthMs < LEAST_TURN_MS || sinceMs < stay.sinceMs || wasHereMs < lengthMs / 2) return;
    // Two who are served beside each other are one turn.
    if ((sinceMs + untilMs) / 2 < stay.turnEndedAtMs) return;
    stay.turns++;
    stay.turnsMs += lengthMs;
    stay.turnEndedAtMs = untilMs;
    stay.hereAtTurnMs = stay.hereMs;
  }

  isStaff({ x, y, hereMs, turns, turnsMs }: TillStay, box: Box, hasQueued: boolean): boolean {
    if (turns === 0 || hereMs < (LONGER * turnsMs) / turns) return false;
    if (hereMs >= LEAST_HERE_MS && turns >= (hasQueued ? AFTER_QUEUE : 1) * LEAST_TURNS) return true;
    if (hasQueued || hereMs < KNOWN_PLACE.hereMs || turns < KNOWN_PLACE.turns) return false;
    return this.#places.some((place) => distance([place.x, place.y], [x, y], box) <= SAME_PLACE);
  }

  remember({ x, y }: TillStay, box: Box): void {
    this.forget([x, y], box);
    this.#places = [...this.#places, { x, y }].slice(-MOST_PLACES);
  }

  /** Nobody who stood there was staff. */
  forget(at: Point, box: Box): void {
    this.#places = this.#places.filter(({ x, y }) => distance([x, y], at, box) > SAME_PLACE);
  }

  forgetAll(): void {
    this.#places = [];
  }
}

/** In heights of the person whose box it is. */
const distance = ([x, y]: Point, [toX, toY]: Point, box: Box): number => inHeights(box, toX - x, toY - y);

/** From the edges of a polygon, in heights of the person whose box it is. */
function distanceTo(points: readonly Point[], foot: Point, box: Box): number {
  const unit = { x: HEIGHT_PER_WIDTH * width(box), y: height(box) };
  const scaled = points.map(([x, y]): Point => [(x - foot[0]) / unit.x, (y - foot[1]) / unit.y]);
  return distanceToEdge(scaled, [0, 0]);
}
