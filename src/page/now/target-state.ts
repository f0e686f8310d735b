// How the wait of a place stands to its target. It decides the colour of Now, Wall, Scene and History, and says why.
import type { Target } from '../../catalogue/waits/target.ts';
import type { CurrentMetrics } from '../api/live-scenes.ts';

type Wait = Pick<
  CurrentMetrics,
  'inQueue' | 'maxWaitSeconds' | 'estimatedWaitSeconds' | 'estimatedWaitHighSeconds'
>;

export interface AgainstTarget {
  readonly held: 'within' | 'close' | 'over';
  /** What decides: who has waited longest, who joins now (the median), or the 90 % end of the band of who joins now. */
  readonly by: 'longest' | 'joining' | 'atMost' | 'nobody';
  readonly seconds: number;
}

/** From this share of the time on, a wait is close to it, where no band says how sure it is. */
const CLOSE = 0.8;

/**
 * Over: somebody has waited longer already, or who joins now will more likely than not. Close: who joins now is not served in time
 * with a certainty of 90 %, or the longest has waited 80 % of the time.
 * @returns null without a target, or where nothing is known of the wait
 */
export function againstTarget(wait: Wait | null, target: Target | null): AgainstTarget | null {
  if (wait === null || target === null || wait.inQueue === null) return null;
  const limit = target.waitSeconds;
  const longest = wait.maxWaitSeconds;
  const joining = wait.estimatedWaitSeconds;
  const atMost = wait.estimatedWaitHighSeconds;
  if (longest !== null && longest > limit) return { held: 'over', by: 'longest', seconds: longest };
  if (joining !== null && joining > limit) return { held: 'over', by: 'joining', seconds: joining };
  if (atMost !== null && atMost > limit) return { held: 'close', by: 'atMost', seconds: atMost };
  if (longest !== null && longest >= CLOSE * limit) return { held: 'close', by: 'longest', seconds: longest };
  if (joining !== null && atMost === null && joining >= CLOSE * limit)
    return { held: 'close', by: 'joining', seconds: joining };
  if (joining !== null) return { held: 'within', by: 'joining', seconds: joining };
  if (longest !== null) return { held: 'within', by: 'longest', seconds: longest };
  return wait.inQueue === 0 ? { held: 'within', by: 'nobody', seconds: 0 } : null;
}

/** Below the wanted share by at most so much, a service level is close to it. */
const CLOSE_POINTS = 0.05;

/** How a service level stands to the share that is wanted; null without one of them. */
export function levelAgainst(
  level: number | null | undefined,
  target: Target | null,
): AgainstTarget['held'] | null {
  if (level == null || target === null) return null;
  if (level >= target.share) return 'within';
  return level >= target.share - CLOSE_POINTS ? 'close' : 'over';
}

export const HELD_TONES = { within: 'good', close: 'warn', over: 'bad' } as const;
