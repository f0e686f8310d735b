import { z } from 'zod';
import { id, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { ROLE_NAMES } from '../../http/roles.ts';
import { account } from '../account/schema.ts';

export const kind = z.enum(['person', 'screen']).meta({
  description:
    '`person`: ends 30 days after its last use. `screen`: a display without a person, ends only when it is revoked',
});
export const role = z.enum(ROLE_NAMES).meta({ description: 'Role; it stands for a list of scopes' });

export const listSessionsQuery = z.object(pageFields());

export const session = z
  .strictObject({
    id: id(),
    kind,
    role: role.nullable().meta({ description: 'Role; null for a session with a list of scopes' }),
    scopes: z.array(z.string()).meta({ description: 'What the session may do' }),
    method: z.enum(['password', 'key', 'code']).meta({
      description: 'What began the session: a password, an API key or a one-time code',
    }),
    label: z.string().nullable().meta({ description: 'Name that was given to its code; null if none was' }),
    isCurrent: z.boolean().meta({ description: 'Whether it is the session of this call' }),
    createdAt: timestamp(),
    lastUsedAt: timestamp().meta({ description: 'Last use, accurate to a minute' }),
    lastAddress: z.string().nullable().meta({ description: 'Network address of the last use' }),
    lastUserAgent: z
      .string()
      .nullable()
      .meta({ description: 'Browser or program of the last use, as it calls itself' }),
    expiresAt: timestamp()
      .nullable()
      .meta({ description: 'When it ends if it is not used; null for a screen' }),
  })
  .meta({ id: 'Session' });

/** The answer of the calls that say who is signed in. */
export const signedIn = z
  .strictObject({
    user: account.meta({ description: 'The account' }),
    scopes: z.array(z.string()).meta({ description: 'What the caller may do' }),
    session: session.nullable().meta({ description: 'The session; null if the call has an API key' }),
  })
  .meta({ id: 'SignedIn' });
