import { invalidField } from '../../http/errors.ts';
import { type Caller, isScope, requireScope, type Scope } from '../../http/permission.ts';
import { ROLES, type Role } from '../../http/roles.ts';

/** What a session may do. */
export interface Grant {
  readonly role: Role | null;
  /** Scopes in addition to those of the role, or all scopes where there is no role. */
  readonly scopes: readonly string[];
}

/** What somebody may do who knows the password of the user. */
export const WHOLE_ACCOUNT: Grant = { role: 'owner', scopes: ['admin'] };

/** The scopes of a session. Nobody but an administrator has `admin`, whatever is stored. */
export function scopesOfGrant({ role, scopes }: Grant, isAdmin: boolean): Set<Scope> {
  const all = [...(role ? ROLES[role].scopes : []), ...scopes.filter(isScope)];
  return new Set(all.filter((scope) => isAdmin || scope !== 'admin'));
}

/** These scopes make further keys and sessions, or reach other users: a display on a wall has none of them. */
const NOT_FOR_SCREENS: readonly Scope[] = ['key:manage', 'admin'];

export interface WantedGrant {
  readonly kind: 'person' | 'screen';
  readonly role?: Role | undefined;
  readonly scopes?: readonly Scope[] | undefined;
}

/**
 * The grant of a code that a caller makes: never more than the caller has.
 * @throws ApiError INSUFFICIENT_SCOPE, VALIDATION_ERROR
 */
export function grantOf(caller: Caller, { kind, role, scopes = [] }: WantedGrant): Grant {
  const all = role ? ROLES[role].scopes : scopes;
  for (const scope of all) requireScope(caller, scope);
  const tooMuch = kind === 'screen' && NOT_FOR_SCREENS.find((scope) => all.includes(scope));
  if (tooMuch) {
    throw invalidField(
      role ? 'role' : 'scopes',
      `a screen cannot have the scope ${tooMuch}: anybody in front of it could use it; take the role viewer`,
    );
  }
  if (!role) return { role: null, scopes };
  const isWhole = role === 'owner' && caller.scopes.has('admin');
  return { role, scopes: isWhole ? WHOLE_ACCOUNT.scopes : [] };
}
