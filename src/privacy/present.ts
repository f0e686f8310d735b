import type { z } from 'zod';
import type { DataJob } from './data-job.store.ts';
import { type erasureJob, type exportJob, storedCounts } from './schema.ts';

/** An erasure as the API shows it. */
export const presentErasure = (row: DataJob): z.input<typeof erasureJob> => ({
  id: row.id,
  status: row.status,
  from: row.rangeFrom.toISOString(),
  to: row.rangeTo.toISOString(),
  deviceIds: [...row.deviceIds],
  progressPercent: row.progressPercent,
  counts: storedCounts.parse(row.counts),
  error: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  completedAt: row.completedAt?.toISOString() ?? null,
});

/** An export as the API shows it. */
export const presentExport = (row: DataJob): z.input<typeof exportJob> => ({
  ...presentErasure(row),
  file:
    row.objectKey !== null && row.expiresAt !== null
      ? { sizeBytes: Number(row.sizeBytes), expiresAt: row.expiresAt.toISOString() }
      : null,
});
