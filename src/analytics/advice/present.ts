import type { z } from 'zod';
import { round } from '../../catalogue/metrics/arithmetic.ts';
import type { StaffingAdvice } from '../../platform/prisma-client/client.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import type { adviceList, staffingAdvice } from './schema.ts';

const known = (share: number | null): number | null => (share === null ? null : round(share));

export const presentAdvice = (row: StaffingAdvice): z.input<typeof staffingAdvice> => ({
  id: row.id,
  madeAt: row.madeAt.toISOString(),
  heldUntil: row.heldUntil.toISOString(),
  isShadow: row.isShadow,
  tills: row.tills,
  openTills: row.openTills,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  lateShare: round(row.lateShare),
  lateShareWithIt: round(row.lateShareWithIt),
  target: { waitSeconds: row.targetWaitSeconds, share: row.targetShare },
  outcome: OUTCOMES.find((name) => name === row.outcome) ?? null,
  people: row.people,
  actualLateShare: known(row.actualLateShare),
  actualOpenTills: known(row.actualOpenTills),
});

export function presentOutcomes(
  counts: Readonly<Record<string, number>>,
): z.input<typeof adviceList>['outcomes'] {
  const count = (name: Outcome): number => counts[name] ?? 0;
  const judged = count('helpful') + count('needless');
  return {
    followed: count('followed'),
    helpful: count('helpful'),
    needless: count('needless'),
    unknown: count('unknown'),
    helpfulShare: judged === 0 ? null : round(count('helpful') / judged),
  };
}
