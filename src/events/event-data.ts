import { z } from 'zod';
import { id, timestamp } from '../http/fields.ts';
import { ConditionOperator, NodeHealth, QuotaScope, Severity } from '../platform/prisma-client/enums.ts';

/** The schemas of the `data` of events. */

const test = z
  .literal(true)
  .optional()
  .meta({ description: 'There in a test delivery alone: its numbers and ids are made up' });
const event = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...shape, test });

const deviceId = id().meta({ description: 'Device' });
const sceneId = id().meta({ description: 'Scene' });
const sceneName = z.string().meta({ description: 'Name of the scene' });
const computeNodeId = id().nullable().meta({ description: 'Node that holds or held the run' });

const analysis = {
  analysisId: id().meta({ description: 'Run; also the id of its task' }),
  sceneId,
  sceneName,
  deviceId,
  computeNodeId,
};
const processingDuration = z
  .strictObject({
    seconds: z.number().meta({ description: 'Since a node first took the run, seconds' }),
    milliseconds: z.number().meta({ description: 'The same in milliseconds' }),
  })
  .meta({ description: 'How long the run was worked on' });

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
    .meta({ description: 'Why it was stopped; missing where a recording simply ended' }),
  processingDuration,
});

export const analysisError = event({
  ...analysis,
  status: z.literal('error').meta({ description: 'State of the run' }),
  processingDuration,
  error: z.string().meta({ description: 'What went wrong, one sentence' }),
});

export const alertTriggered = event({
  ruleId: id().meta({ description: 'Alert rule' }),
  ruleName: z.string().meta({ description: 'Name of the rule' }),
  sceneId,
  sceneName,
  deviceId,
  severity: z.enum(Severity).meta({ description: 'Severity of the rule' }),
  metricPath: z.string().meta({ description: 'Metric of the first condition that was true' }),
  operator: z.enum(ConditionOperator).meta({ description: 'Its comparison' }),
  threshold: z.number().meta({ description: 'Its threshold, in the metric’s unit' }),
  actualValue: z.number().meta({ description: 'What the metric was, in its unit' }),
  message: z.string().meta({ description: 'The alert in one sentence' }),
  snapshotUrls: z.array(z.url()).meta({
    description: 'Addresses of the pictures that were stored in time; they open without a key for seven days',
  }),
});

const device = {
  deviceId,
  deviceName: z.string().meta({ description: 'Name of the device' }),
  lastFrameAt: timestamp().nullable().meta({ description: 'Its last frame; null when there was none yet' }),
};

export const deviceOffline = event({
  ...device,
  error: z.string().optional().meta({ description: 'Why it cannot be read, where that is known' }),
});

export const deviceOnline = event({
  ...device,
  offlineForSeconds: z.number().min(0).meta({
    description: 'Seconds since its last frame; of a device that was not analysed since the look that failed',
  }),
});

export const deviceAnalysisError = event({
  ...device,
  error: z.string().meta({ description: 'What is wrong with its stream, one sentence' }),
});

const warningState = z
  .enum(['began', 'ended'])
  .meta({ description: 'Whether it is so from now on, or not any more' });

export const deviceWarning = event({
  ...device,
  reason: z
    .string()
    .meta({ description: 'What makes its numbers doubtful, for programs: as in `warnings` of the device' }),
  message: z.string().meta({ description: 'The same for people, one sentence' }),
  since: timestamp().meta({ description: 'Since when it is or was so' }),
  state: warningState,
});

const computeNodeFields = {
  computeNodeId: id().meta({ description: 'Compute node' }),
  name: z.string().meta({ description: 'Name of the node' }),
  health: z.enum(NodeHealth).meta({ description: 'Health of the node' }),
  activeDeviceCount: z.int().min(0).meta({ description: 'Devices it streams' }),
  maxConcurrentDevices: z.int().min(0).meta({ description: 'Devices it can stream at once' }),
  lastHeartbeatAt: timestamp().meta({ description: 'When it was last heard of' }),
};
export const computeNode = event(computeNodeFields);

export const computeNodeWarning = event({
  ...computeNodeFields,
  reason: z.literal('overloaded').meta({ description: 'What is wrong, for programs' }),
  message: z.string().meta({ description: 'The same for people, one sentence' }),
  state: warningState,
});

export const quota = event({
  scope: z.enum(QuotaScope).meta({ description: 'Whose quota' }),
  deviceId: id().optional().meta({ description: 'The device, where the scope is device' }),
  featureType: z
    .enum(['analysis', 'alert', 'attribute', 'vlm'])
    .meta({ description: 'Metered feature: analysis in seconds, vlm in tokens, the others in records' }),
  period: z.string().meta({ description: 'Month, YYYY-MM, UTC' }),
  used: z.number().meta({ description: 'Used in this month, in the feature’s unit' }),
  limit: z.number().meta({ description: 'Limit of this month, in the feature’s unit' }),
  usagePercentage: z.number().meta({ description: 'Used in percent of the limit' }),
  threshold: z.int().meta({ description: 'The mark that was crossed, percent' }),
});

const total = (unit: string) => z.number().meta({ description: `Used in the month, ${unit}` });
export const billingCycle = event({
  period: z.string().meta({ description: 'The month that is over, YYYY-MM, UTC' }),
  analysisSeconds: total('seconds of analysis'),
  alertCount: total('alerts'),
  attributeCount: total('attribute records'),
  vlmTokens: total('tokens'),
});

export const announcement = event({
  title: z.string().meta({ description: 'Headline' }),
  message: z.string().meta({ description: 'Text' }),
  startsAt: timestamp().optional().meta({ description: 'Beginning of what is announced' }),
  endsAt: timestamp().optional().meta({ description: 'Its end' }),
});
