import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import { changeSite, createSite, deleteSite } from './configure-site.ts';
import { presentSite } from './present.ts';
import { createSiteBody, listSitesQuery, patchSiteBody, site } from './schema.ts';
import { findSite, listSites } from './site.store.ts';

export const siteRoutes = [
  route({
    name: 'createSite',
    method: 'post',
    path: '/sites',
    scope: 'device:write',
    summary: 'Create a site: devices that are looked at together',
    description:
      'A shop, a floor or a row of tills. A device may belong to several sites; a device that is deleted leaves its sites.',
    body: createSiteBody,
    status: 201,
    response: site,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, body, keepAnswer }) =>
    presentSite(
      await createSite(context, caller.userId, body, (tx, row) => keepAnswer(tx, presentSite(row))),
    ),
  ),

  route({
    name: 'listSites',
    method: 'get',
    path: '/sites',
    scope: 'device:read',
    summary: 'List sites, newest first',
    query: listSitesQuery,
    paging: 'A',
    response: site,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listSites(context.db, caller.userId, query), presentSite),
  ),

  route({
    name: 'getSite',
    method: 'get',
    path: '/sites/{id}',
    scope: 'device:read',
    summary: 'Read a site',
    params: idParams,
    response: site,
  }).answers(async ({ context, caller, params }) =>
    presentSite(orNotFound(await findSite(context.db, caller.userId, params.id), 'Site')),
  ),

  route({
    name: 'updateSite',
    method: 'patch',
    path: '/sites/{id}',
    scope: 'device:write',
    summary: 'Change a site; `deviceIds` replaces all of its devices',
    params: idParams,
    body: patchSiteBody,
    response: site,
  }).answers(async ({ context, caller, params, body }) =>
    presentSite(await changeSite(context.db, { userId: caller.userId, id: params.id }, body)),
  ),

  route({
    name: 'deleteSite',
    method: 'delete',
    path: '/sites/{id}',
    scope: 'device:write',
    summary: 'Delete a site; its devices stay',
    params: idParams,
  }).answers(({ context, caller, params }) => deleteSite(context, caller.userId, params.id)),
];
