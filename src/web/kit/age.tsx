import { useEffect, useState } from 'react';
import { serverNow } from '../api/connection.ts';
import { localeNow, useText } from '../text/text.ts';
import { duration } from './numbers.ts';
import { browserZone, sameClock, showTime, type TimeStyle, zoneName } from './time.ts';

/** Milliseconds since a moment by the clock of the service, read again each second. */
export function useAge(since: string | null): number | null {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return since === null ? null : Math.max(0, now - Date.parse(since));
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
