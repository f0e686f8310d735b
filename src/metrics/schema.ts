import { z } from 'zod';
import { flag, id, orderedRange, rangeFields, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';

const sceneId = id().meta({ description: 'Scene' });
const sceneType = z.literal('queue_analysis');
const count = z.int();
const measured = z.number().nullable();

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

export const currentMetrics = z
  .strictObject({
    inQueue: count.nullable(),
    inService: count.nullable(),
    totalPresent: count,
    avgWaitSeconds: measured,
    maxWaitSeconds: measured,
    avgServiceSeconds: measured,
    maxServiceSeconds: measured,
    estimatedWaitSeconds: measured,
  })
  .meta({
    id: 'CurrentMetrics',
    description:
      'The `current` group of the metric catalogue; null where the zones of the scene cannot measure it, or nothing was there to measure',
  });

const waitCount = count.nullable().meta({
  description:
    'Number of measured waits: the weight when averages are merged; null where no zone measures waits',
});
const serviceCount = count.nullable().meta({
  description:
    'Number of measured services: the weight when averages are merged; null where no zone measures service',
});
const PERCENTILE =
  'the value of rank share × (count − 1), ranks from 0 in ascending order, interpolated linearly between two. Exact in windows; in `total` at most 5 % off (1 s below 1 s)';

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

const completed = z
  .strictObject({
    count: count.meta({
      description: 'People who were served; without a checkout zone, people who left the queue',
    }),
    waitCount,
    avgWaitSeconds: measured,
    maxWaitSeconds: measured,
    p50WaitSeconds: measured.meta({
      description: `Half of the people waited no longer, seconds: ${PERCENTILE}`,
    }),
    p90WaitSeconds: measured.meta({
      description: `90 % of the people waited no longer, seconds: ${PERCENTILE}`,
    }),
    serviceCount,
    avgServiceSeconds: measured,
    maxServiceSeconds: measured,
    p90ServiceSeconds: measured.meta({
      description: `90 % of the services took no longer, seconds: ${PERCENTILE}`,
    }),
  })
  .meta({ id: 'CompletedVisits', description: 'People who were served' });

const abandoned = z
  .strictObject({
    count: count.nullable().meta({
      description: 'People who left the queue unserved; null without both zones',
    }),
    waitCount,
    avgWaitSeconds: measured,
    maxWaitSeconds: measured,
  })
  .meta({ id: 'AbandonedVisits', description: 'People who left the queue unserved' });

/** Metrics of every window, also of `total`. */
const decided = {
  completed,
  abandoned,
  arrivals: count,
  abandonmentRate: measured.meta({
    description:
      'Share of people who left without being served: abandoned ÷ (completed + abandoned), 0-1; null if the scene does not have both zones',
  }),
  lostCount: count.meta({ description: 'Number of visits whose end was not seen' }),
};

/** Metrics of the windows of minutes, not of `total`. */
const overTime = {
  throughputPerHour: measured.meta({
    description:
      'People served per hour of time with frames; null with less than 10 minutes of them and fewer than three people served',
  }),
  avgInQueue: measured,
  maxInQueue: measured,
  avgInService: measured,
  serverUtilization: measured.meta({ description: 'Share of time with a person in service, 0-1' }),
  coveragePercent: z.number().meta({ description: 'Percentage of the window with frames, 0-100' }),
};

const windowMetrics = z
  .strictObject({ ...decided, ...overTime })
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
