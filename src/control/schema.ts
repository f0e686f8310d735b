import { z } from 'zod';
import { cameraFault, cameraWarnings } from '../devices/condition.ts';
import { id, text, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { RunStatus, StopReason, TaskStatus } from '../platform/prisma-client/enums.ts';
import type { TaskState } from '../runs/task.store.ts';
import { ALL_ATTRIBUTE_KEYS } from '../vision/attributes/keys.ts';

/** The same word in capitals in the history of a device, and in small letters in the list of tasks. */
const historyStatus = z.enum(TaskStatus);
const taskStatus = z.enum(Object.values(TaskStatus).map((status) => status.toLowerCase() as TaskState));
const analysisType = z.literal('queue_analysis');
const waitingFor = z.enum(['capacity', 'node']).optional().meta({
  description:
    'What a queued run waits for: `capacity` where every living node is full or overloaded, `node` where none is alive; else absent',
});
const deviceCondition = {
  fault: cameraFault.meta({
    description:
      'What keeps the pictures of its camera from being analysed now; null while nothing does or it is not worked on',
  }),
  warnings: cameraWarnings,
};
const runStatus = z.enum(RunStatus);

export const startBody = z.strictObject({
  sceneId: id(),
  priority: z.int().min(1).max(5).default(3).meta({ description: 'Place in the queue, 1-5, 1 first' }),
});

export const stopBody = z.strictObject({
  sceneId: id().optional().meta({ description: 'Only the run of this scene; else every run of the device' }),
  reason: z.enum(StopReason).default('user_request'),
  drain: z
    .boolean()
    .default(false)
    .meta({ description: 'Finish the frames already read, at most 10 seconds' }),
});
export type StopOptions = z.output<typeof stopBody>;

export const startedRun = z
  .strictObject({
    sceneId: id(),
    deviceId: id(),
    analysisId: id(),
    sceneType: analysisType,
    status: runStatus,
    estimatedInitMs: z.int().meta({ description: 'Milliseconds until the first frame, by experience' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'StartedRun' });

const stoppedRun = z.strictObject({
  sceneId: id(),
  deviceId: id(),
  analysisId: id(),
  sceneType: analysisType,
  status: runStatus,
  stoppedAt: timestamp(),
  processingDuration: z
    .strictObject({ seconds: z.number(), milliseconds: z.int() })
    .meta({ description: 'The same duration in either unit' }),
});

export const stoppedRuns = z
  .strictObject({
    ...stoppedRun.shape,
    runs: z.array(stoppedRun).meta({ description: 'All that were stopped' }),
  })
  .meta({ id: 'StoppedRun', description: 'The newest run that was stopped' });

const runStats = z.strictObject({
  processedFrames: z.int(),
  droppedFrames: z
    .int()
    .meta({ description: 'Frames newer ones had overtaken, or that an overloaded node left out' }),
  fps: z.number().meta({
    description:
      'The achieved rate: frames processed a second over the last ten; less than `analysisFps` where the camera sends less or the node is overloaded, 0 while there is a fault',
  }),
  avgProcessingTimeMs: z.number().meta({ description: 'Milliseconds per frame' }),
  staff: z
    .strictObject({
      present: z.int().meta({ description: 'Followed now' }),
      people: z.int().meta({
        description: 'Found to be staff in this run; who goes away and comes back is found anew',
      }),
      meanDecisionSeconds: z.number().nullable().meta({
        description: 'Mean of the seconds from the first sight to the decision; null before the first one',
      }),
      longestDecisionSeconds: z.number().nullable().meta({
        description: 'Longest of them; until then they are counted like customers',
      }),
    })
    .optional()
    .meta({
      description:
        'People who work here: they are in no number from the decision on. Only with a `staffZone`, from the first frame on',
    }),
  attributes: z
    .strictObject({
      models: z.array(z.string()).meta({ description: 'In the order in which they own keys' }),
      persons: z.int().meta({ description: 'In the captures since a node took the run' }),
      coveredKeys: z.array(z.enum(ALL_ATTRIBUTE_KEYS)).nullable().meta({
        description: 'Keys that these models can tell at all; null in runs of before it was kept',
      }),
      coverage: z.record(z.string(), z.number()).meta({
        description: 'Share of them, by key, of whom it could be told; the others are counted for nobody',
      }),
    })
    .nullable()
    .meta({ description: 'null before the first capture, and always with LEVEL_01' }),
});

export const analysisStatus = z
  .strictObject({
    computeNodeHealth: z.enum(['healthy', 'degraded', 'offline']),
    computeNodeHealthReason: z.string().nullable().meta({
      description: 'Why it is degraded, one sentence: for example that it is overloaded; else null',
    }),
    activeDeviceCount: z.int(),
    maxConcurrentDevices: z.int(),
    devices: z.array(
      z.strictObject({
        deviceId: id(),
        fault: cameraFault,
        warnings: cameraWarnings,
        scenes: z
          .array(
            z.strictObject({
              sceneId: id(),
              sceneType: analysisType,
              status: runStatus.meta({
                description:
                  '`initializing` until the node that works on it has processed a frame, also after it has moved',
              }),
              waitingFor,
              ...deviceCondition,
              uptimeMs: z.int().meta({ description: 'Milliseconds since it was started by a node' }),
              startedAt: timestamp()
                .nullable()
                .meta({ description: 'When a node first took it; null while it waits for the first one' }),
              stats: runStats,
            }),
          )
          .meta({ description: 'The newest run of each scene' }),
      }),
    ),
  })
  .meta({ id: 'AnalysisStatus' });

const startedRange = {
  startedAfter: time().optional().meta({ description: 'Started at this time or later' }),
  startedBefore: time().optional().meta({ description: 'Started before this time' }),
};

export const historyQuery = z
  .object({ ...pageFields(), status: historyStatus.optional(), ...startedRange })
  .superRefine(({ startedAfter, startedBefore }, context) => {
    if (!startedAfter || !startedBefore || startedAfter <= startedBefore) return;
    context.addIssue({
      code: 'custom',
      path: ['startedAfter'],
      message: `must not lie after startedBefore, ${startedBefore.toISOString()}`,
      params: { code: 'INVALID_DATE_RANGE' },
    });
  });

const taskTimes = {
  computeNodeId: id().nullable(),
  startedAt: timestamp().nullable(),
  completedAt: timestamp().nullable(),
  processingTimeMs: z.int().nullable().meta({ description: 'Milliseconds from start to end; null before' }),
  errorMessage: z.string().nullable(),
  createdAt: timestamp(),
};

export const historyRecord = z
  .strictObject({ taskId: id(), analysisType, status: historyStatus, ...taskTimes })
  .meta({ id: 'HistoryRecord' });

const SORTABLE = ['createdAt', 'startedAt', 'completedAt', 'status', 'priority'] as const;

export const tasksQuery = z.object({
  ...pageFields(10),
  q: text(0, 100).optional().meta({ description: 'Part of the scene’s or device’s name or the error' }),
  deviceId: id().optional(),
  status: taskStatus.optional(),
  analysisType: analysisType.optional(),
  sortBy: z.enum(SORTABLE).default('createdAt'),
  sortOrder: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['ASC', 'DESC']))
    .default('DESC')
    .meta({ override: { type: 'string', enum: ['ASC', 'DESC'], default: 'DESC' } }),
});

export const task = z
  .strictObject({
    id: id(),
    deviceId: id(),
    sceneId: id(),
    analysisType,
    status: taskStatus,
    waitingFor,
    ...deviceCondition,
    priority: z.int(),
    reason: z.string().nullable().meta({ description: 'Why it was stopped or cancelled' }),
    ...taskTimes,
    updatedAt: timestamp(),
  })
  .meta({ id: 'Task' });

export const taskDetail = z
  .strictObject({ ...task.shape, stats: runStats.nullable() })
  .meta({ id: 'TaskDetail' });

export const taskStatistics = z
  .strictObject({
    total: z.int(),
    queued: z.int(),
    processing: z.int(),
    completed: z.int(),
    failed: z.int(),
    cancelled: z.int(),
  })
  .meta({ id: 'TaskStatistics', description: 'Tasks per status' });

export const cancelBody = z.strictObject({
  status: z.literal('cancelled'),
  reason: text(0, 500).optional().meta({ description: 'Why, in your words' }),
});
