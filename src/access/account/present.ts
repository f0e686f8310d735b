import type { z } from 'zod';
import type { SensitiveGroup } from '../../vision/attributes/keys.ts';
import type { Account } from '../user.store.ts';
import type { account } from './schema.ts';

/** A user as the API shows it to itself. */
export const presentAccount = (row: Account): z.input<typeof account> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isAdmin: row.isAdmin,
  timezone: row.timezone,
  locale: row.locale,
  blurPeople: row.blurPeople,
  attributeGroups: row.attributeGroups as SensitiveGroup[],
  hasPassword: row.passwordHash !== null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
