import { actorOf } from '../../audit/record-audit.ts';
import { recordView } from '../../cameras/devices/images/record-view.ts';
import { FILM_TYPE, READ } from '../../cameras/scenes/checks/times/film.ts';
import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { requireScope } from '../../http/permission.ts';
import { Binary, route } from '../../http/route.ts';
import { findLatestRuns } from '../store/task.store.ts';
import { cancelRecording } from './cancel-recording.ts';
import { changeRecording } from './change-recording.ts';
import { deleteRecording } from './erase-recording.ts';
import { presentRecording } from './present.ts';
import { recordingFilm, recordingFrame } from './read-frame.ts';
import { findRecording, listRecordings, type RecordingRow } from './recording.store.ts';
import {
  createRecordingQuery,
  filmQuery,
  listRecordingsQuery,
  patchRecordingBody,
  recording,
  startRecordingBody,
  stillQuery,
} from './schema.ts';
import { type StartedRecording, startRecording } from './start-recording.ts';
import { uploadRecording } from './upload-recording.ts';

/** A recording that was never analysed. */
const presentNew = (row: RecordingRow) => presentRecording(row, null);
/** A recording whose analysis was just queued. */
const presentStarted = ({ recording, task }: StartedRecording) =>
  presentRecording(recording, { ...task, uptimeMs: 0 });

