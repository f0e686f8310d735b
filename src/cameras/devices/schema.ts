import { z } from 'zod';
import { id, nameText, text, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { scheduleSchema, timezone } from '../../platform/jobs/schedule.ts';
import { DRAWN_SCENARIOS } from '../../simulator/scenario.ts';
import { ROTATIONS } from '../../video/picture/turn.ts';
import { STREAM_FAULT_REASONS } from '../../video/stream-error.ts';
import { ATTRIBUTE_GROUPS_JSON, attributeGroupsSchema, privacyMaskSchema } from '../../vision/privacy.ts';
import { cameraFault, cameraWarnings } from './condition.ts';

/** A literal for each value, so that the page knows them by their type. */
export const rotationField = z.literal([...ROTATIONS]);

const fields = {
  name: nameText(1, 100).meta({ description: 'Name, 1-100 characters' }),
  description: text(0, 500).nullable().meta({ description: 'At most 500 characters' }),
  streamUrl: text(1, 2000).meta({
    description: `Address of the camera stream: rtsp, rtsps, rtmp, http or https; \`sim:shop?seed=N&start=SECONDS&scenario=NAME\` for the simulated shop (${DRAWN_SCENARIOS.join(', ')}); \`file:\` if the operator allows it. RTSP uses TCP. If the camera cannot, add \`transport=udp\` or \`transport=multicast\` to the query of an rtsp address (this parameter is not sent to the camera). Answers show the address masked: possible secrets as \`***\`, a file as its name only`,
  }),
  analysisStreamUrl: text(1, 2000).nullable().meta({
    description:
      'Address of a second stream of the same camera, usually its low-resolution one, that is analysed in place of `streamUrl` because it costs less to decode; null for none. The same rules hold as for `streamUrl`. It must show the same picture with the same aspect ratio. Images of the device are taken from `streamUrl`; live pictures and images of alerts, which show the very frame that was analysed, from this one',
  }),
  plan: z.enum(['LEVEL_01', 'LEVEL_02']).meta({ description: 'LEVEL_02 includes pedestrian attributes' }),
  analysisFps: z.int().min(1).max(30).meta({
    description:
      'Requested number of frames to analyse per second, 1-30. An overloaded node processes fewer, evenly over its cameras; `stats.fps` of the analysis status is the achieved rate',
  }),
  analysisRegion: z.enum(['zones', 'whole']).meta({
    description:
      'The part of the picture that is analysed. `zones`: once it is known how tall people are, only the part around the zones of the device, with a margin, which costs less; nobody outside of it is counted, tracked or shown with a box. `whole`: everything. Default `zones`, and `whole` with LEVEL_02, whose attributes describe everybody in the picture. Scenes of vehicles, recordings and accounts that hide people in pictures are analysed as a whole anyway. A change holds within seconds. `stats.analysedRegion` of the analysis status says what is analysed',
  }),
  analysisAccuracy: z.enum(['standard', 'high']).meta({
    description:
      'How sharply the detector sees. `high`: a quarter more pixels in each direction, which finds more people who are lower than about a tenth of the picture and costs half as much again; where people are larger it finds no more. Models with an input of one size ignore it. A change opens the stream again; visits continue. `stats.analysedSize` of the analysis status says what is used',
  }),
  rotation: rotationField.meta({
    description:
      'Degrees by which the picture is turned clockwise before anything else: zones, masks, boxes and all pictures are those of the turned picture, and so are `width` and `height`. 180 for a camera that hangs upside down. A change opens the stream again; zones and masks that were drawn before lie elsewhere then',
  }),
  schedule: scheduleSchema.nullable().meta({ description: 'When analysis starts and stops automatically' }),
  timezone: timezone.nullable().meta({
    description:
      'IANA time zone of the place that the device shows, like Europe/Berlin; null if it is not known',
  }),
  privacyMask: privacyMaskSchema.meta({
    description:
      'Polygons that are black in every picture of this device, at most 20. The masks of its scenes are black too. A change holds for every picture that is stored after the answer. Pictures that are stored already stay as they are',
  }),
  maskAnalysis: z.boolean().meta({
    description:
      'Whether the masks are also black in the frames that are analysed, so that nobody is counted or classified there',
  }),
  attributeGroups: attributeGroupsSchema.meta({
    description:
      'The sensitive attributes that are determined of the people of this device with LEVEL_02, as far as the account has them switched on too: nothing is computed or stored of a group that is missing. A change holds within seconds. What was stored before stays until it is erased',
    override: ATTRIBUTE_GROUPS_JSON,
  }),
};

export const createDeviceBody = z.strictObject({
  name: fields.name,
  description: fields.description.optional(),
  streamUrl: fields.streamUrl,
  analysisStreamUrl: fields.analysisStreamUrl.optional(),
  plan: fields.plan.default('LEVEL_01'),
  analysisFps: fields.analysisFps.default(5),
  analysisRegion: fields.analysisRegion.optional(),
  analysisAccuracy: fields.analysisAccuracy.default('standard'),
  rotation: fields.rotation.default(0),
  schedule: fields.schedule.optional(),
  timezone: fields.timezone.optional(),
  privacyMask: fields.privacyMask.optional(),
  maskAnalysis: fields.maskAnalysis.default(false),
  attributeGroups: fields.attributeGroups.optional(),
});
export type CreateDevice = z.output<typeof createDeviceBody>;

export const patchDeviceBody = z.strictObject(fields).partial();
export type PatchDevice = z.output<typeof patchDeviceBody>;

export const probeBody = z.strictObject({ streamUrl: fields.streamUrl });

export const probedAddress = z
  .strictObject({
    onlineStatus: z.enum(['online', 'offline']),
    fault: z
      .strictObject({
        reason: z.enum(STREAM_FAULT_REASONS).meta({ description: 'Reason as a code' }),
        message: z.string().meta({ description: 'What is wrong and what to do, in one sentence' }),
      })
      .nullable()
      .meta({ description: 'Why no video can be read; null if it can' }),
    width: z.int().nullable().meta({ description: 'Size of the frames in pixels; null if it is not known' }),
    height: z.int().nullable().meta({ description: 'Size of the frames in pixels; null if it is not known' }),
    codec: z.string().nullable(),
    sourceFps: z.number().nullable().meta({ description: 'Frames per second that the source sends' }),
    image: z
      .strictObject({
        contentType: z.literal('image/jpeg').meta({ description: 'Media type of the image' }),
        base64: z.string().meta({ description: 'The JPEG in base64' }),
        width: z.int().meta({ description: 'Pixels, at most 960' }),
        height: z.int().meta({ description: 'Pixels, at most 960' }),
      })
      .nullable()
      .meta({ description: 'A current image; null if there is none' }),
    imageError: z.string().nullable().meta({
      description:
        'Why the video gave no image within 6 seconds, in one sentence; null if it did, and if no video can be read',
    }),
  })
  .meta({ id: 'ProbedAddress', description: 'What a camera stream sends' });

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
        'Masked address: scheme, host and the parameters that select the stream; everything else is `***`, a file is its name only',
    }),
    analysisStreamUrl: z.string().nullable().meta({
      description: 'Masked address of the stream that is analysed in place of `streamUrl`; null for none',
    }),
    plan: z.enum(['LEVEL_01', 'LEVEL_02']),
    onlineStatus: z.enum(['unknown', 'online', 'offline']),
    onlineChangedAt: timestamp()
      .nullable()
      .meta({ description: 'When `onlineStatus` last changed; null if it never did' }),
    lastFrameAt: timestamp().nullable().meta({ description: 'When the newest frame was received' }),
    lastError: z.string().nullable().meta({
      description:
        'Why the last probe or the camera stream failed, in one sentence without credentials; null once a newer frame came or a probe succeeded',
    }),
    fault: cameraFault,
    warnings: cameraWarnings,
    width: z.int().nullable().meta({ description: 'Size of the frames in pixels' }),
    height: z.int().nullable().meta({ description: 'Size of the frames in pixels' }),
    codec: z.string().nullable(),
    sourceFps: z.number().nullable().meta({ description: 'Frames per second that the source sends' }),
    analysisFps: z.int(),
    analysisRegion: fields.analysisRegion,
    analysisAccuracy: fields.analysisAccuracy,
    rotation: fields.rotation,
    schedule: scheduleSchema.nullable(),
    timezone: fields.timezone,
    privacyMask: fields.privacyMask,
    maskAnalysis: fields.maskAnalysis,
    attributeGroups: fields.attributeGroups,
    isDisabled: z.boolean().meta({
      description: 'Whether the operator disabled the device; analysis of a disabled device does not start',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Device' });
