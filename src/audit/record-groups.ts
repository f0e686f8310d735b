import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../platform/database/db.ts';
import { type AuditNote, recordAudit } from './record-audit.ts';

interface Groups {
  readonly attributeGroups: readonly string[];
}

/** Records that sensitive attributes of an account, device or recording were switched on or off, if they were. */
export async function recordGroups(
  tx: Tx,
  [before, after]: readonly [Groups, Groups],
  note: Omit<AuditNote, 'action' | 'details'>,
): Promise<void> {
  const { attributeGroups: groups } = after;
  if (isDeepStrictEqual(before.attributeGroups, groups)) return;
  await recordAudit(tx, { ...note, action: 'attribute_groups_changed', details: { groups } });
}
