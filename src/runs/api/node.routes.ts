import { z } from 'zod';
import { administrator, recordAudit } from '../../audit/record-audit.ts';
import { orNotFound } from '../../http/errors.ts';
import { id, idParams, timestamp } from '../../http/fields.ts';
import { mapPage, pageFields } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import { nodeCause } from '../../platform/processes/node-reason.ts';
import { setDraining } from '../node/node.store.ts';
import { findNode, type ListedNode, listNodes, NODE_OFFLINE_SECONDS } from '../store/nodes.store.ts';

const causeOf = (reason: string) =>
  nodeCause.nullable().meta({
    description: `\`${reason}\` as a code with its numbers and names, for programs with words of their own; null where that is null, and of a node whose version has no code for it`,
  });

const computeNode = z
  .strictObject({
    id: id(),
    name: z.string().meta({ description: 'NODE_NAME, or the name of the host' }),
    host: z.string().meta({ description: 'Machine on which the node runs' }),
    health: z
      .enum(['healthy', 'degraded', 'offline'])
      .meta({ description: `\`offline\` ${NODE_OFFLINE_SECONDS} seconds after the last heartbeat` }),
    healthReason: z.string().nullable().meta({ description: 'Why the node is degraded; null otherwise' }),
    healthCause: causeOf('healthReason'),
    maxConcurrentDevices: z
      .int()
      .meta({ description: 'Largest number of devices that the node can stream at the same time' }),
    activeDeviceCount: z.int().meta({ description: 'Number of devices that the node streams' }),
    version: z.string().meta({ description: 'Version of the service on the node' }),
    model: z.string().nullable().meta({ description: 'Detection model; null for none' }),
    executionProvider: z
      .string()
      .nullable()
      .meta({ description: 'What runs the model: cpu, webgpu, cuda; null for none' }),
    adapter: z.string().nullable().meta({
      description:
        'Graphics card that runs the model; null for the CPU and where the system does not name it',
    }),
    providerReason: z.string().nullable().meta({
      description: 'Why no graphics card runs the model although one was to be tried; null otherwise',
    }),
    providerCause: causeOf('providerReason'),
    batchSize: z.int().meta({
      description:
        'Largest number of frames of several cameras that one run of the model takes; 1 on the CPU',
    }),
    videoDecoder: z.string().nullable().meta({
      description:
        'What decodes the video of cameras: software, or hardware by its name (cuda, vaapi, qsv, videotoolbox); null for none yet',
    }),
    videoDecoderReason: z.string().nullable().meta({
      description:
        'Why it is not the hardware that the operator wants, or not for every camera; null otherwise',
    }),
    videoDecoderCause: causeOf('videoDecoderReason'),
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

const updateNodeBody = z.strictObject({
  isDraining: z.boolean().meta({
    description:
      'true: the node takes no further cameras and recordings, and what it analyses goes on until its worker is stopped; false: it takes them again, as after a restart of its worker',
  }),
});

const present = (row: ListedNode): z.input<typeof computeNode> => ({
  id: row.id,
  name: row.name,
  host: row.host,
  health: row.health,
  healthReason: row.healthReason,
  healthCause: row.healthReason === null ? null : row.causes.health,
  maxConcurrentDevices: row.maxConcurrentDevices,
  activeDeviceCount: row.activeDeviceCount,
  version: row.version,
  model: row.model,
  executionProvider: row.executionProvider,
  adapter: row.adapter,
  providerReason: row.providerReason,
  providerCause: row.causes.provider,
  batchSize: row.batchSize,
  videoDecoder: row.videoDecoder,
  videoDecoderReason: row.videoDecoderReason,
  videoDecoderCause: row.causes.videoDecoder,
  isDraining: row.isDraining,
  clockSkewMs: row.clockSkewMs,
  startedAt: row.startedAt.toISOString(),
  lastHeartbeatAt: row.lastHeartbeatAt.toISOString(),
});

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
  }).answers(async ({ context, query }) => mapPage(await listNodes(context.db, query), present)),

  route({
    name: 'updateComputeNode',
    method: 'patch',
    path: '/admin/compute-nodes/{id}',
    scope: 'admin',
    summary: 'Let a compute node take no further cameras, before its machine is stopped, or take them again',
    params: idParams,
    body: updateNodeBody,
    response: computeNode,
  }).answers(async ({ context: { db, clock }, caller, client, params, body }) => {
    await setDraining(db, params.id, body.isDraining, (tx, { name }) =>
      recordAudit(tx, {
        userId: caller.userId,
        actor: administrator(caller, client),
        action: body.isDraining ? 'compute_node_drained' : 'compute_node_resumed',
        target: { kind: 'compute_node', id: params.id },
        details: { name },
        at: clock.now(),
      }),
    );
    return present(orNotFound(await findNode(db, params.id), 'Compute node'));
  }),
];
