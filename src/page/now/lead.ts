// The one sentence on top of Now: where somebody has to be sent, else that all is well. Without the DOM.
import type { LiveScene } from '../api/live-scenes.ts';
import { isBroken, isMeasured, LOOKS, reasonOf, totalsOf } from './state.ts';

export type Lead =
  /** Somebody has to go there. `waiting` is 0 where a rule fires for something else than people who wait. */
  | { readonly kind: 'send'; readonly scene: LiveScene; readonly waiting: number }
  /** Nothing that is measured needs anybody; `of` it, so many places should be measured, `held` are known to be within their target. */
  | { readonly kind: 'calm'; readonly fine: number; readonly held: number; readonly of: number }
  | { readonly kind: 'blind' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'stopped' };

/** @param ordered the worst first */
export function leadOf(ordered: readonly LiveScene[], nowMs: number): Lead {
  const reasons = ordered.map((scene) => reasonOf(scene, nowMs));
  const at = reasons.findIndex((reason) => LOOKS[reason].rank < 2);
  const worst = ordered[at];
  if (worst) return { kind: 'send', scene: worst, waiting: worst.current?.inQueue ?? 0 };
  const { fine, held, close } = totalsOf(ordered, nowMs);
  const of = reasons.filter((reason) => isMeasured(reason) || isBroken(reason)).length;
  if (fine + close > 0) return { kind: 'calm', fine: fine + close, held, of };
  if (of > 0) return { kind: 'blind' };
  return { kind: reasons.some((reason) => reason !== 'stopped') ? 'starting' : 'stopped' };
}
