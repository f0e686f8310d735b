import {
  type OpeningHours,
  type OpenSpan,
  openSpans,
  together,
} from '../../catalogue/hours/opening-hours.ts';
import { clockSpans } from '../../platform/jobs/local-clock.ts';
import { openingHoursOf } from './opening-hours.ts';

/** The opening hours of a site, with the zone of its clock. */
export interface SiteHours {
  readonly hours: OpeningHours;
  readonly timezone: string;
}

/** Of sites that have said when they are open. */
export const hoursOf = (
  sites: readonly { readonly openingHours: unknown; readonly timezone: string }[],
): SiteHours[] =>
  sites.flatMap(({ openingHours, timezone }) => {
    const hours = openingHoursOf(openingHours);
    return hours ? [{ hours, timezone }] : [];
  });

/** The times within a range at which at least one of the sites is open; null where nobody has said: then every hour counts. */
export function openIn(sites: readonly SiteHours[], { fromMs, toMs }: OpenSpan): OpenSpan[] | null {
  if (sites.length === 0) return null;
  return together(
    sites.flatMap(({ hours, timezone }) => openSpans(hours, clockSpans(timezone, fromMs, toMs))),
  );
}
