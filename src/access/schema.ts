import { z } from 'zod';
import { id, text, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { isScope, SCOPES, type Scope } from '../http/permission.ts';

const scope = z.enum(Object.keys(SCOPES).filter(isScope) as [Scope, ...Scope[]]);

export const createKeyBody = z.strictObject({
  name: text(1, 100).meta({ description: 'What the key is for, 1-100 characters' }),
  scopes: z
    .array(scope)
    .min(1)
    .max(100)
    .transform((scopes) => [...new Set(scopes)])
    .meta({ description: 'What it may do: of what the calling key may do itself, never `admin`' }),
  expiresAt: time().nullable().optional().meta({
    description:
      'When the key stops working, at most the end of the calling key; that end where not given, or never if the calling key has none',
  }),
});
export type CreateKey = z.output<typeof createKeyBody>;

export const listKeysQuery = z.object(pageFields());

export const apiKey = z
  .strictObject({
    id: id(),
    name: z.string().meta({ description: 'What it is for' }),
    prefix: z.string().meta({ description: 'How the key begins' }),
    last4: z.string().meta({ description: 'Its last four characters' }),
    scopes: z.array(z.string()).meta({ description: 'What it may do' }),
    expiresAt: timestamp().nullable().meta({ description: 'When it stops working; null: never' }),
    lastUsedAt: timestamp().nullable().meta({ description: 'Last use, to the minute; null: not yet' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'ApiKey' });

const key = z.string().meta({ description: 'The key itself: shown only now' });
export const createdKey = z.strictObject({ ...apiKey.shape, key }).meta({ id: 'CreatedApiKey' });

export const createUserBody = z.strictObject({
  email: z.email().max(320).meta({ description: 'By which the operator knows the user' }),
  name: text(1, 100).nullable().optional().meta({ description: 'At most 100 characters' }),
});

export const listUsersQuery = z.object({
  ...pageFields(),
  q: text(0, 100).optional().meta({ description: 'Part of the email or name' }),
});

export const user = z
  .strictObject({
    id: id(),
    email: z.string().meta({ description: 'Email or name by which the operator knows the user' }),
    name: z.string().nullable(),
    isAdmin: z.boolean().meta({ description: 'May have keys with the scope `admin`' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'User' });

const firstKey = z
  .string()
  .meta({ description: 'Its first API key, of every scope but `admin`: shown only now' });
export const createdUser = z.strictObject({ ...user.shape, apiKey: firstKey }).meta({ id: 'CreatedUser' });
