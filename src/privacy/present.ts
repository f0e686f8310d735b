import type { z } from 'zod';
import type { Counts, DataJob } from './data-job.store.ts';
import type { erasureJob, exportJob } from './schema.ts';

/** An erasure as the API shows it. */
export const presentErasure = (row: DataJob): z.input<typeof erasureJob> => ({
  id: row.id,
  status: row.status,
  from: row.rangeFrom.toISOString(),
  to: row.rangeTo.toISOString(),
  deviceIds: [...row.deviceIds],
  progressPercent: row.progressPercent,
  counts: row.counts as Counts,
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
