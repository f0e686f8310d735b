import type { LiveScene } from '../api/live-scenes.ts';
import { useText } from '../text/text.ts';
import { trendOf } from './trend.ts';

/** An arrow beside the number of people who wait; nothing where the queue is steady or that is not known. */
export function TrendArrow({ scene }: { readonly scene: LiveScene }) {
  const t = useText('now');
  const trend = trendOf(scene);
  if (trend === null || trend === 'steady') return null;
  return (
    <span role="img" aria-label={t.trend[trend]} title={t.trend[trend]}>
      {trend === 'growing' ? '↗' : '↘'}
    </span>
  );
}
