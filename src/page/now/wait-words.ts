import { type WaitBand, waitRange } from '../../catalogue/waits/wait-words.ts';
import type { CurrentMetrics } from '../api/live-scenes.ts';
import { duration } from '../kit/numbers.ts';
import { localeNow } from '../text/text.ts';

/** How long somebody waits who joins now: the range, or where no band is known the estimate. */
export function waitWords(current: (CurrentMetrics & Partial<WaitBand>) | null): string {
  const locale = localeNow();
  const { estimatedWaitLowSeconds = null, estimatedWaitHighSeconds = null } = current ?? {};
  const range = waitRange(
    { estimatedWaitLowSeconds, estimatedWaitHighSeconds },
    locale.startsWith('de') ? 'de' : 'en',
  );
  return range ?? duration(current?.estimatedWaitSeconds, locale);
}
