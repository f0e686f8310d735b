import type { Point } from '../catalogue/zones/polygon.ts';

/**
 * The types of the frame path. Coordinates are fractions of the frame (0-1, origin top left); times are milliseconds of
 * the clock of the frames.
 */

export type { Point };

/** Axis-aligned box. Not clipped: an object that is partly outside the frame reaches below 0 or above 1. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The colours of one person's clothes: mean red, green, blue of the torso, then of the legs; 0-255. */
export type Appearance = readonly number[];

/** Colours and which of them are valid: where a nearer person covers a part, its colours are those of that person. */
export interface SeenAppearance {
  readonly colours: Appearance;
  readonly showsTorso: boolean;
  readonly showsLegs: boolean;
}

/** One object that the detector found in one frame. */
export interface Detection {
  readonly box: Box;
  /** 0-1. */
  readonly score: number;
  /** COCO class, 0-79. */
  readonly classId: number;
  /** Left out where only boxes are known. */
  readonly appearance?: Appearance | undefined;
}

export type Feet = 'seen' | 'estimated';

/** Where an object was before its first sure detection. */
export interface EarlierBox {
  readonly timeMs: number;
  readonly box: Box;
}

/** One object that is followed over frames, as seen in the frame at `timeMs`. */
export interface Track {
  /** Unique within its tracker, from 1, never reused. */
  readonly id: number;
  readonly box: Box;
  readonly score: number;
  readonly classId: number;
  /** Time of the first frame in which it was detected, before it was confirmed. */
  readonly bornMs: number;
  /** Its box in that frame. */
  readonly bornBox: Box;
  /** Its unsure boxes before that, the earliest first; only in the frame that confirms it, and left out where there are none. */
  readonly earlier?: readonly EarlierBox[];
  readonly timeMs: number;
  /**
   * Whether its feet are in the box of the detection, or below it: then the box reaches down to where they must be. Left out
   * where that is not known: the box ends where the detection does.
   */
  readonly feet?: Feet | undefined;
  /** Learned over its sightings; left out where no colours are known. */
  readonly appearance?: SeenAppearance | undefined;
}

/** A part of the picture, as shares of its width and height. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** How a frame lies in the model's input: scaled with its aspect ratio, at the top left, the rest grey. Pixels. */
export interface Letterbox {
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly contentWidth: number;
  readonly contentHeight: number;
}

export type AnalysisClass = 'person' | 'vehicle';

/** COCO classes of each analysis class. */
export const CLASS_IDS: Readonly<Record<AnalysisClass, readonly number[]>> = {
  person: [0],
  /** bicycle, car, motorcycle, bus, truck */
  vehicle: [1, 2, 3, 5, 7],
};

/** `parameters` of a scene, as the API takes them. */
export interface QueueParameters {
  /** 0-1: least score of a detection that begins a track or takes part in the first association. */
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

/** A place where customers are served; who stands in its polygon is in service there. */
export interface Till extends Polygon {
  /** Kept over changes of name and polygon. */
  readonly id: string;
  readonly name: string;
  /** Where the person who serves stands; 3-20 points. */
  readonly staffPoints?: readonly Point[] | undefined;
}

/** At least one of queue, checkout and till. */
export interface QueueZones {
  readonly queueZone?: Polygon | undefined;
  readonly checkoutZone?: Polygon | undefined;
  /** A person who is mostly here is staff, see `zones/staff.ts`. */
  readonly staffZone?: Polygon | undefined;
  /** 1-12. */
  readonly tills?: readonly Till[] | undefined;
  /** The tills to which the people of the queue zone go; left out: all. */
  readonly queueFeeds?: { readonly tillIds: readonly string[] } | undefined;
}

export interface SceneConfig {
  readonly zones: QueueZones;
  readonly parameters: QueueParameters;
}

export type VisitOutcome = 'completed' | 'abandoned' | 'lost';

/** A stay at one till within a service. */
export interface TillService {
  readonly tillId: string;
  readonly startedAtMs: number;
  /** Null while it lasts. */
  readonly endedAtMs: number | null;
}

/** One person's way through the zones. Times are frame times in ms, back-dated; null where there is none. */
export interface Visit {
  /** Unique within its run, from 1. */
  readonly id: number;
  /** The last track of the person. */
  readonly trackId: number;
  /** `discarded`: the person was found to be staff before the visit ended; it has no outcome. */
  readonly state: 'queued' | 'in_service' | 'closed' | 'discarded';
  readonly queueEnteredAtMs: number | null;
  readonly queueLeftAtMs: number | null;
  readonly serviceStartedAtMs: number | null;
  readonly serviceEndedAtMs: number | null;
  readonly outcome: VisitOutcome | null;
  /** The frame that confirmed the entry: it counts as the arrival. */
  readonly arrivalDecidedAtMs: number;
  /** The frame that decided the outcome, or discarded the visit; null while open. */
  readonly outcomeDecidedAtMs: number | null;
  /** The stays at tills, in their order; left out in a scene without tills. */
  readonly services?: readonly TillService[];
  /** Whether the wait was within the target that held at the decision; left out while nobody has looked. */
  readonly isInTime?: boolean | null;
}
