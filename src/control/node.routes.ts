import { z } from 'zod';
import { id, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { listNodes, NODE_OFFLINE_SECONDS } from '../runs/nodes.store.ts';

const computeNode = z
  .strictObject({
    id: id(),
    name: z.string().meta({ description: 'NODE_NAME, or the name of the host' }),
    host: z.string().meta({ description: 'Machine on which the node runs' }),
    health: z
      .enum(['healthy', 'degraded', 'offline'])
      .meta({ description: `\`offline\` ${NODE_OFFLINE_SECONDS} seconds after the last heartbeat` }),
    healthReason: z.string().nullable().meta({ description: 'Why the node is degraded; null otherwise' }),
    maxConcurrentDevices: z
      .int()
      .meta({ description: 'Largest number of devices that the node can stream at the same time' }),
    activeDeviceCount: z.int().meta({ description: 'Number of devices that the node streams' }),
    version: z.string().meta({ description: 'Version of the service on the node' }),
    model: z.string().nullable().meta({ description: 'Detection model; null for none' }),
    executionProvider: z
      .string()
      .nullable()
      .meta({ description: 'What runs the model: cpu, cuda, …; null for none' }),
    isDraining: z
      .boolean()
      .meta({ description: 'Whether the node is about to leave and accepts no further devices' }),
    clockSkewMs: z.int().meta({
      description: 'Clock of the node minus that of the database at its last heartbeat, milliseconds',
    }),
    startedAt: timestamp().meta({ description: 'When the node was started' }),
    lastHeartbeatAt: timestamp().meta({ description: 'Time of the last heartbeat of the node' }),
  })
  .meta({ id: 'ComputeNode' });

export const nodeRoutes = [
  route({
    name: 'listComputeNodes',
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
          model: row.model,
          executionProvider: row.executionProvider,
          isDraining: row.isDraining,
          clockSkewMs: row.clockSkewMs,
          startedAt: row.startedAt.toISOString(),
          lastHeartbeatAt: row.lastHeartbeatAt.toISOString(),
        })),
        total,
      };
    },
  }),
];
