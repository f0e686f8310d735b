import { z } from 'zod';
import type { FeetCheckpoint } from './feet/feet-watch.ts';
import type { FloorCheckpoint } from './floor/floor-watch.ts';
import type { IdentityCheckpoint } from './identity/identity-stage.ts';
import type { Person } from './identity/person.ts';
import type { Moment } from './moment.ts';
import type { StillCheckpoint } from './still/still-frames.ts';
import type { TillsCheckpoint } from './tills/till-watch.ts';
import type { TrackerCheckpoint } from './track/tracker.ts';
import type { SeenAppearance } from './types.ts';
import type { Dwell } from './zones/dwell.ts';
import { NO_DECISIONS, noEvidence } from './zones/staff.ts';
import type { Visitor } from './zones/visitor.ts';
import type { ZoneCheckpoint } from './zones/zone-watcher.ts';

/** The state of a scene that moves with its run to another process or node. */
export interface SceneCheckpoint {
  readonly lastTrackId: number;
  readonly lastFrame: Moment | null;
  readonly identity: IdentityCheckpoint;
  readonly zones: ZoneCheckpoint;
  /** Left out in a scene without tills, and in those of earlier releases. */
  readonly tills?: TillsCheckpoint;
  /** Null in a scene of vehicles, and in those of earlier releases. */
  readonly feet: FeetCheckpoint | null;
  /** Null for a checkpoint that is not exact. */
  readonly exact: ExactState | null;
}

/**
 * With this state a scene continues as if it had not stopped. It is large, so that only scenes of recordings store it: no
 * frame is missing between two parts of their analysis, while a camera has gone on meanwhile.
 */
export interface ExactState {
  readonly firstTrackId: number;
  readonly tracker: TrackerCheckpoint;
  readonly floor: FloorCheckpoint;
  /** Null where no frames are skipped; missing in those of earlier releases. */
  readonly still?: StillCheckpoint | null;
}

/** Version 3, as text. `look` and `place` are the names that nodes of earlier releases know, so they must not change. */
interface StoredCheckpoint {
  readonly version: 3;
  readonly lastTrackId: number;
  readonly lastFrame: Moment | null;
  readonly identity: {
    nextId: number;
    people: (Omit<Person, 'appearance'> & { look: Look | null })[];
    frames?: readonly Moment[] | undefined;
  };
  readonly zones: Omit<ZoneCheckpoint, 'visitors'> & {
    visitors: (Omit<Visitor, 'standsIn'> & { place: Visitor['standsIn'] })[];
  };
  /** As in `SceneCheckpoint`. */
  readonly tills?: TillsCheckpoint;
  /** Missing in those of earlier releases. */
  readonly feet?: FeetCheckpoint | null;
  /** Missing in an ordinary checkpoint, and in those of earlier releases. */
  readonly exact?: ExactState | null;
}

const moment = z.object({ timeMs: z.number(), watchedMs: z.number() });
const box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
const look = z.object({ look: z.array(z.number()), showsTorso: z.boolean(), showsLegs: z.boolean() });
const dwell = z.custom<Dwell>((value) => typeof value === 'object' && value !== null && 'inside' in value);
type Look = z.infer<typeof look>;

/** What is needed of a checkpoint of version 2, which had no identity stage. */
const schemaOfVersion2 = z.object({
  version: z.literal(2),
  lastTrackId: z.number(),
  zones: z.object({
    lastFrameMs: z.number().nullable(),
    watchedMs: z.number(),
    nextVisitId: z.number(),
    nextKey: z.number(),
    subjects: z.array(
      z.object({
        ...{ key: z.number(), box, seen: moment, missedMs: z.number(), look: look.nullable() },
        ...{ place: z.enum(['queue', 'checkout']).nullable(), queue: dwell, checkout: dwell },
        visit: z.custom<Visitor['visit']>(),
        staff: z.custom<Visitor['staff']>().optional(),
        ...{ leftQueue: moment.nullable(), visitedUntilMs: z.number().nullable() },
      }),
    ),
    staff: z.custom<ZoneCheckpoint['staff']>().optional(),
  }),
});

export function writeCheckpoint({
  lastTrackId,
  lastFrame,
  identity,
  zones,
  tills,
  feet,
  exact,
}: SceneCheckpoint): string {
  const stored: StoredCheckpoint = {
    ...{ version: 3, lastTrackId, lastFrame },
    identity: {
      nextId: identity.nextId,
      people: identity.people.map(({ appearance, ...person }) => ({ ...person, look: lookOf(appearance) })),
      ...(identity.frames && { frames: identity.frames }),
    },
    zones: {
      ...zones,
      visitors: zones.visitors.map(({ standsIn, ...visitor }) => ({ ...visitor, place: standsIn })),
    },
    ...(tills && { tills }),
    ...(feet && { feet }),
    ...(exact && { exact }),
  };
  return JSON.stringify(stored);
}

/** @returns null for a text that neither this release nor the one before wrote */
export function readCheckpoint(text: string | null | undefined): SceneCheckpoint | null {
  try {
    const value = JSON.parse(text ?? 'null');
    return value?.version === 3 && value.zones ? fromVersion3(value) : fromVersion2(value);
  } catch {
    return null;
  }
}

function fromVersion3({
  lastTrackId,
  lastFrame,
  identity,
  zones,
  tills,
  feet = null,
  exact = null,
}: StoredCheckpoint): SceneCheckpoint {
  return {
    ...{ lastTrackId, lastFrame },
    identity: {
      nextId: identity.nextId,
      people: identity.people.map(({ look, ...person }) => ({ ...person, appearance: appearanceOf(look) })),
      frames: exact ? identity.frames : undefined,
    },
    zones: {
      ...zones,
      visitors: zones.visitors.map(({ place, ...visitor }) => ({ ...visitor, standsIn: place })),
    },
    ...(tills && { tills }),
    ...{ feet, exact },
  };
}

/** Visits keep their numbers and stay open, so that a run continues over an upgrade. @returns null for anything else */
function fromVersion2(value: unknown): SceneCheckpoint | null {
  const parsed = schemaOfVersion2.safeParse(value);
  if (!parsed.success) return null;
  const { lastTrackId, zones } = parsed.data;
  const { lastFrameMs, watchedMs, subjects } = zones;
  return {
    lastTrackId,
    lastFrame: lastFrameMs === null ? null : { timeMs: lastFrameMs, watchedMs },
    identity: {
      nextId: zones.nextKey,
      people: subjects.map(({ key, box, seen, missedMs, look }) => ({
        ...{ id: key, trackId: null, appearance: appearanceOf(look), openMs: missedMs, hiddenMs: 0 },
        last: [{ box, at: seen, isSeen: true, hasHiddenFeet: false }],
      })),
    },
    zones: {
      nextVisitId: zones.nextVisitId,
      visitors: subjects.map(({ key, seen, place, queue, checkout, visit, ...rest }) => ({
        ...{ personId: key, trackId: visit?.trackId ?? 0, standsIn: place, at: seen, queue, checkout, visit },
        ...{ staff: rest.staff ?? noEvidence(), leftQueue: rest.leftQueue },
        visitedUntilMs: rest.visitedUntilMs,
      })),
      staff: zones.staff ?? NO_DECISIONS,
    },
    ...{ feet: null, exact: null },
  };
}

function lookOf(appearance: SeenAppearance | null): Look | null {
  if (!appearance) return null;
  const { colours, ...shown } = appearance;
  return { look: [...colours], ...shown };
}

function appearanceOf(stored: Look | null): SeenAppearance | null {
  if (!stored) return null;
  const { look, ...shown } = stored;
  return { colours: look, ...shown };
}
