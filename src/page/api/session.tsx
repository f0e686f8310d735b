import { createContext, type ReactNode, useContext } from 'react';
import type { Resource } from './client.ts';

export type SignedIn = Resource<'SignedIn'>;

/** Scopes of the API; `<Can scope="alert:write">` shows its children only to who may do that. */
export type Scope =
  | 'analytics:read'
  | 'scene:read'
  | 'scene:write'
  | 'device:read'
  | 'device:write'
  | 'analysis:control'
  | 'TASK_READ'
  | 'TASK_WRITE'
  | 'alert:read'
  | 'alert:write'
  | 'billing:read'
  | 'webhook:read'
  | 'webhook:write'
  | 'key:manage'
  | 'admin';

export interface Session {
  readonly user: SignedIn['user'];
  readonly session: SignedIn['session'];
  readonly scopes: ReadonlySet<string>;
  /** Whether the session may do all of this. */
  may(...scopes: readonly Scope[]): boolean;
}

export function sessionOf({ user, session, scopes }: SignedIn): Session {
  const all = new Set(scopes);
  return { user, session, scopes: all, may: (...wanted) => wanted.every((scope) => all.has(scope)) };
}

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only below the shell, where somebody is. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('Nobody is signed in here');
  return session;
}

interface CanProps {
  readonly scope: Scope | readonly Scope[];
  readonly children: ReactNode;
  /** Shown instead. */
  readonly otherwise?: ReactNode;
}

export function Can({ scope, children, otherwise = null }: CanProps) {
  return useSession().may(...[scope].flat()) ? children : otherwise;
}
