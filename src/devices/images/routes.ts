import { idParams } from '../../http/fields.ts';
import { Binary, route } from '../../http/route.ts';
import { currentFrame } from './current-frame.ts';
import { frameQuery } from './schema.ts';

export const deviceImageRoutes = [
  route({
    name: 'getDeviceFrame',
    method: 'get',
    path: '/devices/{id}/frame',
    scope: 'device:read',
    summary: 'Read a current image of a device',
    description:
      'For a device that is being analysed this is the newest frame. For any other device a compute node opens the camera stream and reads one frame. Requests within one second get the same image. The answer is 503 when there is no image within 5 seconds.',
    params: idParams,
    query: frameQuery,
    produces: 'image/jpeg',
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    handler: async ({ context, caller, params, query, signal }) => {
      const wanted = { userId: caller.userId, deviceId: params.id, sceneId: query.sceneId };
      return new Binary(await currentFrame(context.db, wanted, signal));
    },
  }),
];
