import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useText } from '../text/text.ts';

/** Names of what entries of the audit log are about, by id. What is gone has no name. */
export interface Names {
  readonly users: ReadonlyMap<string, string>;
  readonly actors: ReadonlyMap<string, string>;
  readonly targets: ReadonlyMap<string, string>;
}

const LIMIT = { params: { query: { limit: 100 } } } as const;
const KEEP = { staleTime: 60_000 };

/** Reads one page of each list: an entry about anything else shows its sentence without a name. */
export function useNames(isOfAll: boolean): Names {
  const t = useText('privacy').audit;
  const { may } = useSession();
  const own = { ...KEEP, enabled: !isOfAll };
  const users = useCall(['names', 'users'], () => api.GET('/admin/users', LIMIT), {
    ...KEEP,
    enabled: isOfAll,
  });
  const keys = useCall(['names', 'keys'], () => api.GET('/api-keys', LIMIT), own);
  const sessions = useCall(['names', 'sessions'], () => api.GET('/sessions', LIMIT), own);
  const devices = useCall(['names', 'devices'], () => api.GET('/devices', LIMIT), {
    ...own,
    enabled: !isOfAll && may('device:read'),
  });
  const emails = (users.data ?? []).map(({ id, email }) => [id, email] as const);
  const keyNames = (keys.data ?? []).map(({ id, name }) => [id, name] as const);
  const sessionNames = (sessions.data ?? []).flatMap(({ id, label, isCurrent }) => {
    if (isCurrent) return [[id, t.thisSession] as const];
    return label === null ? [] : [[id, t.sessionOf(label)] as const];
  });
  const deviceNames = (devices.data ?? []).map(({ id, name }) => [id, name] as const);
  return {
    users: new Map(emails),
    actors: new Map([
      ...emails,
      ...keyNames.map(([id, name]) => [id, t.keyOf(name)] as const),
      ...sessionNames,
    ]),
    targets: new Map([...deviceNames, ...keyNames]),
  };
}
