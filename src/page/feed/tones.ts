import type { Tone } from '../kit/tone.ts';
import type { FeedItem } from './feed-item.ts';

export const SEVERITY_TONES = { warning: 'warn', critical: 'bad' } as const satisfies Record<
  FeedItem['severity'],
  Tone
>;
