import type { FeetCheckpoint } from './feet/feet-watch.ts';
import type { FloorCheckpoint } from './floor/floor-watch.ts';
import type { IdentityCheckpoint } from './identity/identity-stage.ts';
import type { Person } from './identity/person.ts';
import type { Moment } from './moment.ts';
import type { StillCheckpoint } from './still/still-frames.ts';
import type { TillsCheckpoint } from './tills/till-watch.ts';
import type { TrackerCheckpoint } from './track/tracker.ts';
import type { SeenAppearance } from './types.ts';
import type { Visitor } from './zones/visitor.ts';
import type { ZoneCheckpoint } from './zones/zone-watcher.ts';

/** The state of a scene that moves with its run to another process or node. */
export interface SceneCheckpoint {
  readonly lastTrackId: number;
  readonly lastFrame: Moment | null;
  readonly identity: IdentityCheckpoint;
  readonly zones: ZoneCheckpoint;
  /** Left out in a scene without tills. */
  readonly tills?: TillsCheckpoint;
  /** Null in a scene of vehicles. */
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
  /** Sure detections in the queue zone; missing in a scene without one. */
  readonly line?: number | null;
  /** Null where no frames are skipped. */
  readonly still: StillCheckpoint | null;
}

/** As text. Nodes of the version before read it, so names do not change. */
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
  /** Missing in a scene of vehicles. */
  readonly feet?: FeetCheckpoint | null;
  /** Missing in an ordinary checkpoint. */
  readonly exact?: ExactState | null;
}

type Look = Omit<SeenAppearance, 'colours'> & { look: readonly number[] };

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

/** @returns null for any other text */
export function readCheckpoint(text: string | null | undefined): SceneCheckpoint | null {
  try {
    const value = JSON.parse(text ?? 'null');
    return value?.version === 3 && value.zones ? restored(value) : null;
  } catch {
    return null;
  }
}

function restored({
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
