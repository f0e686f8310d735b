import { unitOf } from '../../catalogue/metrics/words.ts';
import type { FeedItem } from './feed-item.ts';

/** Alerts of one site that came together: one thing happened, and several rules saw it. */
export interface Incident {
  /** Newest first. */
  readonly items: readonly [FeedItem, ...FeedItem[]];
  readonly oldest: FeedItem;
}

/** An alert that comes later than this after the last one is about something else. */
const TOGETHER_MS = 5 * 60_000;

/**
 * Alerts as incidents, in their order.
 * @param items newest first @param groupOf the site of a device, or the device itself where it has none
 */
export function incidentsOf(items: readonly FeedItem[], groupOf: (deviceId: string) => string): Incident[] {
  const incidents: { group: string; items: [FeedItem, ...FeedItem[]]; oldest: FeedItem }[] = [];
  for (const item of items) {
    const group = groupOf(item.deviceId);
    const atMs = Date.parse(item.triggeredAt);
    const open = incidents.findLast((each) => each.group === group);
    if (open && Date.parse(open.oldest.triggeredAt) - atMs <= TOGETHER_MS) {
      open.items.push(item);
      open.oldest = item;
    } else incidents.push({ group, items: [item], oldest: item });
  }
  return incidents;
}

export interface IncidentFacts {
  readonly from: string;
  readonly to: string;
  readonly places: number;
  /** The longest time that a rule measured; null where no rule was about a time. */
  readonly longestSeconds: number | null;
  /** The largest number of people that a rule measured; null where no rule was about people. */
  readonly mostPeople: number | null;
  readonly severity: FeedItem['severity'];
  readonly unseen: readonly FeedItem[];
}

export function factsOf({ items, oldest }: Incident): IncidentFacts {
  const measured = (unit: string) =>
    items.flatMap(({ measured: { metricPath, actualValue } }) =>
      (unitOf(metricPath) ?? 'count') === unit ? [actualValue] : [],
    );
  const largest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
  return {
    from: oldest.triggeredAt,
    to: items[0].triggeredAt,
    places: new Set(items.map(({ deviceId, place }) => `${deviceId} ${place}`)).size,
    longestSeconds: largest(measured('seconds')),
    mostPeople: largest(measured('count')),
    severity: items.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning',
    unseen: items.filter(({ acknowledgedAt }) => acknowledgedAt === null),
  };
}
