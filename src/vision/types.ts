/**
 * The words of the frame path. Coordinates are fractions of the camera's picture (0-1, origin top left);
 * times are milliseconds of the frame's own clock.
 */

/** Axis-aligned box. Not clipped: a half-hidden object may reach below 0 or above 1. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** `[x, y]`, both 0-1. */
export type Point = readonly [x: number, y: number];

/** The clothes' colours of one person: mean red, green, blue of the torso, then of the legs; 0-255. */
export type Appearance = readonly number[];

/** An appearance and which parts of it are valid: a part that a nearer person covers shows the clothes of that person. */
export interface SeenAppearance {
  readonly colours: Appearance;
  readonly showsTorso: boolean;
  readonly showsLegs: boolean;
}

/** One object found in one frame. */
export interface Detection {
  readonly box: Box;
  /** 0-1. */
  readonly score: number;
  /** COCO class, 0-79. */
  readonly classId: number;
  /** Left out where only boxes are known. */
  readonly appearance?: Appearance | undefined;
}

/** One object followed over frames, as seen in the frame at `timeMs`. */
export interface Track {
  /** Unique within its tracker, from 1, never reused. */
  readonly id: number;
  readonly box: Box;
  readonly score: number;
  readonly classId: number;
  /** Time of the first frame in which it was seen (before it was confirmed). */
  readonly bornMs: number;
  /** Where it was then. */
  readonly bornBox: Box;
  readonly timeMs: number;
  /** What it wears, learned over its sightings; left out where nothing is known. */
  readonly appearance?: SeenAppearance | undefined;
}

/**
 * How the picture lies in the model's input: scaled to keep its aspect, at the top left, the rest grey.
 * Sizes in pixels.
 */
export interface Letterbox {
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly contentWidth: number;
  readonly contentHeight: number;
}

export type AnalysisClass = 'person' | 'vehicle';

/** `parameters` of a scene, as the API takes them. */
export interface QueueParameters {
  /** 0-1: gates a track's birth and its first association. */
  readonly confidenceThreshold: number;
  readonly class: AnalysisClass;
  readonly entryThresholdSeconds: number;
  readonly exitThresholdSeconds: number;
  readonly trackingMaxAgeSeconds: number;
}

export interface Polygon {
  readonly type: 'polygon';
  /** 3-20 points. */
  readonly points: readonly Point[];
}

/** At least one of queue and checkout. */
export interface QueueZones {
  readonly queueZone?: Polygon | undefined;
  readonly checkoutZone?: Polygon | undefined;
  /** Whoever is mostly here is staff, see `zones/staff.ts`. */
  readonly staffZone?: Polygon | undefined;
}

export interface SceneConfig {
  readonly zones: QueueZones;
  readonly parameters: QueueParameters;
}

export type VisitOutcome = 'completed' | 'abandoned' | 'lost';

/** One object's way through the zones. Times are frame times in ms, back-dated; null where there is none. */
export interface Visit {
  /** Unique within its run, from 1. */
  readonly id: number;
  /** The track that last carried it. */
  readonly trackId: number;
  /** `discarded`: of somebody who turned out to be staff before it ended; it has no outcome. */
  readonly state: 'queued' | 'in_service' | 'closed' | 'discarded';
  readonly queueEnteredAtMs: number | null;
  readonly queueLeftAtMs: number | null;
  readonly serviceStartedAtMs: number | null;
  readonly serviceEndedAtMs: number | null;
  readonly outcome: VisitOutcome | null;
  /** When the entry was confirmed: the frame that decided it counts as an arrival. */
  readonly arrivalDecidedAtMs: number;
  /** When the outcome was decided, or the visit discarded; null while open. */
  readonly outcomeDecidedAtMs: number | null;
}

/** COCO classes of each analysis class. */
export const CLASS_IDS: Readonly<Record<AnalysisClass, readonly number[]>> = {
  person: [0],
  /** bicycle, car, motorcycle, bus, truck */
  vehicle: [1, 2, 3, 5, 7],
};
