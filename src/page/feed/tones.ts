import type { Tone } from '../kit/tone.ts';
import type { FeedItem, RiskLevel } from './feed-item.ts';

export const SEVERITY_TONES = { warning: 'warn', critical: 'bad' } as const satisfies Record<
  FeedItem['severity'],
  Tone
>;

export const RISK_TONES: Readonly<Record<RiskLevel, Tone>> = {
  low: 'good',
  medium: 'info',
  high: 'warn',
  critical: 'bad',
};
