import { IANAZone } from 'luxon';
import { QUARTER_SECONDS } from '../../catalogue/metrics/quarter.ts';
import type { LocalTime } from '../../waits/service-times.ts';

/** Hours and weekdays on the wall of a time zone, which changes its clock at whole quarters of an hour. */
export function localTimeIn(timezone: string): LocalTime {
  const zone = IANAZone.create(timezone);
  let quarter = Number.NaN;
  let offsetSeconds = 0;
  return (at) => {
    const current = Math.floor(at / QUARTER_SECONDS);
    if (current !== quarter) {
      quarter = current;
      // 0 where the name of the zone is not known.
      offsetSeconds = zone.offset(current * QUARTER_SECONDS * 1000) * 60 || 0;
    }
    const local = at + offsetSeconds;
    return { hour: Math.floor(local / 3600) % 24, weekday: Math.floor(local / 86_400) % 7 };
  };
}
