import { ApiError } from './errors.ts';

/** The scopes of API keys and sessions, and what each allows. */
export const SCOPES = {
  'analytics:read': 'read insights, search, attributes, analytics, alert events and their statistics',
  'scene:read': 'read scenes',
  'scene:write': 'create, change and delete scenes',
  'device:read': 'read devices, their current image and live pictures',
  'device:write': 'create, change and delete devices',
  'analysis:control': 'start and stop analysis',
  TASK_READ: 'read analysis status, history and tasks',
  TASK_WRITE: 'cancel and delete tasks',
  'alert:read': 'read metrics and alert rules',
  'alert:write':
    'create, change and delete alert rules, acknowledge and delete alert events, set up notifications',
  'billing:read': 'read billing and usage',
  'webhook:read': 'read the webhook’s configuration and deliveries',
  'webhook:write': 'change and test the webhook, read its secret',
  'key:manage':
    'create, list and revoke API keys and sessions, change the account, read the audit log, export and erase data',
  admin:
    'administer users, quotas and compute nodes; only for owner sessions of administrators and for keys made on the command line',
} as const;

export type Scope = keyof typeof SCOPES;

/**
 * What a route requires: a scope, any one of several scopes, `any` for every API key and session, or null for no
 * authentication.
 */
export type Access = Scope | readonly Scope[] | 'any' | null;

export const scopesOf = (access: Access): readonly Scope[] =>
  access === null || access === 'any' ? [] : [access].flat();

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** The authenticated sender of a request. */
export interface Caller {
  readonly userId: string;
  /** Id of the API key or session of the request; limits of one client count by it. */
  readonly credentialId: string;
  /** Null if the request has an API key. */
  readonly sessionId: string | null;
  /** The API key of the request, or the one from which its session comes; null for a session that comes from no key. */
  readonly keyId: string | null;
  readonly scopes: ReadonlySet<Scope>;
}

/** What of a request says who sends it. */
export interface Credentials {
  /** The header Authorization. */
  readonly authorization: string | undefined;
  /** The session cookie; only if there is no header Authorization. */
  readonly session?: string | undefined;
  /** Network address and program of the client; sessions show them. */
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
}

/**
 * @param beforeLookUp called before a key or session that is not in the cache is read from the database; an error that it
 *   throws is passed on, and the database is not queried
 * @returns null if the key or session is missing, malformed, unknown, revoked or expired
 */
export type Authenticate = (
  credentials: Credentials,
  beforeLookUp?: () => Promise<void>,
) => Promise<Caller | null>;

export const mayOpen = (caller: Caller, access: Access): boolean =>
  access === null || access === 'any' || scopesOf(access).some((scope) => caller.scopes.has(scope));

/** @throws ApiError INSUFFICIENT_SCOPE */
export function requireScope(caller: Caller, access: Access): void {
  if (mayOpen(caller, access)) return;
  const wanted = scopesOf(access).join(' or ');
  throw new ApiError('INSUFFICIENT_SCOPE', `This ${wordFor(caller)} does not have the scope ${wanted}`);
}

/** What the request was authenticated with, in words. */
export const wordFor = ({ sessionId }: Pick<Caller, 'sessionId'>): string =>
  sessionId === null ? 'API key' : 'session';
