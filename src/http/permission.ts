import { ApiError } from './errors.ts';

/** The scopes of API keys and what each allows. */
export const SCOPES = {
  'analytics:read': 'read insights, search, attributes, analytics, alert events and their statistics',
  'scene:read': 'read scenes',
  'scene:write': 'create, change and delete scenes',
  'device:read': 'read devices and their current image',
  'device:write': 'create, change and delete devices',
  'analysis:control': 'start and stop analysis',
  TASK_READ: 'read analysis status, history and tasks',
  TASK_WRITE: 'cancel and delete tasks',
  'alert:read': 'read metrics and alert rules',
  'alert:write': 'create, change and delete alert rules, delete alert events',
  'billing:read': 'read billing and usage',
  'webhook:read': 'read the webhook’s configuration and deliveries',
  'webhook:write': 'change and test the webhook, read its secret',
  'key:manage': 'create, list and revoke API keys',
  admin: 'administer users, quotas and compute nodes; granted on the command line only',
} as const;

export type Scope = keyof typeof SCOPES;

/** What a route requires: a scope, any one of several scopes, or null for no API key. */
export type Access = Scope | readonly Scope[] | null;

export const scopesOf = (access: Access): readonly Scope[] => (access === null ? [] : [access].flat());

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** The authenticated sender of a request. */
export interface Caller {
  readonly userId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * @param beforeLookUp called before a key that is not in the cache is read from the database; an error that it throws is
 *   passed on, and the database is not queried
 * @returns null if the key is missing, malformed, unknown, revoked or expired
 */
export type Authenticate = (
  authorization: string | undefined,
  beforeLookUp?: () => Promise<void>,
) => Promise<Caller | null>;

export const mayOpen = (caller: Caller, access: Access): boolean =>
  access === null || scopesOf(access).some((scope) => caller.scopes.has(scope));

/** @throws ApiError INSUFFICIENT_SCOPE */
export function requireScope(caller: Caller, access: Access): void {
  if (mayOpen(caller, access)) return;
  const wanted = scopesOf(access).join(' or ');
  throw new ApiError('INSUFFICIENT_SCOPE', `This API key does not have the scope ${wanted}`);
}
