import { ApiError } from './errors.ts';

/** What an API key may be allowed to do, and what each scope opens. */
export const SCOPES = {
  'analytics:read': 'read insights, search, attributes, analytics, alert events and their statistics',
  'scene:read': 'read scenes',
  'scene:write': 'create, change and delete scenes',
  'device:read': 'read devices and their current picture',
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
  admin: 'administer users, quotas and compute nodes; given on the command line only',
} as const;

export type Scope = keyof typeof SCOPES;

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** Who sends a request. */
export interface Caller {
  readonly userId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** @returns null for a missing, malformed, unknown, revoked or expired key alike */
export type Authenticate = (authorization: string | undefined) => Promise<Caller | null>;

/** @throws ApiError INSUFFICIENT_SCOPE */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return;
  throw new ApiError('INSUFFICIENT_SCOPE', `This API key lacks the scope ${scope}`);
}
