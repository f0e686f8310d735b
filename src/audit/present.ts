import type { z } from 'zod';
import type { AuditEntry } from './audit.store.ts';
import { type auditEntry, type auditRow, storedDetails } from './schema.ts';

/** An entry as the API shows it. */
export const presentEntry = (row: AuditEntry): z.input<typeof auditEntry> => ({
  id: row.id,
  at: row.at.toISOString(),
  userId: row.userId,
  action: row.action,
  actor: { kind: row.actorKind, id: row.actorId, networkAddress: row.networkAddress },
  target:
    row.targetKind !== null && row.targetId !== null ? { kind: row.targetKind, id: row.targetId } : null,
  details: storedDetails.parse(row.details),
});

/** An entry as a row of the CSV. */
export const presentRow = (row: AuditEntry): z.input<typeof auditRow> => ({
  id: row.id,
  at: row.at.toISOString(),
  userId: row.userId,
  action: row.action,
  actorKind: row.actorKind,
  actorId: row.actorId,
  networkAddress: row.networkAddress,
  targetKind: row.targetKind,
  targetId: row.targetId,
  details: JSON.stringify(row.details),
});
