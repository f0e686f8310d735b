import { z } from 'zod';
import { id, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { listNodes } from '../runs/nodes.store.ts';

const computeNode = z
  .strictObject({
    id: id(),
    name: z.string().meta({ description: 'NODE_NAME, or the host’s' }),
    host: z.string().meta({ description: 'Machine it runs on' }),
    health: z
      .enum(['healthy', 'degraded', 'offline'])
      .meta({ description: '`offline` 30 seconds after the last heartbeat' }),
    healthReason: z.string().nullable().meta({ description: 'Why it is degraded; else null' }),
    maxConcurrentDevices: z.int().meta({ description: 'Devices it can stream at once' }),
    activeDeviceCount: z.int().meta({ description: 'Devices it streams' }),
    version: z.string().meta({ description: 'Version of the service on it' }),
    lastHeartbeatAt: timestamp().meta({ description: 'When it was last heard of' }),
  })
  .meta({ id: 'ComputeNode' });

export const nodeRoutes = [
  route({
    method: 'get',
    path: '/admin/compute-nodes',
    scope: 'admin',
    summary: 'List compute nodes, by name',
    query: z.object(pageFields()),
    paging: 'A',
    response: computeNode,
    handler: async ({ context, query }) => {
      const { items, total } = await listNodes(context.db, query);
      return {
        items: items.map((row) => ({
          id: row.id,
          name: row.name,
          host: row.host,
          health: row.health,
          healthReason: row.healthReason,
          maxConcurrentDevices: row.maxConcurrentDevices,
          activeDeviceCount: row.activeDeviceCount,
          version: row.version,
          lastHeartbeatAt: row.lastHeartbeatAt.toISOString(),
        })),
        total,
      };
    },
  }),
];
