import { useSyncExternalStore } from 'react';
import { serverNow } from '../api/connection.ts';
import { localeNow, useText } from '../text/text.ts';
import { duration } from './numbers.ts';
import { browserZone, sameClock, showTime, type TimeStyle, zoneName } from './time.ts';

const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for every age on the page. */
function tick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = serverNow();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time by the clock of the service, read again each second. */
export const useNow = (): number =>
  useSyncExternalStore(tick, () => {
    // The clock stands while nobody looks.
    if (timer === undefined) now = serverNow();
    return now;
  });

/** Milliseconds since a moment; null if there is none. */
export function useAge(since: string | null): number | null {
  const at = useNow();
  return since === null ? null : Math.max(0, at - Date.parse(since));
}

/** How long ago something was: "3 min ago". */
export function Age({ since }: { readonly since: string | null }) {
  const common = useText('common');
  const ms = useAge(since);
  if (ms === null) return common.notMeasured;
  return ms < 3000 ? common.justNow : common.ago(duration(ms / 1000, localeNow()));
}

interface TimeProps {
  readonly at: string | null;
  readonly style?: TimeStyle;
  /** IANA time zone of the device; the browser's for times that belong to no device. */
  readonly timezone?: string | undefined;
}

/** A moment in the time zone of its device; names the zone where its clock differs from the browser's. */
export function Time({ at, style = 'dateTime', timezone = browserZone() }: TimeProps) {
  if (at === null) return '–';
  const isHere = sameClock(at, timezone, browserZone());
  return (
    <time dateTime={at}>
      {showTime(at, style, { locale: localeNow(), timezone })}
      {!isHere && ` (${zoneName(timezone)})`}
    </time>
  );
}
