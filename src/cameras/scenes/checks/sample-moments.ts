import { type OpenSpan, openWithin } from '../../../catalogue/hours/opening-hours.ts';
import { createRandom } from '../../../simulator/random.ts';

/** Moments at which we look for each still that is kept. */
export const LOOKS = 3;
/** A moment at which our counts have changed since the last one is kept so many times more often. */
const CHANGED = 2;

/** What decides the moments of a check. */
export interface Plan {
  readonly startedAt: Date;
  readonly endsAt: Date;
  readonly wantedStills: number;
  readonly seed: number;
  /** Moments lie in these times only; all of the time where there are none. */
  readonly open?: readonly OpenSpan[];
}

/** The still, counted from 0, for which a moment is looked at: one of each part of the time is kept. */
export const stratumOf = (slot: number): number => Math.floor(slot / LOOKS);
export const slotsOf = ({ wantedStills }: Pick<Plan, 'wantedStills'>): number => wantedStills * LOOKS;

/** When a slot of a check is looked at: a random moment of its share of the time, ms. */
export function momentOf({ startedAt, endsAt, seed, open = [], ...plan }: Plan, slot: number): number {
  const whole = { fromMs: startedAt.getTime(), toMs: endsAt.getTime() };
  const spans = open.length > 0 ? open : [whole];
  const length = openWithin(spans, whole) / slotsOf(plan);
  let leftMs = (slot + createRandom(seed, slot).next()) * length;
  for (const { fromMs, toMs } of spans) {
    if (leftMs < toMs - fromMs) return Math.floor(fromMs + leftMs);
    leftMs -= toMs - fromMs;
  }
  return whole.toMs;
}

/** What is known of the moments of a part of the time before this one. */
export interface Drawing {
  /** Draw weights of the looks of this part so far; 0 at its first look. */
  readonly weightSum: number;
}

export interface Draw {
  readonly weightSum: number;
  readonly drawWeight: number;
  /** Whether this look replaces the still of its part. */
  readonly isKept: boolean;
}

/**
 * Draws one of the looks of a part without knowing how many follow (a weighted reservoir of one): after each of them every
 * look so far is the kept one with a probability of its own draw weight over the sum. A still therefore stands for
 * `weightSum / drawWeight` looks, and figures that are weighted so are those of a random moment, although moments of change
 * are drawn more often.
 */
export function draw({ weightSum }: Drawing, isChanged: boolean, { seed }: Plan, slot: number): Draw {
  const drawWeight = isChanged ? CHANGED : 1;
  const sum = weightSum + drawWeight;
  const isKept = createRandom(seed, slot, 1).next() * sum < drawWeight;
  return { weightSum: sum, drawWeight, isKept };
}
