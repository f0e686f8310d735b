import { route } from '../../../http/route.ts';
import { readAdminOverview } from './read-admin-overview.ts';
import { adminOverview } from './schema.ts';

export const adminOverviewRoutes = [
  route({
    name: 'getAdminOverview',
    method: 'get',
    path: '/admin/overview',
    scope: 'admin',
    summary: 'Read the state of the whole installation: nodes, queues, database',
    response: adminOverview,
  }).answers(({ context }) => readAdminOverview(context)),
];
