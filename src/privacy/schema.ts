import { z } from 'zod';
import { id, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { DataJobStatus } from '../platform/prisma-client/enums.ts';

const MOST_DEVICES = 1_000;

export const rangeBody = z
  .strictObject({
    from: time().meta({ description: 'Start of the range, included' }),
    to: time().meta({ description: 'End of the range, not included; not in the future' }),
    deviceIds: z
      .array(id())
      .min(1)
      .max(MOST_DEVICES)
      .transform((ids) => [...new Set(ids)])
      .optional()
      .meta({ description: 'Only these devices; default: all, also deleted ones, and recordings' }),
  })
  .superRefine(({ from, to }, context) => {
    if (from < to) return;
    const params = { code: 'INVALID_DATE_RANGE' };
    const message = `must lie before to, ${to.toISOString()}`;
    context.addIssue({ code: 'custom', path: ['from'], message, params });
  });
export type RangeBody = z.output<typeof rangeBody>;

export const listJobsQuery = z.object(pageFields());

export const storedCounts = z.record(z.string(), z.int());

const job = {
  id: id(),
  status: z.enum(DataJobStatus).meta({
    description:
      '`queued`: waits, also for another try after `error`; `running`; `completed`; `failed`: given up, see `error`; `cancelled`',
  }),
  from: timestamp().meta({ description: 'Start of the range, included' }),
  to: timestamp().meta({ description: 'End of the range, not included' }),
  deviceIds: z.array(id()).meta({ description: 'Only these devices; empty: all' }),
  progressPercent: z.int().meta({ description: 'Progress, 0-100; 100 only when it is completed' }),
  counts: storedCounts.meta({
    description:
      'Rows and images so far, by kind, for example `visits`; too low if a program was killed meanwhile',
  }),
  error: z.string().nullable().meta({ description: 'Why the last try failed; null if none did' }),
  createdAt: timestamp(),
  startedAt: timestamp().nullable().meta({ description: 'When it began, UTC; null before that' }),
  completedAt: timestamp().nullable().meta({ description: 'When it ended, UTC; null before that' }),
};

export const exportJob = z
  .strictObject({
    ...job,
    file: z
      .strictObject({
        sizeBytes: z.int().meta({ description: 'Size in bytes' }),
        expiresAt: timestamp().meta({ description: 'When the file is removed, UTC' }),
      })
      .nullable()
      .meta({
        description:
          'The zip file, GET /privacy/exports/{id}/file; null before it is complete, and when it was removed',
      }),
  })
  .meta({ id: 'Export' });

export const erasureJob = z.strictObject(job).meta({ id: 'Erasure' });
