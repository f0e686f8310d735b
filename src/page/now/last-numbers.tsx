import type { LiveScene } from '../api/live-scenes.ts';
import { useAge } from '../kit/age.tsx';
import { duration } from '../kit/numbers.ts';
import { localeNow, useText } from '../text/text.ts';

/** The numbers of a place that is not measured any more: small, with their age, so that nobody takes them for those of now. */
export function LastNumbers({ scene: { current, updatedAt } }: { readonly scene: LiveScene }) {
  const t = useText('now');
  const ageMs = useAge(updatedAt);
  const waiting = current?.inQueue ?? null;
  if (ageMs === null || waiting === null) return null;
  return <p className="note">{t.lastWaiting(waiting, duration(ageMs / 1000, localeNow()))}</p>;
}
