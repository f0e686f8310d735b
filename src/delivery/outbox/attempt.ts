import { z } from 'zod';
import { timestamp } from '../../http/fields.ts';
import type { PageQuery } from '../../http/paging.ts';
import type { DeliveryStatus } from '../../platform/prisma-client/client.ts';

/** The filters of a list of attempts, the same for webhooks and for channels. */
export interface AttemptFilter extends PageQuery {
  readonly status?: DeliveryStatus | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

/** The fields that an attempt has over either of them, in the order of the answers. */
export const attemptFields = {
  errorMessage: z.string().nullable().meta({ description: 'Why the attempt failed, in one sentence' }),
  attemptNumber: z.int().meta({ description: 'Number of the attempt; the first is 1' }),
  maxAttempts: z.int().meta({ description: 'Largest number of attempts' }),
  isFinalAttempt: z.boolean().meta({ description: 'Whether no other attempt follows' }),
  createdAt: timestamp().meta({ description: 'When this attempt was scheduled' }),
};
export const nextAttemptAt = timestamp().nullable().meta({
  description:
    'When the next attempt is due: for a pending record this attempt, for a failed record the next one; null if no attempt follows',
});

interface Attempt {
  readonly responseTimeMs: number | null;
  readonly responseBody: string | null;
  readonly errorMessage: string | null;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly isFinalAttempt: boolean;
  readonly createdAt: Date;
  readonly attemptedAt: Date | null;
  readonly nextAttemptAt: Date | null;
}

/** How it went, and what follows. */
export const presentAttempt = (row: Attempt) => ({
  responseTimeMs: row.responseTimeMs,
  responseBody: row.responseBody,
  errorMessage: row.errorMessage,
  attemptNumber: row.attemptNumber,
  maxAttempts: row.maxAttempts,
  isFinalAttempt: row.isFinalAttempt,
  createdAt: row.createdAt.toISOString(),
  attemptedAt: row.attemptedAt?.toISOString() ?? null,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
});
