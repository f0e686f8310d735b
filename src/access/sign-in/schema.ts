import { z } from 'zod';
import { id, nameText, timestamp } from '../../http/fields.ts';
import { isScope, SCOPES, type Scope } from '../../http/permission.ts';
import { ROLE_NAMES } from '../../http/roles.ts';
import { timezone } from '../../platform/jobs/schedule.ts';
import { givenPassword, newPassword } from '../account/schema.ts';
import { kind } from '../sessions/schema.ts';

const email = z
  .string()
  .min(1)
  .max(320)
  .meta({
    description: 'Email address or name of the user',
    examples: ['anna@example.com'],
  });
const code = z.string().min(1).max(100);

/** Three ways to sign in. The fields say which one is meant. */
export const signInBody = z
  .strictObject({
    email: email.optional(),
    password: givenPassword.optional().meta({ description: 'Password of the user; together with `email`' }),
    apiKey: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({
        description: 'Instead: an API key. The session has its scopes and ends with it',
        examples: ['vas_…'],
      }),
    code: code.optional().meta({
      description: 'Instead: a one-time code of POST /login-codes or of `npm run admin -- login-link`',
      examples: ['k7m2p-9xwqr-4tn8v-hj3fz-b6cde'],
    }),
  })
  .transform((body, context): SignIn => {
    const { email, password, apiKey, code } = body;
    const given = Object.keys(body)
      .filter((name) => body[name as keyof typeof body] !== undefined)
      .sort();
    if (given.length === 2 && email !== undefined && password !== undefined) return { email, password };
    if (given.length === 1 && apiKey !== undefined) return { apiKey };
    if (given.length === 1 && code !== undefined) return { code };
    const message = `Send either email and password, or apiKey, or code; received ${given.join(', ') || 'none of them'}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
export type SignIn = { email: string; password: string } | { apiKey: string } | { code: string };

const scope = z.enum(Object.keys(SCOPES).filter(isScope) as [Scope, ...Scope[]]);

export const createLoginCodeBody = z
  .strictObject({
    kind,
    role: z
      .enum(ROLE_NAMES)
      .optional()
      .meta({ description: 'Role of the session; only one whose scopes the caller has' }),
    scopes: z
      .array(scope)
      .min(1)
      .max(100)
      .transform((scopes) => [...new Set(scopes)])
      .optional()
      .meta({ description: 'Instead of a role: scopes of the session, only those that the caller has' }),
    label: nameText(1, 100)
      .nullable()
      .optional()
      .meta({
        description: 'What the session is for, to find it in the list; at most 100 characters',
        examples: ['Tablet at the entrance'],
      }),
  })
  .refine(({ role, scopes }) => (role === undefined) !== (scopes === undefined), {
    message: 'must be given, or scopes instead, but not both',
    path: ['role'],
  });

export const loginCode = z
  .strictObject({
    id: id(),
    code: z.string().meta({ description: 'The code; only this answer shows it, and it works once' }),
    path: z.string().meta({
      description:
        'Path of the page that takes the code, below the address of the service; for a link or QR code',
    }),
    expiresAt: timestamp().meta({ description: 'Five minutes after it was made' }),
  })
  .meta({ id: 'LoginCode' });

export const setup = z.strictObject({
  needed: z.literal(true).meta({ description: 'Always true; where there is a user, the answer is 404' }),
});

export const setUpBody = z.strictObject({
  code: code.meta({
    description: 'The code that the API prints in its terminal when it starts without a user',
    examples: ['k7m2p-9xwqr-4tn8v-hj3fz-b6cde'],
  }),
  email,
  password: newPassword,
  name: nameText(1, 100)
    .nullable()
    .optional()
    .meta({ description: 'Name of the person; at most 100 characters' }),
  timezone: timezone
    .nullable()
    .optional()
    .meta({ description: 'IANA time zone that the user prefers, like Europe/Berlin' }),
});
export type SetUp = z.output<typeof setUpBody>;
