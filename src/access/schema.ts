import { z } from 'zod';
import { id, nameText, text, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { isScope, SCOPES, type Scope } from '../http/permission.ts';

const scope = z.enum(Object.keys(SCOPES).filter(isScope) as [Scope, ...Scope[]]);

export const createKeyBody = z.strictObject({
  name: nameText(1, 100).meta({ description: 'What the key is for, 1-100 characters' }),
  scopes: z
    .array(scope)
    .min(1)
    .max(100)
    .transform((scopes) => [...new Set(scopes)])
    .meta({ description: 'Scopes of the key: only scopes that the calling key has, never `admin`' }),
  expiresAt: time().nullable().optional().meta({
    description:
      'When the key expires; not later than the calling key. Default: when the calling key expires; never if that key never expires',
  }),
});
export type CreateKey = z.output<typeof createKeyBody>;

export const listKeysQuery = z.object(pageFields());

export const apiKey = z
  .strictObject({
    id: id(),
    name: z.string().meta({ description: 'Purpose of the key' }),
    prefix: z.string().meta({ description: 'First characters of the key' }),
    last4: z.string().meta({ description: 'Last four characters of the key' }),
    scopes: z.array(z.string()).meta({ description: 'Scopes of the key' }),
    expiresAt: timestamp().nullable().meta({ description: 'When the key expires; null if never' }),
    lastUsedAt: timestamp()
      .nullable()
      .meta({ description: 'Last use, accurate to a minute; null if the key was never used' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'ApiKey' });

const key = z.string().meta({ description: 'The key; only this answer shows it' });
export const createdKey = z.strictObject({ ...apiKey.shape, key }).meta({ id: 'CreatedApiKey' });

export const createUserBody = z.strictObject({
  email: z
    .email()
    .max(320)
    .meta({ description: 'Email address or name that identifies the user to the operator' }),
  name: nameText(1, 100).nullable().optional().meta({ description: 'At most 100 characters' }),
});

export const listUsersQuery = z.object({
  ...pageFields(),
  q: text(0, 100).optional().meta({ description: 'Part of the email or name' }),
});

export const user = z
  .strictObject({
    id: id(),
    email: z.string().meta({ description: 'Email address or name that identifies the user to the operator' }),
    name: z.string().nullable(),
    isAdmin: z
      .boolean()
      .meta({ description: 'Whether the user may have keys and sessions with the scope `admin`' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'User' });

const firstKey = z.string().meta({
  description: 'The first API key of the user, with every scope except `admin`; only this answer shows it',
});
export const createdUser = z.strictObject({ ...user.shape, apiKey: firstKey }).meta({ id: 'CreatedUser' });
