import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { everyEntry, listEntries } from './audit.store.ts';
import { presentEntry, presentRow } from './present.ts';
import { ACTION_LIST, adminAuditQuery, auditEntry, auditQuery, auditRow } from './schema.ts';

const description = `Entries are only added: no call changes or removes one. They are kept for AUDIT_RETENTION_DAYS. Actions:

${ACTION_LIST}`;

export const auditRoutes = [
  route({
    name: 'listAuditEntries',
    method: 'get',
    path: '/audit',
    scope: 'key:manage',
    summary: 'List who did what with the account and who looked at its pictures, newest first',
    description,
    query: auditQuery,
    paging: 'A',
    response: auditEntry,
    csvRow: auditRow,
    errors: ['INVALID_DATE_RANGE'],
  }).answers({
    handler: async ({ context, caller, query }) =>
      mapPage(await listEntries(context.db, { ...query, userId: caller.userId }), presentEntry),
    async *csv({ context, caller, query }) {
      for await (const row of everyEntry(context.db, { ...query, userId: caller.userId }))
        yield presentRow(row);
    },
  }),

  route({
    name: 'listAllAuditEntries',
    method: 'get',
    path: '/admin/audit',
    scope: 'admin',
    summary: 'List the audit log of all users, newest first',
    description,
    query: adminAuditQuery,
    paging: 'A',
    response: auditEntry,
    csvRow: auditRow,
    errors: ['INVALID_DATE_RANGE'],
  }).answers({
    handler: async ({ context, query }) => mapPage(await listEntries(context.db, query), presentEntry),
    async *csv({ context, query }) {
      for await (const row of everyEntry(context.db, query)) yield presentRow(row);
    },
  }),
];
