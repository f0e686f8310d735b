import type { Target } from '../../catalogue/waits/target.ts';

/**
 * What became of advice, decided after its time:
 * - `followed`: the tills were opened or closed. What would have happened without it, nobody knows
 * - `helpful`: it was not followed, and it would have been right. More tills: the target was missed. Fewer: the target was kept, and
 *   the services needed no more tills than would have stayed
 * - `needless`: it was not followed, and that was right
 * - `unknown`: nobody joined, or the tills were not seen
 */
export const OUTCOMES = ['followed', 'helpful', 'needless', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What was seen between the begin and the end of advice. */
export interface Happened {
  /** Share of people who waited too long, 0-1; null where nobody counts. */
  readonly lateShare: number | null;
  /** Mean numbers; null where the tills were not seen. */
  readonly openTills: number | null;
  readonly servingTills: number | null;
}

const ROUNDING = 1e-9;
/** A till that was open for half of the time counts as opened. */
const HALF = 0.5;
/** Tills that serve for more of the time than this leave no room for who comes in bursts. */
const MOST_UTILIZATION = 0.85;

export function outcomeOf(
  { tills, openTills, target }: { tills: number; openTills: number; target: Target },
  happened: Happened,
): Outcome {
  if (happened.lateShare === null || happened.openTills === null || happened.servingTills === null)
    return 'unknown';
  const isKept = happened.lateShare <= 1 - target.share + ROUNDING;
  if (tills > 0) {
    if (happened.openTills >= openTills + tills * HALF) return 'followed';
    return isKept ? 'needless' : 'helpful';
  }
  if (happened.openTills <= openTills + tills * HALF) return 'followed';
  return isKept && happened.servingTills <= (openTills + tills) * MOST_UTILIZATION ? 'helpful' : 'needless';
}
