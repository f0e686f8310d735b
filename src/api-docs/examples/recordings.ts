import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';
import { QUEUE_ZONE } from './shop.ts';

const RECORDED_AT = '2026-01-30T08:00:00.000Z';
const ANALYSIS = {
  status: 'running',
  progressPercent: 40,
  positionSeconds: 240,
  secondsPerSecond: 6,
  etaSeconds: 60,
  error: null,
  taskId: ID.analysis,
  startedAt: TIME.started,
  completedAt: null,
};

/** Examples of recordings. */
export const RECORDING_EXAMPLES: Examples = {
  RecordingAnalysis: ANALYSIS,
  Recording: {
    id: ID.recording,
    name: 'Friday morning',
    sceneId: ID.scene,
    deviceId: ID.device,
    format: 'mp4',
    codec: 'h264',
    sizeBytes: 48_211_930,
    durationSeconds: 600,
    width: 640,
    height: 360,
    sourceFps: 25,
    videoTrack: 0,
    videoTracks: [{ number: 0, width: 640, height: 360, codec: 'h264', sourceFps: 25 }],
    warnings: [],
    recordedAt: RECORDED_AT,
    timezone: 'Europe/Berlin',
    rotation: 0,
    analysisFps: 5,
    plan: 'LEVEL_01',
    privacyMask: [],
    attributeGroups: ['gender', 'age'],
    analysis: ANALYSIS,
    createdAt: TIME.created,
    updatedAt: TIME.updated,
  },
  '?recordedAt': RECORDED_AT,
  '?videoTrack': 0,
  '?at': 12.5,
  '?width': 640,
  'POST /recordings': '(the bytes of the file)',
  'GET /recordings/{id}/frame image/jpeg': '(the bytes of the JPEG)',
  'GET /recordings/{id}/film video/x-motion-jpeg': '(the bytes of JPEGs, one after the other)',
  'GET /recordings/{id}/film ?from': 60,
  'GET /recordings/{id}/film ?seconds': 10,
  'GET /recordings/{id}/film ?checkId': ID.check,
  'POST /recordings ?name': 'Friday morning',
  'POST /recordings ?videoTrack': 0,
  ...Object.fromEntries(
    [
      ...['GET /recordings/{id}', 'PATCH /recordings/{id}', 'DELETE /recordings/{id}'],
      ...[
        'GET /recordings/{id}/film',
        'GET /recordings/{id}/frame',
        'POST /recordings/{id}/analysis',
        'DELETE /recordings/{id}/analysis',
      ],
    ].map((call) => [`${call} ?id`, ID.recording]),
  ),
  'GET /recordings ?q': 'friday',
  'POST /recordings/{id}/analysis': {
    zones: {
      queueZone: QUEUE_ZONE,
    },
    analysisFps: 5,
  },
  deviceType: 'camera',
  'PATCH /recordings/{id}': { name: 'Friday morning', timezone: 'Europe/Berlin' },
};
