import { z } from 'zod';
import {
  CURRENT,
  type CurrentMetrics,
  ROLLING,
  TOTAL,
  type TotalMetrics,
  type WindowMetrics,
} from '../catalogue/metrics/all.ts';
import type { CurrentMetric, TimeMetric } from '../catalogue/metrics/metric.ts';
import { NO_WAITS } from '../catalogue/waits/wait-words.ts';
import { flag, id, orderedRange, rangeFields, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { typeOf } from './catalogue.ts';
import { liveTills } from './tills/live-tills.ts';

const sceneId = id().meta({ description: 'Scene' });
const sceneType = z.literal('queue_analysis');

const latestCount = z.coerce.number().int().min(1).max(100).default(10);

export const snapshotsQuery = z
  .object({ sceneId, ...rangeFields, ...pageFields() })
  .superRefine(orderedRange);
export type SnapshotsQuery = z.output<typeof snapshotsQuery>;

export const latestSnapshotsQuery = z.object({
  sceneId,
  limit: latestCount.meta({ description: 'Largest number of entries to return, 1-100' }),
});

const windowType = z.enum(['5min', '15min', '30min', '60min', 'total']);

export const rollingQuery = z
  .object({ sceneId, windowType: windowType.optional(), ...rangeFields, ...pageFields() })
  .superRefine(orderedRange);
export type RollingQuery = z.output<typeof rollingQuery>;

export const latestRollingQuery = z.object({ sceneId });

export const sceneLatestQuery = z.object({
  includeSnapshots: flag().default(true),
  includeRolling: flag().default(true),
  snapshotLimit: latestCount.meta({ description: 'Number of snapshots, 1-100' }),
});

/** Schemas of the numbers of a group, by their names. */
type Fields<Group> = { [Name in keyof Group]: z.ZodType<Group[Name]> };

const WEIGHTS = '`waitCount` and `serviceCount` are the weights when averages are merged';
/** Numbers whose names have two parts are an object of the answer. */
const OBJECTS: Readonly<Record<string, { id: string; description: string }>> = {
  completed: {
    id: 'CompletedVisits',
    description: `People who were served. ${WEIGHTS}. Percentiles are exact in windows, and in \`total\` at most 5 % off (1 s below 1 s)`,
  },
  abandoned: { id: 'AbandonedVisits', description: `People who left the queue unserved. ${WEIGHTS}` },
};

function fieldsOf<Group>(metrics: readonly (CurrentMetric | TimeMetric)[]): Fields<Group> {
  const fields: Record<string, z.ZodType> = {};
  const objects: Record<string, Record<string, z.ZodType>> = {};
  for (const metric of metrics) {
    const [first = '', last] = metric.name.split('.');
    if (last === undefined) fields[first] = fieldOf(metric);
    else {
      fields[first] ??= z.unknown();
      objects[first] = { ...objects[first], [last]: fieldOf(metric) };
    }
  }
  for (const [name, inner] of Object.entries(objects))
    fields[name] = z.strictObject(inner).meta(OBJECTS[name] ?? {});
  return fields as Fields<Group>;
}

function fieldOf(metric: CurrentMetric | TimeMetric): z.ZodType {
  const isCount = !('expression' in metric) || metric.expression.isCounted;
  const value = isCount && typeOf(metric) === 'integer' ? z.int() : z.number();
  const description = metric.isAlways
    ? metric.description
    : `${metric.description}; null where it cannot be measured`;
  return (metric.isAlways ? value : value.nullable()).meta({ description });
}

const estimatedWaitReason = z.enum(NO_WAITS).nullish().meta({
  description:
    'Why the wait of a person who joins now is not known: `learning` (fewer than 30 services were seen), `noServiceSeen` (nobody serves), `notCovered` (nobody has seen the line for the last minute). Null where it is known, and without a queue zone. Left out of numbers of several scenes',
});

export const currentMetrics = z
  .strictObject({ ...fieldsOf<CurrentMetrics>(CURRENT), estimatedWaitReason })
  .meta({
    id: 'CurrentMetrics',
    description:
      'The `current` group of the metric catalogue; null where the zones of the scene cannot measure it, or nothing was there to measure',
  });

export const snapshot = z
  .strictObject({
    id: id(),
    sceneId: id(),
    deviceId: id(),
    sceneType,
    windowStart: timestamp(),
    windowEnd: timestamp().meta({ description: 'Time of the state that the metrics describe' }),
    durationSeconds: z.number(),
    currentMetrics,
    computeNodeId: id().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'MetricSnapshot' });

/** Metrics of every window, also of `total`. */
const decided = fieldsOf<TotalMetrics>(TOTAL);
const ofWindow = fieldsOf<WindowMetrics>(ROLLING);
/** Metrics of the windows of minutes, not of `total`. */
const overTime = fieldsOf<Partial<WindowMetrics>>(ROLLING.filter((metric) => !TOTAL.includes(metric)));

const windowMetrics = z
  .strictObject({ ...ofWindow, ...decided })
  .meta({ id: 'WindowMetrics', description: 'The last minutes before the frame' });

/** The newest value of every metric of the catalogue, by its path: `latestMetrics` of a scene. */
export const latestMetrics = z
  .strictObject({
    current: currentMetrics,
    rolling5Min: windowMetrics,
    rolling15Min: windowMetrics,
    rolling30Min: windowMetrics,
    rolling60Min: windowMetrics,
    total: z
      .strictObject(decided)
      .meta({ id: 'TotalMetrics', description: 'Metrics since the first start of the scene' }),
    tills: liveTills,
  })
  .meta({
    id: 'LatestMetrics',
    description: 'The newest value of every metric, updated about once a second',
  });

export const rollingRecord = z
  .strictObject({
    id: id(),
    sceneId: id(),
    deviceId: id(),
    sceneType,
    windowType,
    windowStart: timestamp(),
    windowEnd: timestamp(),
    ...decided,
    ...z.strictObject(overTime).partial().shape,
    computeNodeId: id().nullable(),
    createdAt: timestamp(),
  })
  .meta({
    id: 'RollingRecord',
    description: '`total` has no fields from `throughputPerHour` on',
  });

/** The newest record of each window; null where there is none yet. */
export const latestRolling = z
  .strictObject({
    '5min': rollingRecord.nullable(),
    '15min': rollingRecord.nullable(),
    '30min': rollingRecord.nullable(),
    '60min': rollingRecord.nullable(),
    total: rollingRecord.nullable(),
  })
  .meta({ id: 'LatestRolling' });

export const sceneLatest = z
  .strictObject({
    sceneId: id(),
    snapshots: z.array(snapshot.pick({ id: true, currentMetrics: true, createdAt: true })).optional(),
    rolling: latestRolling.optional(),
    lastUpdatedAt: timestamp().nullable(),
  })
  .meta({ id: 'SceneLatest' });
