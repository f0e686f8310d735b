import type { Db } from '../../platform/database/db.ts';
import { UNITS } from '../features.ts';
import {
  type AuditedUser,
  type CounterFault,
  counterFaults,
  countUsers,
  everyUser,
  type RowFault,
  rowFaults,
} from './audit.store.ts';

/** A counter, ledger row or usage event that does not match the others. */
export interface Difference {
  readonly userId: string;
  readonly email: string;
  readonly scope: 'user' | 'device';
  readonly scopeId: string;
  readonly period: string;
  readonly feature: string;
  readonly message: string;
}

export interface AuditOptions {
  /** Audits only this user. */
  readonly email?: string | undefined;
  /** Called after each user. */
  readonly onUser?: (done: number, total: number) => void;
}

const USER_MS = 30 * 60_000;

/**
 * Recomputes every counter from the ledger, the usage events and the daily sums, and looks for ledger rows without a
 * usage event and usage events without a ledger row. Each user is read in one snapshot of the database, so charges may
 * go on meanwhile.
 * @throws Error when there is no user with this email
 */
export async function auditLedger(
  db: Db,
  { email, onUser }: AuditOptions = {},
): Promise<{ users: number; differences: Difference[] }> {
  const total = await countUsers(db, email);
  if (email !== undefined && total === 0) throw new Error(`There is no user "${email}".`);
  const differences: Difference[] = [];
  let users = 0;
  for await (const user of everyUser(db, email)) {
    differences.push(...(await auditUser(db, user)));
    users += 1;
    onUser?.(users, total);
  }
  return { users, differences };
}

async function auditUser(db: Db, { id: userId, email }: AuditedUser): Promise<Difference[]> {
  const [counters, rows] = await db.$transaction(
    async (tx) => [await counterFaults(tx, userId), await rowFaults(tx, userId)] as const,
    { isolationLevel: 'RepeatableRead', timeout: USER_MS },
  );
  const about = ({ scope, scopeId, period, feature }: CounterFault | RowFault) => ({
    ...{ userId, email, scope, scopeId, period, feature },
  });
  return [
    ...counters.flatMap((fault) => messagesOf(fault).map((message) => ({ ...about(fault), message }))),
    ...rows.map((fault) => ({ ...about(fault), message: explain(fault) })),
  ];
}

function messagesOf({ feature, used, balance, ledger, events, days }: CounterFault): string[] {
  const unit = UNITS[feature];
  if (used === null) {
    return [`used ${events} ${unit} by its events and ${days} by its days, but there is no counter`];
  }
  const faults: string[] = [];
  if (balance !== ledger) faults.push(`the counter has ${balance} ${unit} left, its ledger says ${ledger}`);
  if (used !== events) faults.push(`the counter used ${used} ${unit}, its events say ${events}`);
  if (used !== days) faults.push(`the counter used ${used} ${unit}, its days say ${days}`);
  return faults;
}

function explain({ fault, sourceId, amount }: RowFault): string {
  const what = `“${sourceId}” of ${amount}`;
  if (fault === 'noEvent') return `ledger row ${what}: no usage event says so`;
  if (fault === 'noLedgerRow') return `usage event ${what}: no ledger row charges it`;
  return `usage event ${what}: it did not happen in this month`;
}
