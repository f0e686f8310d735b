import { z } from 'zod';
import type { IdentityCheckpoint } from './identity/identity-stage.ts';
import type { Moment } from './moment.ts';
import type { Dwell } from './zones/dwell.ts';
import { noEvidence } from './zones/staff.ts';
import type { Visitor } from './zones/visitor.ts';
import type { ZoneCheckpoint } from './zones/zone-watcher.ts';

/** Carries a scene's run to another process or node. */
export interface SceneCheckpoint {
  readonly version: 3;
  readonly lastTrackId: number;
  readonly lastFrame: Moment | null;
  readonly identity: IdentityCheckpoint;
  readonly zones: ZoneCheckpoint;
}

/** @returns null for what neither this release nor the one before wrote */
export function readCheckpoint(text: string | null | undefined): SceneCheckpoint | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isSceneCheckpoint(value) ? value : fromVersion2(value);
  } catch {
    return null;
  }
}

const isSceneCheckpoint = (value: unknown): value is SceneCheckpoint =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  value.version === 3 &&
  'zones' in value;

const moment = z.object({ timeMs: z.number(), watchedMs: z.number() });
const box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
const look = z.object({ look: z.array(z.number()), showsTorso: z.boolean(), showsLegs: z.boolean() });
const dwell = z.custom<Dwell>((value) => typeof value === 'object' && value !== null && 'inside' in value);

/** What is needed of a checkpoint of version 2, which knew people by the zones alone. */
const schema = z.object({
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

/**
 * A checkpoint as version 2 stored it, for runs that go on over an upgrade: visits keep their numbers and stay open.
 * @returns null for anything else
 */
function fromVersion2(value: unknown): SceneCheckpoint | null {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return null;
  const { lastTrackId, zones } = parsed.data;
  const { lastFrameMs, watchedMs, subjects } = zones;
  return {
    version: 3,
    lastTrackId,
    lastFrame: lastFrameMs === null ? null : { timeMs: lastFrameMs, watchedMs },
    identity: {
      nextId: zones.nextKey,
      people: subjects.map(({ key, box, seen, missedMs, look }) => ({
        ...{ id: key, trackId: null, look, openMs: missedMs, hiddenMs: 0 },
        last: [{ box, at: seen, isSeen: true, hasHiddenFeet: false }],
      })),
    },
    zones: {
      nextVisitId: zones.nextVisitId,
      visitors: subjects.map(({ key, seen, place, queue, checkout, visit, ...rest }) => ({
        ...{ personId: key, trackId: visit?.trackId ?? 0, place, at: seen, queue, checkout, visit },
        ...{ staff: rest.staff ?? noEvidence(), leftQueue: rest.leftQueue },
        visitedUntilMs: rest.visitedUntilMs,
      })),
      staff: zones.staff ?? { people: 0, decisionMsSum: 0, longestDecisionMs: 0 },
    },
  };
}
