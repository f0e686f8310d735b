import { NO_WAIT_WORDS, waitRange } from '../../catalogue/waits/wait-words.ts';
import type { CurrentMetrics } from '../api/live-scenes.ts';
import { duration } from '../kit/numbers.ts';
import { languageNow, localeNow } from '../text/text.ts';

/** How long somebody waits who joins now: the range, or why nobody knows; of older numbers, which have no band, the estimate. */
export function waitWords(current: CurrentMetrics | null): string {
  const locale = localeNow();
  const language = languageNow();
  const range = current && waitRange(current, language);
  const reason = current?.estimatedWaitReason;
  return (
    range ?? (reason ? NO_WAIT_WORDS[reason][language] : duration(current?.estimatedWaitSeconds, locale))
  );
}
