/** Zones that metrics depend on. */
export const ZONE_NAMES = ['queueZone', 'checkoutZone', 'tills'] as const;
export type ZoneName = (typeof ZONE_NAMES)[number];

export const QUEUE = ['queueZone'] as const;
export const CHECKOUT = ['checkoutZone'] as const;
/** Only with both zones can a person who leaves the queue be known to have given up. */
export const BOTH = ['queueZone', 'checkoutZone'] as const;
export const TILLS = ['tills'] as const;
export const ANY = [] as const;
