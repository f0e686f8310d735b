import { z } from 'zod';
import { timestamp } from '../../http/fields.ts';
import { storedConfig } from '../../vision/stored-config.ts';
import { TILL_STATES } from '../../vision/tills/till-state.ts';

/** A camera without frames for so long is offline, and so nobody knows what its tills do. */
const KNOWN_MS = 30_000;

export const liveTill = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the till, as in `zones.tills` of the scene' }),
    name: z.string().meta({ description: 'Name of the till' }),
    state: z.enum(TILL_STATES).meta({
      description:
        '`serving`: somebody is served; `free`: open, nobody is served; `closed`; `unknown`: the scene is not analysed, or has had no frames for 30 s. It is provisional: what happened may become clear up to 30 s later',
    }),
    since: timestamp().nullable().meta({
      description:
        'When this state began, back-dated; of `unknown` the last frame, or null before the first one',
    }),
    confidence: z.enum(['high', 'low']).optional().meta({
      description:
        '`low` where nobody can know: the till is said to be free only because it was used, but not lately. Left out of `unknown`',
    }),
    servedSince: timestamp().optional().meta({
      description: 'When the service began that is open at the till; only of `serving`',
    }),
  })
  .meta({ id: 'LiveTill', description: 'A till as it is now' });
export type LiveTill = z.input<typeof liveTill>;

export const liveTills = z.array(liveTill).meta({
  description: 'Each till of the scene as it is now, in the order of the scene; empty without tills',
});

/** What the tills of a scene depend on. */
export interface TillScene {
  readonly config: unknown;
  readonly latestMetrics: unknown;
  readonly metricsUpdatedAt: Date | null;
  readonly analysisStatus: string;
}

/** The tills within the latest numbers of a scene; an older version stored none. */
const storedTills = z
  .object({
    tills: z
      .array(
        z.object({
          ...{ tillId: z.string(), state: z.enum(['serving', 'free', 'closed']), sinceMs: z.number() },
          confidence: z.enum(['high', 'low']).default('high'),
        }),
      )
      .optional(),
  })
  .nullable();

/** Whether a run sees the scene, so that a state of a till may be shown. */
export const seesTills = (
  { analysisStatus, metricsUpdatedAt }: Pick<TillScene, 'analysisStatus' | 'metricsUpdatedAt'>,
  now: Date,
): boolean =>
  (analysisStatus === 'running' || analysisStatus === 'stopping') &&
  metricsUpdatedAt !== null &&
  now.getTime() - metricsUpdatedAt.getTime() <= KNOWN_MS;

/** The tills of a scene now. Names are those of its configuration. */
export function presentTills(scene: TillScene, now: Date): LiveTill[] {
  const { tills = [] } = storedConfig.parse(scene.config).zones;
  if (tills.length === 0) return [];
  const stored = storedTills.parse(scene.latestMetrics)?.tills ?? [];
  const isSeen = seesTills(scene, now);
  return tills.map(({ id, name }) => {
    const known = isSeen ? stored.find(({ tillId }) => tillId === id) : undefined;
    if (!known) return { id, name, state: 'unknown', since: scene.metricsUpdatedAt?.toISOString() ?? null };
    const { state, confidence } = known;
    const since = new Date(known.sinceMs).toISOString();
    return { id, name, state, since, confidence, ...(state === 'serving' && { servedSince: since }) };
  });
}
