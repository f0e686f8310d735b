import { z } from 'zod';
import { id, timestamp } from '../../http/fields.ts';
import { ConditionOperator, NodeHealth, QuotaScope, Severity } from '../../platform/prisma-client/enums.ts';

/** The schemas of the `data` of events. */

const test = z
  .literal(true)
  .optional()
  .meta({ description: 'Present only in a test delivery, whose values and ids are examples' });
const event = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...shape, test });

const deviceId = id().meta({ description: 'Device' });
const sceneId = id().meta({ description: 'Scene' });
const sceneName = z.string().meta({ description: 'Name of the scene' });
const computeNodeId = id().nullable().meta({ description: 'Compute node that executes or executed the run' });

const analysis = {
  analysisId: id().meta({ description: 'Id of the run, also the id of its task' }),
  sceneId,
  sceneName,
  deviceId,
  computeNodeId,
};
const processingDuration = z
  .strictObject({
    seconds: z.number().meta({ description: 'Time since a node first claimed the run, seconds' }),
    milliseconds: z.number().meta({ description: 'The same time in milliseconds' }),
  })
  .meta({ description: 'How long the run was processed' });

/** Advice to open or close tills, also in the answers of the API. */
export const adviceFields = {
  tills: z.int().meta({ description: 'Above 0: so many more tills are to open; below 0: so many can close' }),
  openTills: z.int().min(0).meta({ description: 'Tills that were open when it was given' }),
  startsAt: timestamp().meta({ description: 'When the change is needed' }),
  endsAt: timestamp().meta({ description: 'About until when' }),
  lateShare: z.number().meta({
    description: 'Expected share of people who wait too long without the change, 0-1',
  }),
  lateShareWithIt: z.number().meta({ description: 'The same with the change' }),
};

export const staffingAdvice = event({
  sceneId,
  sceneName,
  deviceId,
  adviceId: id().meta({ description: 'Advice' }),
  ...adviceFields,
  target: z
    .strictObject({
      waitSeconds: z.int().meta({ description: 'How long people may wait, seconds' }),
      share: z.number().meta({ description: 'Share of people who are to be served within that time, 0-1' }),
    })
    .meta({ description: 'What the advice keeps' }),
  timezone: z.string().meta({ description: 'IANA time zone of the camera' }),
  message: z.string().meta({ description: 'Advice in one sentence, with local times' }),
});

/** How a scene differs from what is usual, also in the answers of the API. */
export const unusualFields = {
  beganAt: timestamp().meta({ description: 'Beginning of the 20 minutes in which it was first seen' }),
  deviations: z
    .array(
      z.strictObject({
        metric: z.enum(['arrivals', 'serviceSeconds', 'openTills']).meta({
          description:
            'What differs: people who came, seconds of a service, or open tills, in the last 20 minutes when it was noticed',
        }),
        value: z.number().meta({ description: 'What was measured' }),
        low: z.number().meta({ description: 'Lower edge of what is usual at this time' }),
        high: z.number().meta({ description: 'Upper edge' }),
      }),
    )
    .max(3)
    .meta({ description: 'What differs, at least one' }),
};

export const unusualActivity = event({
  sceneId,
  sceneName,
  deviceId,
  unusualId: id().meta({ description: 'Its id' }),
  ...unusualFields,
  timezone: z.string().meta({ description: 'IANA time zone of the camera' }),
  message: z.string().meta({ description: 'What differs, in one sentence' }),
});

const warningState = z.enum(['began', 'ended']).meta({ description: 'Whether the state begins or ends' });

export const analysisStarted = event({
  ...analysis,
  status: z.literal('running').meta({ description: 'State of the run' }),
});

export const analysisStopped = event({
  ...analysis,
  status: z.literal('stopped').meta({ description: 'State of the run' }),
  reason: z
    .enum(['user_request', 'timeout', 'error', 'resource_constraint', 'scheduled'])
    .optional()
    .meta({ description: 'Why the run was stopped; absent if a recording ended' }),
  processingDuration,
});

export const analysisError = event({
  ...analysis,
  status: z.literal('error').meta({ description: 'State of the run' }),
  processingDuration,
  error: z.string().meta({ description: 'Error in one sentence' }),
});

export const analysisWaiting = event({
  ...analysis,
  reason: z.literal('capacity').meta({
    description: 'What the run waits for; `capacity`: every online node is full or overloaded',
  }),
  message: z.string().meta({ description: 'Reason in one sentence' }),
  since: timestamp().meta({ description: 'When the state began' }),
  state: warningState,
});

