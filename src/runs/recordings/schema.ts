import { z } from 'zod';
import { rotationField } from '../../cameras/devices/schema.ts';
import { KEPT } from '../../cameras/scenes/checks/times/film.ts';
import { configPatch } from '../../cameras/scenes/schema.ts';
import { id, nameText, text, time, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { timezone } from '../../platform/jobs/schedule.ts';
import { CONTAINERS } from '../../video/recording/container.ts';
import { ATTRIBUTE_GROUPS_JSON, attributeGroupsSchema, privacyMaskSchema } from '../../vision/privacy.ts';

const name = nameText(1, 100).meta({ description: 'Name, 1-100 characters' });
const privacyMask = privacyMaskSchema.meta({
  description: 'Areas that are black in every picture of the recording, at most 20 polygons',
});
const zone = timezone.meta({
  description: 'IANA time zone of the place that the recording shows, like Europe/Berlin',
});
const recordedAt = time().meta({
  description:
    'When the first frame was recorded, ISO 8601 with a zone. The time of each frame is this plus its time in the file',
});

const rotation = rotationField.meta({
  description:
    'Degrees by which the picture is turned clockwise before anything else: zones, masks and images are those of the turned picture, and so are `width` and `height`',
});

const attributeGroups = attributeGroupsSchema.meta({
  description:
    'The sensitive attributes that are determined of the people of this recording with LEVEL_02, as far as the account has them switched on too: nothing is computed or stored of a group that is missing. What an earlier analysis has stored stays until the next one, or until it is erased',
  override: ATTRIBUTE_GROUPS_JSON,
});

const MOST_TRACK = 999;

export const createRecordingQuery = z.object({
  recordedAt,
  timezone: zone,
  rotation: z.coerce.number().pipe(rotation).default(0),
  videoTrack: z.coerce.number().int().min(0).max(MOST_TRACK).optional().meta({
    description:
      'Of several videos in the file the one to analyse, by its number among them, from 0; default the largest',
  }),
  name: name.default('Recording').meta({ description: 'Name, 1-100 characters; default `Recording`' }),
});
export type CreateRecording = z.output<typeof createRecordingQuery>;

export const listRecordingsQuery = z.object({
  ...pageFields(),
  q: text(0, 100).optional().meta({ description: 'Part of the name' }),
});
export type ListRecordings = z.output<typeof listRecordingsQuery>;

export const patchRecordingBody = z.strictObject({
  name: name.optional(),
  timezone: zone.optional(),
  privacyMask: privacyMask.optional(),
  attributeGroups: attributeGroups.optional(),
  videoTrack: z.int().min(0).max(MOST_TRACK).optional().meta({
    description:
      'The video of the file to analyse, one of `videoTracks`. It cannot be changed during an analysis; what an earlier one has stored stays until the next',
  }),
  rotation: rotation.optional().meta({
    description: 'Degrees by which the picture is turned clockwise. It cannot be changed during an analysis',
  }),
  recordedAt: recordedAt.optional().meta({
    description:
      'When the first frame was recorded. It cannot be changed after an analysis was started: send it with the next start of an analysis',
  }),
});
export type PatchRecording = z.output<typeof patchRecordingBody>;

export const stillQuery = z.object({
  at: z.coerce.number().min(0).max(1_000_000).default(0).meta({
    description: 'Time in the file, seconds; less than `durationSeconds`',
  }),
  width: z.coerce.number().int().min(64).max(1920).default(960).meta({
    description: 'Width in pixels, 64-1920; an image is never enlarged',
  }),
});

export const filmQuery = z.object({
  from: z.coerce.number().min(0).max(1_000_000).default(0).meta({
    description: 'Time in the file, seconds; less than `durationSeconds`',
  }),
  seconds: z.coerce
    .number()
    .min(0.5)
    .max(KEPT.pieceSeconds)
    .default(KEPT.pieceSeconds)
    .meta({
      description: `Length of the piece, at most ${KEPT.pieceSeconds}`,
    }),
  checkId: id().optional().meta({
    description:
      'An open check of times of the recording: with `showsPeople` people are not hidden, and it needs the scope `analysis:control`',
  }),
});

const analysisFps = z.int().min(1).max(30).meta({
  description: 'Number of frames to analyse per second of video, 1-30',
});
const plan = z
  .enum(['LEVEL_01', 'LEVEL_02'])
  .meta({ description: 'LEVEL_02 includes pedestrian attributes' });

export const startRecordingBody = z.strictObject({
  zones: configPatch.shape.zones.meta({
    description:
      'Where people wait and where they are served. Without it those of the last analysis stay; at first the whole frame is the queue zone',
  }),
  parameters: configPatch.shape.parameters.meta({
    description: 'Parameters that are not sent stay as they are',
  }),
  analysisFps: analysisFps.optional(),
  plan: plan.optional(),
  priority: z.int().min(1).max(5).default(3).meta({
    description:
      'Priority among the recordings in the queue, 1-5; 1 is first. Cameras come before recordings',
  }),
  recordedAt: recordedAt.optional().meta({
    description: 'Corrects when the first frame was recorded',
  }),
});
export type StartRecording = z.output<typeof startRecordingBody>;

export const recordingAnalysis = z
  .strictObject({
    status: z.enum(['none', 'queued', 'running', 'completed', 'cancelled', 'failed']).meta({
      description:
        '`none` before the first start; `queued` also while cameras or other recordings have the places of the nodes. A cancelled or failed analysis keeps what it has stored',
    }),
    progressPercent: z.number().nullable().meta({ description: 'Analysed share of the recording, 0-100' }),
    positionSeconds: z
      .number()
      .nullable()
      .meta({ description: 'Time in the file of the last frame that was analysed' }),
    secondsPerSecond: z.number().nullable().meta({
      description:
        'Seconds of video that are analysed in each second, over the last ten seconds; of an ended analysis the average',
    }),
    etaSeconds: z.number().nullable().meta({
      description: 'Estimated seconds until the end; null unless it is running',
    }),
    error: z.string().nullable().meta({ description: 'Why it failed, in one sentence; otherwise null' }),
    taskId: id().nullable().meta({ description: 'Its task; null before the first start' }),
    startedAt: timestamp().nullable(),
    completedAt: timestamp().nullable(),
  })
  .meta({ id: 'RecordingAnalysis', description: 'The last analysis of a recording' });

export const recording = z
  .strictObject({
    id: id(),
    name: z.string(),
    sceneId: id().meta({
      description:
        'Scene of the recording, for every call that reads metrics: `/analytics/…`, `/visits`, `/alerts/rules/preview`',
    }),
    deviceId: id().meta({ description: 'Names the recording in billing; no call of devices knows it' }),
    format: z.enum(CONTAINERS).meta({ description: 'Container, as the content of the file says' }),
    codec: z.string(),
    sizeBytes: z.int().meta({ description: 'Size of the file, bytes' }),
    durationSeconds: z.number().meta({
      description:
        'Length of the video as the file says, from its first time to the end of its last frame, seconds',
    }),
    width: z.int().meta({
      description: 'Size of the frames in pixels, of the video that is analysed',
    }),
    height: z.int().meta({ description: 'Size of the frames in pixels' }),
    sourceFps: z
      .number()
      .nullable()
      .meta({ description: 'Frames per second; null if the file does not say' }),
    videoTrack: z.int().meta({ description: 'The video of the file that is analysed, one of `videoTracks`' }),
    videoTracks: z
      .array(
        z.strictObject({
          number: z.int().meta({ description: 'Its number among the videos of the file, from 0' }),
          width: z.int().meta({ description: 'Pixels, as the file has them' }),
          height: z.int().meta({ description: 'Pixels, as the file has them' }),
          codec: z.string(),
          sourceFps: z.number().nullable().meta({ description: 'Frames per second; null if not known' }),
        }),
      )
      .meta({ description: 'The videos of the file, at most 32; most files have one' }),
    warnings: z
      .array(
        z.strictObject({
          reason: z.enum(['few_frames', 'picture_turned']).meta({ description: 'Reason as a code' }),
          message: z.string().meta({ description: 'What it means, in one sentence' }),
          rotation: rotation.optional().meta({
            description: 'Only of `picture_turned`: the rotation with which people are found',
          }),
        }),
      )
      .meta({
        description:
          'What makes the metrics wrong. `few_frames`, known from the file: less than one frame a second. `picture_turned`, known from the analysis: people are found only when the picture is turned',
      }),
    recordedAt: timestamp().meta({ description: 'When the first frame was recorded' }),
    timezone: z.string().meta({ description: 'IANA time zone of the place that it shows' }),
    rotation,
    analysisFps: z.int(),
    plan,
    privacyMask,
    attributeGroups,
    analysis: recordingAnalysis,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Recording', description: 'An uploaded video file' });
