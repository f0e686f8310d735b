import { mapPage } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import { presentSiteOverview, readOverview } from './read-overview.ts';
import { overviewDevice, overviewQuery, siteOverview, sitesOverviewQuery } from './schema.ts';
import { listSiteOverviews } from './site-overview.store.ts';

export const overviewRoutes = [
  route({
    name: 'listDeviceOverviews',
    method: 'get',
    path: '/overview',
    scope: 'analytics:read',
    summary: 'List devices with their scenes as they are now, newest device first',
    description:
      'One call for a page that shows everything: numbers with their age, newest run, fault and warnings, whether a rule fires, the last alert event, and the queue of the last hour.',
    query: overviewQuery,
    paging: 'A',
    response: overviewDevice,
  }).answers(({ context, caller, query }) => readOverview(context, caller.userId, query)),

  route({
    name: 'listSiteOverviews',
    method: 'get',
    path: '/overview/sites',
    scope: 'analytics:read',
    summary: 'List sites as they are now, newest site first',
    description: 'How many people wait in each site, whether a rule fires there, and its last alert event.',
    query: sitesOverviewQuery,
    paging: 'A',
    response: siteOverview,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listSiteOverviews(context.db, caller.userId, query), presentSiteOverview),
  ),
];
