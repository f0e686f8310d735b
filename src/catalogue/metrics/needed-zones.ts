/** Zones that metrics depend on. */
export type ZoneName = 'queueZone' | 'checkoutZone';

export const QUEUE = ['queueZone'] as const;
export const CHECKOUT = ['checkoutZone'] as const;
/** Only with both zones can a person who leaves the queue be known to have given up. */
export const BOTH = ['queueZone', 'checkoutZone'] as const;
export const ANY = [] as const;
