import { ApiError } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { Binary, PARTS, route } from '../../../http/route.ts';
import { currentFrame } from './current-frame.ts';
import { recordingViews, recordView } from './record-view.ts';
import { frameQuery, liveQuery, liveWidth } from './schema.ts';
import { watchDevice } from './watch-device.ts';

export const deviceImageRoutes = [
  route({
    name: 'getDeviceFrame',
    method: 'get',
    path: '/devices/{id}/frame',
    scope: 'device:read',
    summary: 'Read a current image of a device',
    description:
      'For a device that is being analysed this is the newest frame. For any other device a compute node opens the camera stream and reads one frame. Requests within one second get the same frame. Masks are black, and people are hidden as the account says (`blurPeople`). The answer is 503 when there is no image within 5 seconds.',
    params: idParams,
    query: frameQuery,
    produces: 'image/jpeg',
    orNothing: true,
    headers: ['X-Captured-At'],
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }).answers(async ({ context, caller, client, params, query, signal }) => {
    const wanted = { userId: caller.userId, deviceId: params.id, ...query };
    const frame = await currentFrame(context.db, wanted, signal).catch((error: unknown) => {
      if (query.orNothing && error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    });
    if (!frame) return null;
    const { jpeg, capturedAt } = frame;
    await recordView(context, { caller, client, deviceId: params.id });
    return new Binary(jpeg, { headers: { 'X-Captured-At': capturedAt.toISOString() } });
  }),

  route({
    name: 'watchDevice',
    method: 'get',
    path: '/devices/{id}/live',
    scope: 'device:read',
    summary: 'Watch live pictures of a device that is being analysed',
    description: `The answer has no end: each part is a JPEG that replaces the one before, so an \`<img>\` element, VLC and ffmpeg show it as a video. Each part has these headers:

- \`Content-Type: image/jpeg\` and \`Content-Length\`.
- \`X-Captured-At\`: when the frame came, ISO 8601 in UTC. It tells the age of the picture.
- \`X-Live\`: \`frames\`, or \`stills\` while the compute node sends live pictures of enough other cameras (MAX_LIVE_CAMERAS): then there is a picture about every 5 seconds.
- \`X-Tracks\`: the people in exactly this frame, by scene, as JSON in one line: \`{"<scene id>":[[id, zone, left, top, right, bottom], …]}\`. The zone is \`"queue"\`, \`"checkout"\` or null; coordinates are 0-1 of the picture. Staff are left out, and people outside of the part that is analysed (\`stats.analysedRegion\` of the analysis status). At most 150 people.
- \`X-Staff\`: the staff in exactly this frame, likewise: \`{"<scene id>":[[id, reason, left, top, right, bottom], …]}\`. The reason is \`"staff_zone"\`, or \`"stays_at_till"\` in a scene without a staff zone; \`stats.staff.members\` of the analysis status has the details. Scenes without staff in the frame are left out. At most 50 people.

Masks are black, and people are hidden as the account says (\`blurPeople\`). A change of these settings holds for the next picture.

The answer begins with the first picture. Before that, a device without a running analysis is answered \`NOT_RUNNING\`, and 503 says why no picture came within 10 seconds. It ends when the analysis is stopped, and within 30 seconds after the key is revoked. It goes on when the analysis moves to another compute node. While no frames come, the last picture is repeated every 15 seconds.

A client that reads slowly skips pictures and gets the newest one. A client that reads nothing for 30 seconds is disconnected. All watchers of a device get pictures of the largest width that one of them asks for.`,
    params: idParams,
    query: liveQuery,
    produces: PARTS,
    errors: ['NOT_RUNNING'],
  }).answers(async ({ context, caller, client, params, query, signal }) => {
    const { fps, width } = query;
    const watched = { userId: caller.userId, deviceId: params.id, fps, width: liveWidth(width) };
    const parts = await watchDevice(context, watched, { signal });
    const viewer = { caller, client, deviceId: params.id };
    // Before the answer begins, so that a failure gets an error answer.
    await recordView(context, viewer);
    return recordingViews(context, viewer, parts);
  }),
];
