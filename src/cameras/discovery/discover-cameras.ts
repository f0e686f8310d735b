import { readNetworks } from '../../access/networks.ts';
import { ApiError, invalidField, orNotFound } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { faultInAddress } from '../../platform/network/network-policy.ts';
import type { DiscoveryRequest } from '../../platform/prisma-client/client.ts';
import { policyFor } from '../../video/proxy/camera-proxies.ts';
import { networkPolicy } from '../devices/camera-network.ts';
import { askedAddresses } from './asked-addresses.ts';
import { insertDiscovery } from './discovery.store.ts';
import type { Discover } from './schema.ts';
import { sealLogin } from './seal-secrets.ts';

/** Which compute nodes can search now. The room of runs, which is above this one, owns them. */
export interface NodesOnline {
  isAnyNodeOnline(db: Db): Promise<boolean>;
  /** @returns null when there is no such node */
  isNodeOnline(db: Db, id: string): Promise<boolean | null>;
}

/**
 * Requests a search for cameras from the nodes.
 * @throws ApiError VALIDATION_ERROR, NOT_FOUND, NO_COMPUTE_NODE, LIMIT_REACHED while another search is under way
 */
export async function discoverCameras(
  { config, db, sealer }: Pick<Context, 'config' | 'db' | 'sealer'>,
  { userId, ...body }: Discover & { userId: string },
  nodes: NodesOnline,
  lastStep?: LastStep<DiscoveryRequest>,
): Promise<DiscoveryRequest> {
  const { network = null, credentials, computeNodeId: wantedNodeId = null } = body;
  if (network !== null) {
    const asked = askedAddresses(network);
    if ('fault' in asked) throw invalidField('network', asked.fault);
    const policy = policyFor(networkPolicy(config), await readNetworks(db, userId));
    const faults = asked.addresses.map((address) => faultInAddress(address, policy));
    const [first] = faults;
    if (first && faults.every((fault) => fault !== null)) throw invalidField('network', first);
  }
  await requireNode(db, nodes, wantedNodeId);
  const login = credentials && { user: credentials.username, password: credentials.password };
  const loginEncrypted = login ? sealLogin(sealer, login) : null;
  return insertDiscovery(db, { userId, wantedNodeId, network, loginEncrypted }, lastStep);
}

const NODE_RETRY_SECONDS = 30;

/** @param id of a node; null stands for any node */
async function requireNode(
  db: Db,
  { isAnyNodeOnline, isNodeOnline }: NodesOnline,
  id: string | null,
): Promise<void> {
  if (
    id === null
      ? await isAnyNodeOnline(db)
      : orNotFound(await isNodeOnline(db, id), 'Compute node', 'computeNodeId')
  )
    return;
  const which = id === null ? 'No compute node is' : 'This compute node is not';
  const message = `${which} online: start one with \`npm run worker\`, or try again in a moment`;
  throw new ApiError('NO_COMPUTE_NODE', message, [], { retryAfterSeconds: NODE_RETRY_SECONDS });
}
