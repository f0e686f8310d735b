import { route } from '../http/route.ts';
import { readOverview } from './read-overview.ts';
import { overviewDevice, overviewQuery } from './schema.ts';

export const overviewRoutes = [
  route({
    name: 'getOverview',
    method: 'get',
    path: '/overview',
    scope: 'analytics:read',
    summary: 'Read devices with their scenes as they are now, newest device first',
    description:
      'One call for a page that shows everything: numbers with their age, newest run, fault and warnings, whether a rule fires, the last alert event, and the queue of the last hour.',
    query: overviewQuery,
    paging: 'A',
    response: overviewDevice,
    handler: ({ context, caller, query }) => readOverview(context.db, caller.userId, query),
  }),
];
