import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { DiscoveryRequest } from '../../platform/prisma-client/client.ts';
import { discoverCameras, type NodesOnline } from './discover-cameras.ts';
import { findDiscovery } from './discovery.store.ts';
import { presentDiscovery } from './present.ts';
import { discoverBody, discovery } from './schema.ts';

export const discoveryRoutes = (nodes: NodesOnline) => [
  route({
    name: 'discoverCameras',
    method: 'post',
    path: '/devices/discover',
    scope: 'device:write',
    summary: 'Search for ONVIF cameras in the networks that the operator allows',
    description:
      'A compute node asks with WS-Discovery on its own links and, with `network`, each address of that network. Every camera that answers is asked for its streams. The answer comes at once; read the cameras with `GET /devices/discover/{id}`, for example every second, until `status` is `completed` or `failed`. A search ends within 45 seconds, and a user has one at a time. Only addresses in the networks of STREAM_NETWORKS, or of the user, are connected to.',
    body: discoverBody,
    status: 202,
    response: discovery,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'LIMIT_REACHED', 'NO_COMPUTE_NODE'],
  }).answers(async ({ context, caller, body, keepAnswer }) => {
    const present = (row: DiscoveryRequest) => presentDiscovery(row, context.sealer);
    const keep = (tx: Tx, row: DiscoveryRequest) => keepAnswer(tx, present(row));
    return present(await discoverCameras(context, { ...body, userId: caller.userId }, nodes, keep));
  }),

  route({
    name: 'getDiscovery',
    method: 'get',
    path: '/devices/discover/{id}',
    scope: 'device:write',
    summary: 'Read the cameras that a search has found so far',
    description: 'The result can be read for ten minutes after the search was requested.',
    params: idParams,
    response: discovery,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params }) =>
    presentDiscovery(
      orNotFound(await findDiscovery(context.db, caller.userId, params.id), 'Search'),
      context.sealer,
    ),
  ),
];
