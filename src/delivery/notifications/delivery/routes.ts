import { mapPage } from '../../../http/paging.ts';
import { route } from '../../../http/route.ts';
import { listDeliveries } from './delivery.store.ts';
import { presentDelivery } from './present.ts';
import { deliveriesQuery, delivery } from './schema.ts';

export const notificationDeliveryRoutes = [
  route({
    name: 'listNotificationDeliveries',
    method: 'get',
    path: '/notifications/deliveries',
    scope: 'alert:write',
    summary: 'List the attempts of the last 30 days to send messages, newest first',
    query: deliveriesQuery,
    paging: 'A',
    response: delivery,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listDeliveries(context.db, caller.userId, query), presentDelivery),
  ),
];
