import type { Context } from '../platform/context.ts';
import { removeOldEntries } from './audit.store.ts';

/** Removes entries after AUDIT_RETENTION_DAYS. */
export const removeOldAudit = ({
  config,
  clock,
  db,
}: Pick<Context, 'clock' | 'db'> & {
  readonly config: Pick<Context['config'], 'auditRetentionDays'>;
}): Promise<void> => removeOldEntries(db, clock.now(), config.auditRetentionDays);
