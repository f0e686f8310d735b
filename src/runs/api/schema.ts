import { z } from 'zod';
import { cameraFault, cameraWarnings } from '../../cameras/devices/condition.ts';
import { id, time, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { RunStatus, StopReason, TaskStatus } from '../../platform/prisma-client/enums.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../vision/attributes/keys.ts';
import { STAFF_REASONS } from '../../vision/zones/staff.ts';

const historyStatus = z.enum(TaskStatus);
export const analysisType = z.literal('queue_analysis');

/** `RunCondition` in the API. */
export const runCondition = {
  waitingFor: z.enum(['capacity', 'node']).optional().meta({
    description:
      'What a queued run waits for: `capacity` if every online node is full or overloaded, or has room for earlier runs only; `node` if no node is online; otherwise absent',
  }),
  fault: cameraFault.meta({
    description:
      'Why the frames of the camera cannot be analysed now; null if they can, or if the run is not being processed',
  }),
  warnings: cameraWarnings,
};
const runStatus = z.enum(RunStatus);

export const startBody = z.strictObject({
  sceneId: id(),
  priority: z.int().min(1).max(5).default(3).meta({ description: 'Priority in the queue, 1-5; 1 is first' }),
});

export const stopBody = z.strictObject({
  sceneId: id()
    .optional()
    .meta({ description: 'Stop only the run of this scene; default: all runs of the device' }),
  reason: z.enum(StopReason).default('user_request'),
  drain: z
    .boolean()
    .default(false)
    .meta({ description: 'Process the frames that were already read, for at most 10 seconds' }),
});
export type StopOptions = z.output<typeof stopBody>;

const run = { sceneId: id(), deviceId: id(), analysisId: id(), sceneType: analysisType, status: runStatus };

export const startedRun = z
  .strictObject({
    ...run,
    estimatedInitMs: z
      .int()
      .meta({ description: 'Estimated milliseconds until the first frame is processed' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'StartedRun' });

const stoppedRun = z.strictObject({
  ...run,
  stoppedAt: timestamp(),
  processingDuration: z
    .strictObject({ seconds: z.number(), milliseconds: z.int() })
    .meta({ description: 'Duration in seconds and in milliseconds' }),
});

export const stoppedRuns = z
  .strictObject({
    ...stoppedRun.shape,
    runs: z.array(stoppedRun).meta({ description: 'All runs that were stopped' }),
  })
  .meta({ id: 'StoppedRun', description: 'The newest run that was stopped' });

export const runStats = z.strictObject({
  processedFrames: z.int(),
  skippedFrames: z.int().meta({
    description:
      'Number of processed frames at which the detector did not look, because nothing had changed since it looked',
  }),
  heldFrames: z.int().meta({
    description:
      'How many of the skipped frames showed people who stood still: what was found of them held, for a second at most',
  }),
  droppedFrames: z.int().meta({
    description: 'Frames that were not processed because a newer one had arrived or the node was overloaded',
  }),
  fps: z.number().meta({
    description:
      'Frames processed per second, mean of the last ten seconds. Less than `analysisFps` if the camera sends fewer or the node is overloaded; 0 while there is a fault',
  }),
  avgProcessingTimeMs: z
    .number()
    .meta({ description: 'Mean processing time of a frame that was not skipped, milliseconds' }),
  analysedRegion: z
    .strictObject({
      left: z.number().meta({ description: 'Left edge, 0-1 of the width of the picture' }),
      top: z.number().meta({ description: 'Upper edge, 0-1 of the height of the picture' }),
      width: z.number().meta({ description: '0-1 of the width of the picture' }),
      height: z.number().meta({ description: '0-1 of the height of the picture' }),
    })
    .nullable()
    .meta({
      description:
        'The part of the picture that is analysed, see `analysisRegion` of the device. Nothing is known of what lies outside. Null before the first frame, and for recordings, which are analysed as a whole',
    }),
  networkSize: z
    .strictObject({
      width: z.int().meta({ description: 'Pixels' }),
      height: z.int().meta({ description: 'Pixels' }),
    })
    .nullable()
    .meta({ description: 'Size of the network that analyses this part; null like `analysedRegion`' }),
  decoding: z.enum(['all', 'needed', 'key']).nullable().meta({
    description:
      'Which frames of the camera are decoded: all; while the decoder of the node gets too little time, only frames that other frames need, or only key frames where enough of them come. The rest is left out before it is decoded. Null before the first frame',
  }),
  staff: z
    .strictObject({
      present: z.int().meta({ description: 'Number of staff in view now' }),
      people: z.int().meta({
        description:
          'Number of people recognised as staff in this run; a person who leaves and returns counts again',
      }),
      meanDecisionSeconds: z.number().nullable().meta({
        description:
          'Mean time from the first detection of a person to the decision that they are staff, seconds; null before the first decision',
      }),
      longestDecisionSeconds: z.number().nullable().meta({
        description: 'Longest such time, seconds; until the decision a person counts as a customer',
      }),
      members: z
        .array(
          z.strictObject({
            trackId: z.int().meta({ description: 'As in `X-Staff` of the live pictures' }),
            reason: z.enum(STAFF_REASONS).meta({
              description:
                '`staff_zone`: at least half of at least 60 s in the drawn staff zone. `stays_at_till`: no staff zone is drawn, and the person stayed at one place in or beside the checkout zone for at least 60 s while at least three others were served there, one after the other, and for at least four times as long as such a service takes; at a place where staff stood before, 30 s and one other are enough. Who came out of the queue needs six others',
            }),
            decidedAt: timestamp().nullable().meta({
              description: 'Time of the frame of the decision',
            }),
            seconds: z.number().meta({ description: 'Seconds in the staff zone, or at that place' }),
            othersServed: z
              .int()
              .nullable()
              .meta({ description: 'Others served meanwhile, one after the other; null with a staff zone' }),
          }),
        )
        .meta({ description: 'Those who are present, with the reason of the decision; at most 20' }),
    })
    .optional()
    .meta({
      description:
        'Staff: people who count in no metric after they were recognised. With a `staffZone` present from the first frame on. Without one, in a scene of people with a `checkoutZone`, present once somebody was recognised by staying at the till',
    }),
  attributes: z
    .strictObject({
      models: z
        .array(z.string())
        .meta({ description: 'Models in use; the first that can determine an attribute decides it' }),
      persons: z.int().meta({ description: 'Number of people in the captures since a node claimed the run' }),
      coveredKeys: z.array(z.enum(ALL_ATTRIBUTE_KEYS)).nullable().meta({
        description: 'Attributes that these models can determine',
      }),
      coverage: z.record(z.string(), z.number()).meta({
        description:
          'For each attribute, the share of people for whom it could be determined, 0-1; the others do not count for it',
      }),
    })
    .nullable()
    .meta({ description: 'Null before the first capture, and always with LEVEL_01' }),
});

export const analysisStatus = z
  .strictObject({
    computeNodeHealth: z.enum(['healthy', 'degraded', 'offline']),
    computeNodeHealthReason: z.string().nullable().meta({
      description: 'Why the node is degraded, for example overloaded, in one sentence; null otherwise',
    }),
    activeDeviceCount: z.int().meta({ description: 'Number of devices that the node analyses now' }),
    maxConcurrentDevices: z
      .int()
      .meta({ description: 'Largest number of devices that the node can analyse at the same time' }),
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
                  '`initializing` until the node has processed a frame, also after the run moved to another node',
              }),
              ...runCondition,
              uptimeMs: z.int().meta({ description: 'Milliseconds since a node claimed the run' }),
              startedAt: timestamp()
                .nullable()
                .meta({ description: 'When a node first claimed the run; null before that' }),
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

export const taskTimes = {
  computeNodeId: id().nullable(),
  startedAt: timestamp().nullable(),
  completedAt: timestamp().nullable(),
  processingTimeMs: z
    .int()
    .nullable()
    .meta({ description: 'Milliseconds from start to end; null until the run has ended' }),
  errorMessage: z.string().nullable(),
  createdAt: timestamp(),
};

export const historyRecord = z
  .strictObject({ taskId: id(), analysisType, status: historyStatus, ...taskTimes })
  .meta({ id: 'HistoryRecord' });