export const alertTriggered = event({
  ruleId: id().meta({ description: 'Alert rule' }),
  ruleName: z.string().meta({ description: 'Name of the rule' }),
  sceneId,
  sceneName,
  deviceId,
  severity: z.enum(Severity).meta({ description: 'Severity of the rule' }),
  metricPath: z.string().meta({ description: 'Metric of the first condition that was true' }),
  operator: z.enum(ConditionOperator).meta({ description: 'Comparison of the condition' }),
  threshold: z.number().meta({ description: 'Threshold of the condition, in the unit of the metric' }),
  actualValue: z.number().meta({ description: 'Value of the metric, in its unit' }),
  message: z.string().meta({ description: 'Description of the alert in one sentence' }),
  snapshotUrls: z.array(z.url()).meta({
    description:
      'Signed addresses of the images that were stored in time; valid without a key for seven days',
  }),
});

const device = {
  deviceId,
  deviceName: z.string().meta({ description: 'Name of the device' }),
  lastFrameAt: timestamp()
    .nullable()
    .meta({ description: 'Time of the last frame; null if there was none yet' }),
};

export const deviceOffline = event({
  ...device,
  error: z.string().optional().meta({ description: 'Why the device cannot be read, if known' }),
});

export const deviceOnline = event({
  ...device,
  offlineForSeconds: z.number().min(0).meta({
    description:
      'Seconds since the last frame; for a device that was not analysed, seconds since the first failed probe',
  }),
});

export const deviceAnalysisError = event({
  ...device,
  error: z.string().meta({ description: 'Error of the camera stream, in one sentence' }),
});

export const deviceWarning = event({
  ...device,
  reason: z.string().meta({ description: 'Reason as a code, the same as in `warnings` of the device' }),
  message: z.string().meta({ description: 'Reason in one sentence' }),
  since: timestamp().meta({ description: 'When the state began' }),
  sceneId: id().optional().meta({ description: 'Scene; left out where the warning is about the camera' }),
  state: warningState,
});

const computeNodeFields = {
  computeNodeId: id().meta({ description: 'Compute node' }),
  name: z.string().meta({ description: 'Name of the node' }),
  health: z.enum(NodeHealth).meta({ description: 'Health of the node' }),
  activeDeviceCount: z.int().min(0).meta({ description: 'Number of devices that the node streams' }),
  maxConcurrentDevices: z
    .int()
    .min(0)
    .meta({ description: 'Largest number of devices that the node can stream at the same time' }),
  lastHeartbeatAt: timestamp().meta({ description: 'Time of the last heartbeat of the node' }),
};
export const computeNode = event(computeNodeFields);

export const computeNodeWarning = event({
  ...computeNodeFields,
  reason: z.literal('overloaded').meta({ description: 'Reason as a code' }),
  message: z.string().meta({ description: 'Reason in one sentence' }),
  state: warningState,
});

export const quota = event({
  scope: z.enum(QuotaScope).meta({ description: 'Whether the quota is of the user or of a device' }),
  deviceId: id().optional().meta({ description: 'Id of the device, if the scope is `device`' }),
  featureType: z.enum(['analysis', 'alert', 'attribute', 'vlm']).meta({
    description: 'Metered feature. Units: analysis in seconds, vlm in tokens, the others in records',
  }),
  period: z.string().meta({ description: 'Month, YYYY-MM, UTC' }),
  used: z.number().meta({ description: 'Usage in this month, in the unit of the feature' }),
  limit: z.number().meta({ description: 'Limit of this month, in the unit of the feature' }),
  usagePercentage: z.number().meta({ description: 'Usage in percent of the limit' }),
  threshold: z.int().meta({ description: 'Threshold that was exceeded, percent' }),
});

const total = (unit: string) => z.number().meta({ description: `Usage in the month, ${unit}` });
export const billingCycle = event({
  period: z.string().meta({ description: 'Month that is over, YYYY-MM, UTC' }),
  analysisSeconds: total('seconds of analysis'),
  alertCount: total('alerts'),
  attributeCount: total('attribute records'),
  vlmTokens: total('tokens'),
});

export const announcement = event({
  title: z.string().meta({ description: 'Headline' }),
  message: z.string().meta({ description: 'Text' }),
  startsAt: timestamp().optional().meta({ description: 'Start of the announced period' }),
  endsAt: timestamp().optional().meta({ description: 'End of the announced period' }),
});
