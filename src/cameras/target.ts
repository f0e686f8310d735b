import { z } from 'zod';
import type { Target } from '../catalogue/waits/target.ts';

/** What a shop promises its customers; a scene and a site may have one. */
export const target = z
  .strictObject({
    waitSeconds: z
      .int()
      .min(1)
      .max(14_400)
      .meta({ description: 'How long people may wait, 1-14,400 seconds' }),
    share: z
      .number()
      .min(0.01)
      .max(1)
      .meta({ description: 'Share of people who are to be served within that time, 0.01-1' }),
  })
  .meta({ id: 'Target', description: 'How long people may wait, and which share of them at least' });

/** A target as the tables Scene and Site have it: both or none. */
export interface TargetColumns {
  readonly targetWaitSeconds: number | null;
  readonly targetShare: number | null;
}

export const targetOf = ({
  targetWaitSeconds: waitSeconds,
  targetShare: share,
}: TargetColumns): Target | null => (waitSeconds === null || share === null ? null : { waitSeconds, share });

/** The columns that a body sets; none where it does not name a target. */
export const targetColumns = (sent: Target | null | undefined): TargetColumns | undefined =>
  sent === undefined
    ? undefined
    : { targetWaitSeconds: sent?.waitSeconds ?? null, targetShare: sent?.share ?? null };
