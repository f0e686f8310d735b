import { api, type Resource } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';

/** A camera has few scenes; the API gives so many at once. */
const MOST = 100;

export type ListedScene = Resource<'SceneListItem'>;

/** The scenes of a camera, oldest first. */
export function useScenes(deviceId: string, refetchInterval: number | false = false) {
  return useCall(
    ['scenes', deviceId, 'all'],
    () => api.GET('/scenes', { params: { query: { deviceId, limit: MOST } } }),
    { refetchInterval, select: (scenes) => scenes.toReversed() },
  );
}
