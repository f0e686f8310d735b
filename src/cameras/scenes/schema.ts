import { z } from 'zod';
import { flag, id, nameText, text, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { latestMetrics } from '../../metrics/schema.ts';
import { AnalysisStatus, SceneStatus } from '../../platform/prisma-client/enums.ts';
import { parametersSchema, sceneConfigSchema, zonesSchema } from '../../vision/scene-config.ts';
import { target } from '../target.ts';

/** Analysis is starting, running or stopping: the scene may not be changed or deleted. */
export const ACTIVE_ANALYSIS = ['starting', 'running', 'stopping'] as const;

const analysisType = z.literal('queue_analysis');
const name = nameText(1, 100).meta({ description: 'Name, 1-100 characters' });
const sentTarget = target.nullable().meta({
  description:
    'How long people may wait here; null: that of a site of the device holds. May be changed alone while the analysis is active. Visits that were decided before keep what they were counted as',
});
const description = text(0, 500).nullable().meta({ description: 'At most 500 characters' });

/** The zones of a scene that is created without any. */
const WHOLE_FRAME = {
  queueZone: {
    type: 'polygon' as const,
    points: [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as [number, number][],
  },
};

/** The configuration of a new scene. */
export const newConfig = z
  .strictObject({
    zones: zonesSchema.prefault(WHOLE_FRAME).meta({
      description:
        'Where people wait and where they are served; without zones the whole frame is the queue zone',
    }),
    parameters: sceneConfigSchema.shape.parameters,
    privacyMask: sceneConfigSchema.shape.privacyMask,
  })
  .prefault({});

export const createSceneBody = z.strictObject({
  deviceId: id(),
  name,
  description: description.optional(),
  analysisType,
  config: newConfig,
  target: sentTarget.optional(),
});
export type CreateScene = z.output<typeof createSceneBody>;

const parameters = parametersSchema.shape;
export const configPatch = z
  .strictObject({
    zones: zonesSchema.optional(),
    parameters: z
      .strictObject({
        confidenceThreshold: parameters.confidenceThreshold.unwrap(),
        class: parameters.class.unwrap(),
        entryThresholdSeconds: parameters.entryThresholdSeconds.unwrap(),
        exitThresholdSeconds: parameters.exitThresholdSeconds.unwrap(),
        trackingMaxAgeSeconds: parameters.trackingMaxAgeSeconds.unwrap(),
      })
      .partial()
      .optional(),
    privacyMask: sceneConfigSchema.shape.privacyMask,
  })
  .meta({
    description:
      '`zones` and `privacyMask` are replaced as a whole, `parameters` one by one; fields that are not sent stay. A change of `privacyMask` alone is possible while the analysis is active, and holds for every picture that is stored after the answer',
  });

export const patchSceneBody = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  status: z.enum(SceneStatus).optional(),
  config: configPatch.optional(),
  target: sentTarget.optional(),
  deviceId: id().optional().meta({ description: 'Cannot be changed: another value is refused' }),
  analysisType: z.string().optional().meta({ description: 'Cannot be changed: another value is refused' }),
});

export const patchSceneQuery = z.object({
  restart: flag().default(false).meta({
    description:
      'If the analysis is active: stop it, change the scene and start it again with the same priority. Without it the change of a scene whose analysis is active is refused',
  }),
});
export type PatchScene = z.output<typeof patchSceneBody>;

export const listScenesQuery = z.object({
  ...pageFields(),
  deviceId: id().optional(),
  analysisType: analysisType.optional(),
  status: z.enum(SceneStatus).optional(),
  analysisStatus: z.enum(AnalysisStatus).optional(),
});

export type ListScenes = z.output<typeof listScenesQuery>;

export const sceneListItem = z
  .strictObject({
    id: id(),
    name: z.string(),
    description: z.string().nullable(),
    analysisType,
    status: z.enum(SceneStatus),
    analysisStatus: z.enum(AnalysisStatus),
  })
  .meta({ id: 'SceneListItem' });

export const scene = z
  .strictObject({
    id: id(),
    deviceId: id(),
    recordingId: id()
      .nullable()
      .meta({ description: 'Recording whose scene it is; null for the scene of a camera' }),
    name: z.string(),
    description: z.string().nullable(),
    analysisType,
    status: z.enum(SceneStatus),
    analysisStatus: z.enum(AnalysisStatus),
    analysisStartedAt: timestamp().nullable(),
    processingComputeNodeId: id().nullable(),
    config: sceneConfigSchema,
    target: target
      .nullable()
      .meta({ description: 'Its own target; null: that of a site of the device holds' }),
    effectiveTarget: target.nullable().meta({
      description:
        'The target that holds: its own, else that of the site of its device, of several sites the shortest; null without one: then there is no service level',
    }),
    latestMetrics: latestMetrics.nullable().meta({
      description: 'Newest value of every metric; null before the first frame',
    }),
    metricsUpdatedAt: timestamp().nullable(),
    warnings: z
      .array(
        z.strictObject({
          reason: z.enum(['queue_around_checkout']).meta({ description: 'Reason as a code' }),
          message: z.string().meta({ description: 'What it means and what to do' }),
        }),
      )
      .meta({
        description:
          'What in the configuration will make the metrics wrong, although it is accepted. `queue_around_checkout`: the checkout zone lies in the queue zone, but for at most a twentieth. What the camera shows is in `warnings` of the device',
      }),
    userId: id(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Scene' });
