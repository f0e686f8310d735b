import ipaddr from 'ipaddr.js';
import type { z } from 'zod';
import type { Sealer } from '../../platform/crypto.ts';
import type { ReadDiscovery } from './discovery.store.ts';
import type { discovery } from './schema.ts';
import { openCameras } from './seal-secrets.ts';

type DiscoveryJson = z.input<typeof discovery>;
type Row = Omit<ReadDiscovery, 'isLost'> & { readonly isLost?: boolean };

const LOST = 'The compute node has not finished the search in time: try again.';

export function presentDiscovery(row: Row, sealer: Sealer): DiscoveryJson {
  const cameras = row.camerasEncrypted === null ? [] : openCameras(sealer, row.camerasEncrypted);
  const status = row.isLost ? 'failed' : row.status;
  return {
    id: row.id,
    status,
    network: row.network,
    computeNodeId: row.computeNodeId,
    cameras: cameras
      .toSorted((a, b) => orderOf(a.address) - orderOf(b.address))
      .map((camera) => ({ ...camera, streams: [...camera.streams] })),
    refusedAnswers: row.refused,
    errorMessage: row.errorMessage ?? (status === 'failed' ? LOST : null),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

const orderOf = (address: string): number =>
  ipaddr.IPv4.isValid(address)
    ? ipaddr.IPv4.parse(address)
        .toByteArray()
        .reduce((sum, byte) => sum * 256 + byte, 0)
    : 0;
