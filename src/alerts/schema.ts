import { z } from 'zod';
import { ZONE_NAMES } from '../catalogue/metrics/needed-zones.ts';
import { flag, id, nameText, orderedRange, rangeFields, text, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { isMetricPath, METRIC_CATALOGUE } from '../metrics/catalogue.ts';
import { closest } from '../platform/explain/closest.ts';
import { scheduleSchema, timezone } from '../platform/jobs/schedule.ts';
import {
  ConditionOperator,
  LogicOperator,
  RiskLevel,
  RuleStatus,
  Severity,
  VlmStatus,
} from '../platform/prisma-client/enums.ts';

const severity = z.enum(Severity);
const ruleStatus = z.enum(RuleStatus);
const operator = z.enum(ConditionOperator);
const named = z.strictObject({ id: id(), name: z.string() });

export const metric = z
  .strictObject({
    path: z.string().meta({ description: 'The value for a condition’s `metricPath`' }),
    label: z.string(),
    unit: z.enum(['count', 'seconds', 'share', 'percent', 'perHour']).meta({
      description: '`share` is 0-1, `percent` 0-100, `perHour` is people per hour',
    }),
    group: z.enum(['current', 'rolling', 'total']),
    type: z
      .enum(['integer', 'number'])
      .meta({ description: '`integer` for counts, `number` for measurements' }),
    zones: z.array(z.enum(ZONE_NAMES)).meta({
      description: 'Zones that a scene must have for this metric; without them it is null',
    }),
    description: z.string(),
  })
  .meta({ id: 'Metric' });

export const groupedMetrics = z
  .strictObject({
    current: z.array(metric).meta({ description: 'Metrics of the current state' }),
    rolling: z.array(metric).meta({ description: 'Metrics of the last 5, 15, 30 and 60 minutes' }),
    total: z.array(metric).meta({ description: 'Metrics since the first start of the scene' }),
  })
  .meta({ id: 'GroupedMetrics' });

const condition = z
  .strictObject({
    metricPath: text(1, 100).meta({ description: 'A `path` from GET /alerts/metrics/queue_analysis' }),
    operator: operator.meta({
      description: 'No operator holds for a metric that was not measured, not even NEQ',
    }),
    threshold: z.number().meta({ description: 'Threshold in the unit of the metric' }),
  })
  .meta({ id: 'AlertCondition' });

export const storedConditions = z.array(condition);
/** A condition that held, with the value of its metric. */
export const heldCondition = condition.extend({ actualValue: z.number() });

function noSuchMetric(path: string): string {
  const near = closest(
    path,
    METRIC_CATALOGUE.map((metric) => metric.path),
  );
  const advice = near === undefined ? '' : `Did you mean ${near}? `;
  return `must be a metric. ${advice}GET /alerts/metrics/queue_analysis lists them all`;
}

const knownCondition = condition.refine(({ metricPath }) => isMetricPath(metricPath), {
  path: ['metricPath'],
  error: ({ input }) => noSuchMetric((input as { metricPath: string }).metricPath),
  params: { code: 'INVALID_METRIC_PATH' },
});

const fields = {
  name: nameText(1, 100).meta({ description: 'Name, 1-100 characters' }),
  description: text(0, 500).nullable().meta({ description: 'At most 500 characters' }),
  sceneId: id().optional().meta({ description: 'Scene whose metrics the rule evaluates' }),
  siteId: id().optional().meta({
    description:
      'Instead of `sceneId`: the rule watches every scene of this site, also one that comes later, and fires and pauses at each by itself',
  }),
  severity,
  conditions: z.array(knownCondition).min(1).max(10).meta({ description: 'Conditions of the rule, 1-10' }),
  logicOperator: z
    .enum(LogicOperator)
    .meta({ description: 'Whether all conditions must be true or any one of them' }),
  cooldownMinutes: z.int().min(1).max(1440).meta({
    description: 'Minutes between two events while the conditions hold, 1-1440',
  }),
  durationSeconds: z.int().min(0).max(3600).meta({
    description: 'Seconds for which the conditions must hold before the rule fires, 0-3600',
  }),
  schedule: scheduleSchema.nullable().meta({ description: 'When the rule is evaluated; null for always' }),
};

const newRule = z.strictObject({
  ...fields,
  description: fields.description.optional(),
  logicOperator: fields.logicOperator.default('OR'),
  cooldownMinutes: fields.cooldownMinutes.default(5),
  durationSeconds: fields.durationSeconds.default(0),
  schedule: fields.schedule.optional(),
});

type PlaceBody = { readonly sceneId?: string | undefined; readonly siteId?: string | undefined };
const onePlace = ({ sceneId, siteId }: PlaceBody, context: z.core.$RefinementCtx): void => {
  if (sceneId !== undefined && siteId !== undefined)
    context.addIssue({ code: 'custom', path: ['siteId'], message: 'must not be sent together with sceneId' });
};
const needsPlace = (body: PlaceBody, context: z.core.$RefinementCtx): void => {
  if (body.sceneId === undefined && body.siteId === undefined)
    context.addIssue({ code: 'custom', path: ['sceneId'], message: 'is needed, or siteId instead of it' });
  onePlace(body, context);
};

export const createRuleBody = newRule.superRefine(needsPlace);
export type CreateRule = z.output<typeof createRuleBody>;

export const patchRuleBody = z
  .strictObject({ ...fields, status: ruleStatus })
  .partial()
  .superRefine(onePlace);
export type PatchRule = z.output<typeof patchRuleBody>;

export const listRulesQuery = z.object({
  ...pageFields(),
  sceneId: id().optional(),
  siteId: id().optional().meta({ description: 'Rules that watch every scene of this site' }),
  deviceId: id().optional(),
  severity: severity.optional(),
  status: ruleStatus.optional(),
  q: text(0, 100).optional().meta({ description: 'Text in the name or description' }),
});
export type ListRules = z.output<typeof listRulesQuery>;

export const rule = z
  .strictObject({
    id: id(),
    userId: id(),
    deviceId: id().nullable(),
    sceneId: id().nullable().meta({ description: 'Null where it watches a site' }),
    siteId: id().nullable().meta({ description: 'Null where it watches one scene' }),
    scene: named.nullable(),
    device: named.nullable(),
    site: named.nullable().meta({ description: 'The site that it watches; null where it watches one scene' }),
    name: z.string(),
    description: z.string().nullable(),
    severity,
    conditions: storedConditions,
    logicOperator: fields.logicOperator,
    cooldownMinutes: z.int().meta({ description: 'Minutes' }),
    durationSeconds: z.int().meta({ description: 'Seconds' }),
    schedule: scheduleSchema.nullable(),
    status: ruleStatus,
    isFiring: z.boolean().meta({
      description:
        'The conditions hold now, and have held for `durationSeconds`; of a site: at one of its scenes',
    }),
    lastTriggeredAt: timestamp().nullable(),
    triggerCount: z.int().meta({ description: 'Number of alert events of the rule' }),
    unmeasuredPaths: z.array(z.string()).meta({
      description:
        'Metrics of its conditions that the zones of the scene, or of every scene of the site, cannot measure. Conditions on them never hold',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'AlertRule' });

export const previewRuleBody = z
  .strictObject({
    ...newRule.shape,
    name: fields.name.optional(),
    severity: severity.optional(),
    startDate: time().meta({ description: 'Start of the period to replay' }),
    endDate: time().meta({ description: 'End of the period to replay, at most 7 days after its start' }),
    curvePoints: z.int().min(2).max(1_000).optional().meta({
      description: 'Return the replayed values of each metric too, as curves of so many points',
    }),
  })
  .superRefine((body, context) => {
    needsPlace(body, context);
    orderedRange(body, context);
    if (body.endDate.getTime() - body.startDate.getTime() <= 7 * 86_400_000) return;
    const params = { code: 'INVALID_DATE_RANGE' };
    context.addIssue({
      code: 'custom',
      path: ['endDate'],
      message: 'must lie within 7 days of startDate',
      params,
    });
  });
export type PreviewRule = z.output<typeof previewRuleBody>;

const curve = z
  .strictObject({
    metricPath: z.string(),
    t: z.array(timestamp()).meta({ description: 'Start of each point; all points are equally long' }),
    min: z.array(z.number().nullable()).meta({
      description: 'Least value in each point; null where none was measured',
    }),
    max: z.array(z.number().nullable()).meta({ description: 'Largest value in each point' }),
  })
  .meta({ id: 'RulePreviewCurve', description: 'The values of a metric that a preview replayed' });

/** What fired, and with which value. */
export const firedFields = {
  triggeredAt: timestamp(),
  message: z.string(),
  metricPath: z.string(),
  operator,
  threshold: z.number(),
  actualValue: z.number(),
};

export const rulePreview = z
  .strictObject({
    sceneId: id().nullable(),
    siteId: id().nullable().meta({ description: 'Null where the rule watches one scene' }),
    startDate: timestamp(),
    endDate: timestamp(),
    snapshotCount: z.int().meta({ description: 'Replayed snapshots; one is stored per 10 s of analysis' }),
    firingCount: z.int().meta({ description: 'How often the rule would have fired' }),
    firings: z
      .array(
        z.strictObject({
          sceneId: id(),
          triggeredAt: timestamp(),
          metricPath: z.string(),
          operator,
          threshold: z.number(),
          actualValue: z.number(),
          message: z.string(),
        }),
      )
      .meta({
        description: 'The first 1000 times at which the rule would have fired; of a site those of each scene',
      }),
    unmeasuredPaths: z
      .array(z.string())
      .meta({ description: 'Metrics of the rule without a value in the whole period' }),
    curves: z
      .array(curve)
      .optional()
      .meta({ description: 'Only with `curvePoints`: one curve for each metric of the conditions' }),
  })
  .meta({ id: 'RulePreview' });

const withInsight = flag().default(false).meta({
  description: 'Whether each alert event has `thumbnailUrl`, `awaitsImages` and `insight` too',
});

export const readEventQuery = z.object({ withInsight });

export const listEventsQuery = z
  .object({
    ...pageFields(),
    withInsight,
    sceneId: id().optional(),
    deviceId: id().optional(),
    ruleId: id().optional(),
    severity: severity.optional(),
    metricPath: text(1, 100).optional(),
    acknowledged: flag()
      .optional()
      .meta({ description: 'Only events that somebody has acknowledged, or nobody' }),
    ...rangeFields,
  })
  .superRefine(orderedRange);
export type ListEvents = z.output<typeof listEventsQuery>;

export const alertEvent = z
  .strictObject({
    id: id(),
    severity,
    triggeredAt: timestamp().meta({ description: 'Time of the frame that fired' }),
    metricPath: z
      .string()
      .meta({ description: 'Metric of the first true condition; the next three fields belong to it too' }),
    operator,
    threshold: z.number(),
    actualValue: z.number(),
    message: z.string(),
    snapshotUrls: z.array(z.url()).meta({
      description: 'Images, signed, valid for an hour; empty until they are stored, and after 30 days',
    }),
    ruleId: id(),
    sceneId: id(),
    deviceId: id(),
    userId: id(),
    computeNodeId: id().nullable(),
    acknowledgedAt: timestamp()
      .nullable()
      .meta({ description: 'When somebody acknowledged it; null if nobody has' }),
    acknowledgedBy: z
      .strictObject({
        kind: z.enum(['key', 'session']).meta({ description: 'Whether it was an API key or a session' }),
        id: id().meta({ description: 'Id of the API key or session' }),
        name: z
          .string()
          .nullable()
          .meta({ description: 'Name of the key, or label of the session, at that time; null without one' }),
      })
      .nullable()
      .meta({ description: 'Who acknowledged it first; null if nobody has' }),
    createdAt: timestamp(),
    rule: named,
    scene: named,
    device: named,
    thumbnailUrl: z.url().nullable().optional().meta({
      description: 'Only with `withInsight`: a small image, signed, valid for an hour; null without one',
    }),
    awaitsImages: z
      .boolean()
      .optional()
      .meta({ description: 'Only with `withInsight`: whether images may still come, for at most a minute' }),
    insight: z
      .strictObject({
        id: id(),
        vlmStatus: z.enum(VlmStatus),
        vlmSummary: z.string().nullable(),
        riskLevel: z.enum(RiskLevel).nullable().meta({ description: 'Null until the summary is written' }),
        personCount: z
          .int()
          .nullable()
          .meta({ description: 'People in the images, according to the summary' }),
      })
      .nullable()
      .optional()
      .meta({ description: 'Only with `withInsight`: the description of the alert event; null without one' }),
  })
  .meta({ id: 'AlertEvent' });

export const patchEventBody = z.strictObject({
  acknowledged: z.boolean().meta({ description: 'Whether somebody has seen it' }),
});

export const statsQuery = z
  .object({
    ...rangeFields,
    timezone: timezone.optional().meta({
      description: 'IANA time zone in which hours and days are cut, like Europe/Berlin; default: UTC',
    }),
  })
  .superRefine(orderedRange);

/** Days of a statistic. */
export const MOST_DAYS = 366;

const count = z.int();
export const eventStats = z
  .strictObject({
    total: count.meta({ description: 'Number of alert events in the range' }),
    bySeverity: z.strictObject({ warning: count, critical: count }),
    topScenes: z.array(z.strictObject({ sceneId: id(), sceneName: z.string(), count })).max(10),
    topRules: z.array(z.strictObject({ ruleId: id(), ruleName: z.string(), count })).max(10),
    hourlyDistribution: z
      .array(
        z.strictObject({
          hour: z.int().min(0).max(23).meta({ description: 'Hour of the day, UTC or in `timezone`' }),
          count,
        }),
      )
      .length(24),
    dailyDistribution: z
      .array(z.strictObject({ date: z.iso.date().meta({ description: 'Day, YYYY-MM-DD' }), count }))
      .max(MOST_DAYS)
      .optional()
      .meta({
        description: `Only with \`timezone\`: days of that zone with events, oldest first; of more than ${MOST_DAYS} days the newest`,
      }),
  })
  .meta({ id: 'AlertStats' });
