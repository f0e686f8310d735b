import type { Resource } from '../../client/client.ts';

export type Webhook = Resource<'Webhook'>;
export type Delivery = Resource<'WebhookDelivery'>;
export type EventType = Webhook['subscribedTypes'][number];

/** The beginning of the keys of everything that the screen reads. */
export const WEBHOOK_KEY = 'webhook';
/** While the page is visible. */
export const REFRESH_MS = 5_000;

export const STATE_TONES = { success: 'good', failed: 'bad', pending: 'info' } as const;
