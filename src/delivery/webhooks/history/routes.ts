import { route } from '../../../http/route.ts';
import type { Recovered } from './history.store.ts';
import { readDeliveryStats } from './read-stats.ts';
import { recoverDeliveries } from './recover-deliveries.ts';
import { deliveryStats, deliveryStatsQuery, recoverBody, recovered } from './schema.ts';

const present = ({ scheduled, remaining }: Recovered) => ({
  scheduledCount: scheduled,
  remainingCount: remaining,
});

export const webhookHistoryRoutes = [
  route({
    name: 'recoverWebhook',
    method: 'post',
    path: '/users/me/webhook/recover',
    scope: 'webhook:write',
    summary: 'Deliver again what failed finally in a range',
    description:
      'For events of the subscribed types that the receiver never accepted and for which no attempt is scheduled. Bodies and their `id` are the same as before; the current address and secret are used.',
    body: recoverBody,
    status: 202,
    response: recovered,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'WEBHOOK_DISABLED', 'INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, body, keepAnswer }) =>
    present(
      await recoverDeliveries(context, caller.userId, body, (tx, made) => keepAnswer(tx, present(made))),
    ),
  ),

  route({
    name: 'getWebhookStatistics',
    method: 'get',
    path: '/users/me/webhook/stats',
    scope: 'webhook:read',
    summary: 'Count delivery attempts per hour or day, by default of the last 7 days',
    query: deliveryStatsQuery,
    response: deliveryStats,
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE'],
  }).answers(({ context, caller, query }) => readDeliveryStats(context, caller.userId, query)),
];
