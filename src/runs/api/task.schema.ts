import { z } from 'zod';
import { id, text, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { TaskStatus } from '../../platform/prisma-client/enums.ts';
import type { TaskState } from '../store/task.store.ts';
import { analysisType, runCondition, runStats, taskTimes } from './schema.ts';

const taskStatus = z.enum(Object.values(TaskStatus).map((status) => status.toLowerCase() as TaskState));
const SORTABLE = ['createdAt', 'startedAt', 'completedAt', 'status', 'priority'] as const;

export const tasksQuery = z.object({
  ...pageFields(10),
  q: text(0, 100)
    .optional()
    .meta({ description: 'Part of the name of the scene or device, or of the error message' }),
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
    ...runCondition,
    priority: z.int(),
    reason: z.string().nullable().meta({ description: 'Why the run was stopped or cancelled' }),
    ...taskTimes,
    updatedAt: timestamp(),
  })
  .meta({ id: 'Task' });

export const taskDetail = z
  .strictObject({ ...task.shape, stats: runStats.nullable() })
  .meta({ id: 'TaskDetail' });

export const taskStatistics = z
  .strictObject({
    total: z.int().meta({ description: 'Number of all tasks' }),
    queued: z.int().meta({ description: 'Number of tasks that wait for a node' }),
    processing: z.int().meta({ description: 'Number of tasks that a node processes' }),
    completed: z.int().meta({ description: 'Number of tasks that ended without an error' }),
    failed: z.int().meta({ description: 'Number of tasks that ended with an error' }),
    cancelled: z.int().meta({ description: 'Number of tasks that were cancelled while queued' }),
  })
  .meta({ id: 'TaskStatistics', description: 'Number of tasks per status' });

export const cancelBody = z.strictObject({
  status: z.literal('cancelled'),
  reason: text(0, 500).optional().meta({ description: 'Reason, free text' }),
});
