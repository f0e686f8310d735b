import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import type { FeetOfHour } from './zones/last-hour.tsx';

/** The service stores it once a minute. */
const EVERY_MS = 60_000;

/**
 * Where the feet of people were in the last hour of a scene; null while that is not known.
 * @param sceneId null for a scene that is not stored yet
 */
export function useFeet(sceneId: string | null): FeetOfHour | null {
  const mayRead = useSession().may('analytics:read');
  const feet = useCall(
    ['feet', sceneId],
    sceneId !== null && (() => api.GET('/analytics/scenes/{id}/feet', { params: { path: { id: sceneId } } })),
    { enabled: mayRead, refetchInterval: EVERY_MS },
  );
  return feet.data ?? null;
}