export const recordingRoutes = [
  route({
    name: 'createRecording',
    method: 'post',
    path: '/recordings',
    scope: 'device:write',
    summary: 'Upload a recording',
    description: `The body is the file itself, not a form: \`curl --data-binary @FILE -H 'Content-Type: application/octet-stream'\`. MP4, MOV, MKV, WebM, AVI, MPEG-PS and MPEG-TS are accepted, as the content says. The answer comes when the file is stored and was read. An upload that breaks off, of which no byte comes for UPLOAD_IDLE_SECONDS or that is slower than UPLOAD_MIN_BYTES_PER_SECOND over this time (\`error.details[0].reason\` is \`no_bytes\` or \`too_slow\`) leaves nothing. At most RECORDING_MAX_BYTES and RECORDING_MAX_HOURS; two uploads of a user at once. The recordings of a user have at most MAX_RECORDING_BYTES_PER_USER together: \`LIMIT_REACHED\` with the reason \`stored_bytes\` has \`limit\` and \`used\` in \`error.details[0]\`.

\`error.details[0].reason\` of \`UNREADABLE_VIDEO\` is \`not_a_video\`, \`no_video\`, \`no_pictures\`, \`no_index\` (of an MP4 that was broken off), \`unknown_duration\`, \`joined\` (of an MPEG-TS whose times start again), \`too_long\`, \`too_large_frames\`, \`too_many_frames\`, \`too_much_memory\`, \`codec_not_allowed\` or \`unreadable\`. With an Idempotency-Key the query and the length of the file are compared, not its bytes.`,
    query: createRecordingQuery,
    upload: {
      types: ['video/*', 'application/octet-stream'],
      description: 'The bytes of the file',
    },
    status: 201,
    response: recording,
    idempotency: 'user',
    errors: ['LIMIT_REACHED', 'UNREADABLE_VIDEO'],
  }).answers(async ({ context, caller, query, upload, signal, keepAnswer }) => {
    const options = { userId: caller.userId, says: query, upload, signal };
    return presentNew(await uploadRecording(context, options, (tx, row) => keepAnswer(tx, presentNew(row))));
  }),

  route({
    name: 'listRecordings',
    method: 'get',
    path: '/recordings',
    scope: 'device:read',
    summary: 'List recordings, newest upload first',
    query: listRecordingsQuery,
    paging: 'A',
    response: recording,
  }).answers(async ({ context, caller, query }) => {
    const { userId } = caller;
    const { items, total } = await listRecordings(context.db, userId, query);
    const deviceIds = items.map(({ deviceId }) => deviceId);
    const runs = deviceIds.length > 0 ? await findLatestRuns(context.db, { userId, deviceIds }) : [];
    const byDevice = new Map(runs.map((run) => [run.deviceId, run]));
    return { items: items.map((row) => presentRecording(row, byDevice.get(row.deviceId) ?? null)), total };
  }),

  route({
    name: 'getRecording',
    method: 'get',
    path: '/recordings/{id}',
    scope: 'device:read',
    summary: 'Read a recording and the progress of its analysis',
    params: idParams,
    response: recording,
  }).answers(async ({ context, caller, params }) => {
    const { userId } = caller;
    const row = orNotFound(await findRecording(context.db, userId, params.id), 'Recording');
    const [run] = await findLatestRuns(context.db, { userId, deviceIds: [row.deviceId] });
    return presentRecording(row, run ?? null);
  }),

  route({
    name: 'updateRecording',
    method: 'patch',
    path: '/recordings/{id}',
    scope: 'device:write',
    summary: 'Change the name, the time, the masks or another setting of a recording',
    params: idParams,
    body: patchRecordingBody,
    response: recording,
    errors: ['IMMUTABLE_FIELD', 'UNREADABLE_VIDEO'],
  }).answers(async ({ context, caller, client, params, body, signal }) => {
    const { userId } = caller;
    const how = { by: actorOf(caller, client), signal };
    const row = await changeRecording(context, { userId, id: params.id }, body, how);
    const [run] = await findLatestRuns(context.db, { userId, deviceIds: [row.deviceId] });
    return presentRecording(row, run ?? null);
  }),

  route({
    name: 'deleteRecording',
    method: 'delete',
    path: '/recordings/{id}',
    scope: 'device:write',
    summary: 'Delete a recording: its file and everything that was derived from it',
    description:
      'A running analysis is stopped first, within 5 seconds. What was charged for its analysis stays in billing, with its name.',
    params: idParams,
  }).answers(({ context, caller, client, params }) =>
    deleteRecording(context, { userId: caller.userId, id: params.id, by: actorOf(caller, client) }),
  ),

  route({
    name: 'getRecordingFrame',
    method: 'get',
    path: '/recordings/{id}/frame',
    scope: 'device:read',
    summary: 'Read an image of a recording',
    description:
      'To draw zones on. Where the video has no frame at this time, the answer is a frame of up to ten seconds before.',
    params: idParams,
    query: stillQuery,
    produces: 'image/jpeg',
    headers: ['X-Captured-At'],
    errors: ['UNREADABLE_VIDEO'],
  }).answers(async ({ context, caller, client, params, query, signal }) => {
    const wanted = { userId: caller.userId, id: params.id, ...query };
    const { jpeg, capturedAt, deviceId } = await recordingFrame(context, wanted, signal);
    await recordView(context, { caller, client, deviceId });
    return new Binary(jpeg, { headers: { 'X-Captured-At': capturedAt.toISOString() } });
  }),

  route({
    name: 'getRecordingFilm',
    method: 'get',
    path: '/recordings/{id}/film',
    scope: 'device:read',
    summary: 'Read a piece of a recording as pictures',
    description: `JPEGs one after the other, ${READ.fps} of them for each second, at most 640 pixels wide and high; fewer behind the end of the video. Masks are black, and people are hidden as the account says. To look through a recording whatever its format, for a check of times.`,
    params: idParams,
    query: filmQuery,
    produces: FILM_TYPE,
    errors: ['UNREADABLE_VIDEO'],
  }).answers(async ({ context, caller, client, params, query, signal }) => {
    const wanted = { userId: caller.userId, id: params.id, ...query };
    const { jpegs, deviceId, showsPeople } = await recordingFilm(context, wanted, signal);
    if (showsPeople) requireScope(caller, 'analysis:control');
    await recordView(context, { caller, client, deviceId });
    return new Binary(jpegs);
  }),

  route({
    name: 'startRecordingAnalysis',
    method: 'post',
    path: '/recordings/{id}/analysis',
    scope: 'analysis:control',
    summary: 'Analyse a recording with these zones and parameters',
    description:
      'A node with spare time analyses it faster than real time; cameras come first. `GET /recordings/{id}` shows the progress. What an earlier analysis of the recording has stored is removed; what was charged for it stays charged. Seconds of video are charged in the month of the analysis.',
    params: idParams,
    body: startRecordingBody,
    status: 202,
    response: recording,
    idempotency: 'user',
    errors: ['ALREADY_RUNNING', 'QUOTA_EXCEEDED', 'NO_COMPUTE_NODE'],
  }).answers(async ({ context, caller, params, body, keepAnswer }) => {
    const own = { userId: caller.userId, id: params.id };
    return presentStarted(
      await startRecording(context, own, body, (tx, started) => keepAnswer(tx, presentStarted(started))),
    );
  }),

  route({
    name: 'cancelRecordingAnalysis',
    method: 'delete',
    path: '/recordings/{id}/analysis',
    scope: 'analysis:control',
    summary: 'Cancel the analysis of a recording',
    description:
      'The answer comes when it has stopped, within 5 seconds; without a running analysis at once. What it has stored stays until the next start.',
    params: idParams,
  }).answers(({ context, caller, params }) =>
    cancelRecording(context.db, { userId: caller.userId, id: params.id }),
  ),
];
