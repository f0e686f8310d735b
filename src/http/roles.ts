import { isScope, SCOPES, type Scope } from './permission.ts';

const VIEWER: readonly Scope[] = ['analytics:read', 'scene:read', 'device:read', 'TASK_READ', 'alert:read'];
const MANAGER: readonly Scope[] = [...VIEWER, 'alert:write', 'analysis:control'];
const INTEGRATOR: readonly Scope[] = [
  ...MANAGER,
  ...(['scene:write', 'device:write', 'TASK_WRITE', 'webhook:read', 'webhook:write'] as const),
];

/** Every scope, in the order of the list. */
export const EVERY_SCOPE: readonly Scope[] = Object.keys(SCOPES).filter(isScope);

interface RoleMeaning {
  readonly who: string;
  readonly scopes: readonly Scope[];
}

/** The roles of sessions: who each is for, and its scopes. A session of an administrator can have `admin` in addition. */
const MEANINGS = {
  viewer: { who: 'looks at numbers and pictures; also for screens', scopes: VIEWER },
  manager: { who: 'runs a shop: also alert rules, and start and stop', scopes: MANAGER },
  integrator: {
    who: 'sets cameras up: also devices, scenes and the webhook',
    scopes: INTEGRATOR,
  },
  owner: {
    who: 'owns the account: also billing, keys and sessions',
    scopes: EVERY_SCOPE.filter((scope) => scope !== 'admin'),
  },
} satisfies Record<string, RoleMeaning>;

export type Role = keyof typeof MEANINGS;
export const ROLES: Readonly<Record<Role, RoleMeaning>> = MEANINGS;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/** For each scope the roles that have it, as a Markdown table. */
export function rolesTable(): string {
  const rows = EVERY_SCOPE.map((scope) => {
    const cells = ROLE_NAMES.map((role) => {
      if (role === 'owner' && scope === 'admin') return 'administrators';
      return ROLES[role].scopes.includes(scope) ? '✓' : '';
    });
    return `| \`${scope}\` | ${cells.join(' | ')} | ${SCOPES[scope]} |`;
  });
  const heads = `| scope | ${ROLE_NAMES.join(' | ')} | allows |`;
  return [heads, `|---|${ROLE_NAMES.map(() => '---|').join('')}---|`, ...rows].join('\n');
}
