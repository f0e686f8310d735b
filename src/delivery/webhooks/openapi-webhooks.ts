import { z } from 'zod';
import type { Api } from '../../http/openapi/openapi.ts';
import { EVENT_TYPES, EVENTS, type EventType, eventBody, eventExample } from '../events/catalogue.ts';

const headers = z.object({
  'X-SaaS-Signature': z.string().meta({
    description:
      '`sha256=` and the hex HMAC-SHA256 of `<timestamp>.<body>`; the key is the UTF-8 bytes of the whole secret',
  }),
  'X-SaaS-Timestamp': z.string().meta({
    description:
      'Time of the attempt, Unix seconds; refuse requests whose time differs by more than 300 seconds',
  }),
  'X-SaaS-Event': z.enum(EVENT_TYPES).meta({ description: 'Type of the event' }),
  'X-SaaS-Delivery-Id': z.guid().meta({ description: 'Id of this attempt (the delivery record)' }),
  'webhook-id': z.guid().meta({ description: 'Id of the event, in the header of Standard Webhooks' }),
  'webhook-timestamp': z.string().meta({ description: 'The same value as X-SaaS-Timestamp' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`; several signatures, separated by spaces, for 24 hours after the secret was changed',
  }),
});

const describe = (type: EventType) => ({
  post: {
    operationId: `on_${type}`,
    summary: EVENTS[type].description,
    tags: ['Webhook'],
    security: [],
    requestParams: { header: headers },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: eventBody(type),
          example: eventExample(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. The delivery record stores the first 20,000 bytes of the answer.' },
      '410': { description: 'The receiver is gone: the webhook is disabled.' },
      default: {
        description:
          'Failed; a redirect is also a failure. The delivery is retried up to `maxRetries` times, after 5 s, 5 min, 30 min, 2 h and 5 h (± 20 %).',
      },
    },
  },
});

/** The requests that a user's webhook receives, for each type of event. */
export const OPENAPI_WEBHOOKS: NonNullable<Api['webhooks']> = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, describe(type)]),
);
