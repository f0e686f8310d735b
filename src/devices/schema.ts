import { z } from 'zod';
import { id, text, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { scheduleSchema } from '../platform/jobs/schedule.ts';
import { cameraFault, cameraWarnings } from './condition.ts';

const fields = {
  name: text(1, 100).meta({ description: 'Name, 1-100 characters' }),
  description: text(0, 500).nullable().meta({ description: 'At most 500 characters' }),
  streamUrl: text(1, 2000).meta({
    description:
      'rtsp, rtsps, rtmp, http or https address, `sim:shop?seed=N&start=SECONDS&scenario=NAME` for the simulated shop (classic, passers, groups, uniform or crowd), `file:` where the operator allows it. RTSP comes over TCP; add `transport=udp` or `transport=multicast` to the query of an rtsp address for a camera that sends in no other way (the camera is not told of this parameter). Read back masked: everything that may be a secret is `***`, a file is its name alone',
  }),
  plan: z.enum(['LEVEL_01', 'LEVEL_02']).meta({ description: 'LEVEL_02 has pedestrian attributes too' }),
  analysisFps: z.int().min(1).max(30).meta({
    description:
      'Frames analysed a second, as wanted; 1-30. An overloaded node takes fewer, evenly over its cameras: `stats.fps` of the analysis status is the achieved rate',
  }),
  schedule: scheduleSchema.nullable().meta({ description: 'When analysis starts and stops by itself' }),
};

export const createDeviceBody = z.strictObject({
  name: fields.name,
  description: fields.description.optional(),
  streamUrl: fields.streamUrl,
  plan: fields.plan.default('LEVEL_01'),
  analysisFps: fields.analysisFps.default(5),
  schedule: fields.schedule.optional(),
});
export type CreateDevice = z.output<typeof createDeviceBody>;

export const patchDeviceBody = z.strictObject(fields).partial();
export type PatchDevice = z.output<typeof patchDeviceBody>;

export const listDevicesQuery = z.object({
  ...pageFields(),
  q: text(0, 100).optional().meta({ description: 'Part of the name or description' }),
  onlineStatus: z.enum(['unknown', 'online', 'offline']).optional(),
});

export const device = z
  .strictObject({
    id: id(),
    name: z.string(),
    description: z.string().nullable(),
    streamUrl: z.string().meta({
      description:
        'Masked: the scheme, the host and what says which picture is meant; everything else is `***`, and a file is its name alone',
    }),
    plan: z.enum(['LEVEL_01', 'LEVEL_02']),
    onlineStatus: z.enum(['unknown', 'online', 'offline']),
    lastFrameAt: timestamp().nullable().meta({ description: 'When the newest frame was received' }),
    fault: cameraFault,
    warnings: cameraWarnings,
    width: z.int().nullable().meta({ description: 'Pixels' }),
    height: z.int().nullable().meta({ description: 'Pixels' }),
    codec: z.string().nullable(),
    sourceFps: z.number().nullable().meta({ description: 'Frames a second the source sends' }),
    analysisFps: z.int(),
    schedule: scheduleSchema.nullable(),
    isDisabled: z.boolean().meta({ description: 'Disabled by the operator: analysis does not start' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Device' });

export const frameQuery = z.object({
  sceneId: id().optional().meta({ description: 'Draw the zones of this scene of the device' }),
});
