import type { z } from 'zod';
import type { ListedKey } from './api-key.store.ts';
import type { apiKey, user } from './schema.ts';
import type { User } from './user.store.ts';

/** A key as the API shows it. */
export const presentKey = (row: ListedKey): z.input<typeof apiKey> => ({
  id: row.id,
  name: row.name,
  prefix: `vas_${row.keyId}`,
  last4: row.last4,
  scopes: [...row.scopes],
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

/** A user as the API shows it to administrators. */
export const presentUser = (row: User): z.input<typeof user> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isAdmin: row.isAdmin,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
