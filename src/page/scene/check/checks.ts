import { api, type Resource } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';

export type Check = Resource<'SceneCheck'>;
export type Opened = Resource<'OpenedCheck'>;
export type Still = Opened['stills'][number];

export interface CheckPlace {
  readonly scene: Resource<'Scene'>;
  /** The camera, or the recording. */
  readonly device: Pick<Resource<'Device'>, 'name'>;
  readonly isRecording: boolean;
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

/** In how many percent a check with stills is right within one person, or one of times counts visits right; null without a result. */
export function shareOf({ result, times }: Pick<Check, 'result' | 'times'>) {
  const visits = times?.waiting ?? times?.served;
  if (times) return visits && visits.marked > 0 ? visits.f1Percent : null;
  return figuresOf({ result })?.withinOnePercent ?? null;
}

/** The figures in which a check is told in one line: of those who wait, or where nobody can, of those who are served. */
export const figuresOf = (check: Pick<Check, 'result'>) =>
  check.result?.waiting ?? check.result?.served ?? null;

/** The zones in which the scene counts. */
export const modesOf = ({ queueZone, checkoutZone, tills }: Opened['zones']) => ({
  waiting: queueZone !== undefined,
  served: checkoutZone !== undefined || (tills?.length ?? 0) > 0,
});
