import type { AuditActor } from '../platform/prisma-client/enums.ts';
import type { AuditAction } from './catalogue.ts';

/** Who did it. */
export interface Actor {
  readonly kind: AuditActor;
  /** Of the session or key; of an administrator the user; null for others. */
  readonly id: string | null;
  readonly networkAddress: string | null;
}

/** What was done, and with whose account or data. */
export interface AuditNote {
  readonly userId: string;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** What it was done with, for example `{ kind: 'device', id }`. */
  readonly target?: { readonly kind: string; readonly id: string } | undefined;
  /** A few plain values, without secrets. */
  readonly details?: Readonly<Record<string, AuditValue>> | undefined;
  readonly at: Date;
}

export type AuditValue = string | number | boolean | null | readonly string[];
