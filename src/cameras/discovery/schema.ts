import { z } from 'zod';
import { id, text, timestamp } from '../../http/fields.ts';

const credentials = z
  .strictObject({
    username: text(1, 100).meta({ description: 'User name for the cameras' }),
    password: text(0, 200).meta({
      description:
        'Password for the cameras. It is stored encrypted until the search ends, is in no answer, and only digests of it are sent',
    }),
  })
  .meta({ description: 'Login with which each camera that was found is asked for its streams' });

export const discoverBody = z.strictObject({
  credentials: credentials.optional(),
  network: text(1, 50).optional().meta({
    description:
      'IPv4 network of at most 256 addresses that are asked one by one, for cameras that multicast does not reach; without it only multicast asks',
    example: '192.168.1.0/24',
  }),
  computeNodeId: id().optional().meta({
    description:
      'The compute node that searches, for networks that only some nodes reach; any node by default',
  }),
});
export type Discover = z.output<typeof discoverBody>;

const told = z.string().nullable();

const stream = z
  .strictObject({
    profile: told.meta({ description: 'Name of the profile; null if it has none' }),
    url: z.string().meta({
      description:
        'Stream address without a login, for `streamUrl` of a device: put `user:password@` after `rtsp://`, percent-encoded',
      example: 'rtsp://192.168.1.20:554/stream1',
    }),
    codec: told.meta({ description: 'Codec as the camera names it, in lower case', example: 'h264' }),
    width: z.number().nullable().meta({ description: 'Width in pixels as the camera says' }),
    height: z.number().nullable().meta({ description: 'Height in pixels as the camera says' }),
    fps: z.number().nullable().meta({ description: 'Frames per second as the camera says' }),
  })
  .meta({ id: 'DiscoveredStream' });

const camera = z
  .strictObject({
    address: z.string().meta({ description: 'IP address of the camera', example: '192.168.1.20' }),
    serviceUrl: told.meta({
      description: 'Address of its ONVIF service; null if it names none on its own address',
      example: 'http://192.168.1.20/onvif/device_service',
    }),
    name: told.meta({ description: 'Name of the camera; null if it says none', example: 'Entrance' }),
    manufacturer: told.meta({
      description: 'Manufacturer; null if the camera does not say',
      example: 'Example',
    }),
    model: told.meta({ description: 'Model; null if the camera does not say', example: 'IPC-4' }),
    firmwareVersion: told.meta({
      description: 'Firmware; null if the camera does not say',
      example: '1.2.0',
    }),
    serialNumber: told.meta({
      description: 'Serial number; null if the camera does not say',
      example: 'SN0001',
    }),
    macAddress: told.meta({
      description: 'MAC address; null if the camera does not say',
      example: '00:11:22:33:44:55',
    }),
    isAsked: z.boolean().meta({ description: 'Whether the camera was asked; false while it still answers' }),
    credentials: z.enum(['not_needed', 'accepted', 'needed', 'wrong']).nullable().meta({
      description:
        'Whether it gives its streams without a login, with the given one, or not; null before or without an answer',
    }),
    streams: z.array(stream).meta({ description: 'Its video streams, at most 6' }),
    error: told.meta({
      description: 'Why its streams are not known, one sentence; null if they are, or before it answered',
      example: null,
    }),
  })
  .meta({ id: 'DiscoveredCamera' });

export const discovery = z
  .strictObject({
    id: id(),
    status: z.enum(['pending', 'searching', 'completed', 'failed']).meta({
      description:
        '`pending` until a compute node begins; then `searching`, and `completed` or `failed` at the end',
    }),
    network: told.meta({ description: 'The network whose addresses are asked one by one; null if none' }),
    computeNodeId: id().nullable().meta({ description: 'The node that searches; null before one began' }),
    cameras: z
      .array(camera)
      .meta({ description: 'The cameras found so far, in the order of their addresses' }),
    refusedAnswers: z.int().meta({
      description: 'Number of addresses that answered and lie outside the networks that the operator allows',
    }),
    errorMessage: told.meta({ description: 'Why the search failed, one sentence; else null' }),
    createdAt: timestamp(),
    finishedAt: timestamp().nullable().meta({ description: 'When the search ended; null before that' }),
  })
  .meta({ id: 'Discovery' });
