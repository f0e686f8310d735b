import { z } from 'zod';
import { id, text, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { AuditActor } from '../platform/prisma-client/enums.ts';
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from './catalogue.ts';

const meanings = Object.entries(AUDIT_ACTIONS).map(([name, meaning]) => `- \`${name}\`: ${meaning}`);

/** The actions for the documentation. */
export const ACTION_LIST = meanings.join('\n');

const filters = {
  action: z.enum(AUDIT_ACTION_NAMES).optional().meta({ description: 'Only entries of this action' }),
  actorId: id().optional().meta({ description: 'Only entries of this session, API key or administrator' }),
  targetId: text(1, 100)
    .optional()
    .meta({ description: 'Only entries about this device, key or other resource' }),
  from: time().optional().meta({ description: 'Start of the range, included' }),
  to: time().optional().meta({ description: 'End of the range, not included' }),
  ...pageFields(),
};

function ordered(
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  context: z.RefinementCtx,
): void {
  if (!from || !to || from <= to) return;
  const params = { code: 'INVALID_DATE_RANGE' };
  context.addIssue({
    code: 'custom',
    path: ['from'],
    message: `must not lie after to, ${to.toISOString()}`,
    params,
  });
}

export const auditQuery = z.object(filters).superRefine(ordered);

export const adminAuditQuery = z
  .object({ userId: id().optional().meta({ description: 'Only entries of this user' }), ...filters })
  .superRefine(ordered);

const actorKind = z.enum(AuditActor).meta({
  description:
    '`session` or `key`: of the user; `administrator`: a user with the scope admin; `address`: somebody with neither, at a network address; `operator`: the command line; `system`: the service by itself',
});
const actorId = id()
  .nullable()
  .meta({ description: 'Id of the session, API key or administrator; null for others' });
const targetKind = z.string().nullable().meta({
  description: 'What it was done with, for example `device` or `api_key`; null for the account itself',
});
const targetId = z.string().nullable().meta({ description: 'Id of that resource' });
const networkAddress = z
  .string()
  .nullable()
  .meta({ description: 'Network address of the client; null where there is none' });
const action = z.string().meta({ description: 'What was done, a name of the list of actions' });

export const storedDetails = z.record(z.string(), z.unknown());

export const auditEntry = z
  .strictObject({
    id: id(),
    at: timestamp().meta({ description: 'When it was done, UTC' }),
    userId: id().meta({ description: 'Whose account or data it was' }),
    action,
    actor: z
      .strictObject({ kind: actorKind, id: actorId, networkAddress })
      .meta({ description: 'Who did it' }),
    target: z
      .strictObject({ kind: z.string().meta({ description: 'Kind of resource' }), id: z.string() })
      .nullable()
      .meta({ description: 'What it was done with, for example a device; null for the account itself' }),
    details: storedDetails.meta({ description: 'More about it, by action; free-form in this schema' }),
  })
  .meta({ id: 'AuditEntry' });

export const auditRow = z.strictObject({
  id: id(),
  at: timestamp(),
  userId: id(),
  action,
  actorKind,
  actorId,
  networkAddress,
  targetKind,
  targetId,
  details: z.string().meta({ description: 'As JSON' }),
});
