import { addDays, parseDate, startOfDay } from '../kit/timezone/wall-clock.ts';

export interface FeedFilter {
  /** Only alerts that nobody has acknowledged. */
  readonly isNewOnly: boolean;
  readonly severity: 'warning' | 'critical' | null;
  readonly deviceId: string | null;
  /** Alerts before the end of this day, YYYY-MM-DD; null for all. */
  readonly until: string | null;
}

export const NO_FILTER: FeedFilter = { isNewOnly: false, severity: null, deviceId: null, until: null };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_LETTERS = 500;

/** What an address says of the list: its filter, and what is searched for. What it does not understand is as if it were not there. */
export function parseFeed(text: string): { filter: FeedFilter; search: string } {
  const query = new URLSearchParams(text);
  const [severity, deviceId, until] = ['severity', 'camera', 'until'].map((name) => query.get(name));
  return {
    filter: {
      isNewOnly: query.get('new') === '1',
      severity: severity === 'warning' || severity === 'critical' ? severity : null,
      deviceId: deviceId && ID.test(deviceId) ? deviceId : null,
      until: until && parseDate(until) ? until : null,
    },
    search: (query.get('q') ?? '').trim().slice(0, MOST_LETTERS),
  };
}

/** The place of a list. */
export function feedPlace({ isNewOnly, severity, deviceId, until }: FeedFilter, search = ''): string {
  const query = new URLSearchParams({
    ...(isNewOnly && { new: '1' }),
    ...(severity && { severity }),
    ...(deviceId && { camera: deviceId }),
    ...(until && { until }),
    ...(search && { q: search }),
  }).toString();
  return query ? `/feed?${query}` : '/feed';
}

export const isFiltered = (filter: FeedFilter): boolean =>
  filter.isNewOnly || filter.severity !== null || filter.deviceId !== null || filter.until !== null;

/** The parameters of `GET /analysis/alerts` for a filter. */
export function queryOf({ isNewOnly, severity, deviceId }: FeedFilter) {
  return {
    withInsight: true,
    ...(isNewOnly && { acknowledged: false }),
    ...(severity && { severity }),
    ...(deviceId && { deviceId }),
  };
}

/** The first moment after a day of a time zone. */
export const endOfDay = (date: string, timezone: string): Date =>
  new Date(startOfDay(timezone, addDays(date, 1)));
