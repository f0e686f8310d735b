import { api, type Resource } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';

export type Check = Resource<'SceneCheck'>;
export type Opened = Resource<'OpenedCheck'>;
export type Still = Opened['stills'][number];

export interface CheckPlace {
  readonly scene: Resource<'Scene'>;
  readonly device: Pick<Resource<'Device'>, 'name'>;
  /** Whether the camera is being analysed. */
  readonly isLive: boolean;
  readonly timezone: string;
}

/** A check that collects has a new still every some minutes. */
const READ_AGAIN_MS = 10_000;

export const checksKey = (sceneId: string) => ['checks', sceneId] as const;
export const checkKey = (id: string) => ['check', id] as const;

/** The checks of a scene, newest first. */
export const useChecks = (sceneId: string) =>
  useCall<readonly Check[]>(
    checksKey(sceneId),
    () => api.GET('/scenes/{id}/checks', { params: { path: { id: sceneId }, query: { limit: 50 } } }),
    {
      refetchInterval: ({ state }) =>
        state.data?.some(({ status }) => status === 'collecting') ? READ_AGAIN_MS : false,
    },
  );

/** The figures in which a check is told in one line: of those who wait, or where nobody can, of those who are served. */
export const figuresOf = (check: Pick<Check, 'result'>) =>
  check.result?.waiting ?? check.result?.served ?? null;

/** The zones in which the scene counts. */
export const modesOf = ({ queueZone, checkoutZone, tills }: Opened['zones']) => ({
  waiting: queueZone !== undefined,
  served: checkoutZone !== undefined || (tills?.length ?? 0) > 0,
});
