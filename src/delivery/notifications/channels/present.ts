import type { z } from 'zod';
import type { Channel } from './channel.store.ts';
import type { channel } from './schema.ts';

/** A channel in answers of the API, without keys and codes. */
export const presentChannel = (row: Channel): z.input<typeof channel> => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  status: row.status,
  address: row.address,
  codeExpiresAt: row.codeExpiresAt?.toISOString() ?? null,
  confirmedAt: row.confirmedAt?.toISOString() ?? null,
  failingSince: row.failingSince?.toISOString() ?? null,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  disabledReason: row.disabledReason,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
