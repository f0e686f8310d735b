import { ApiFailure, api, type Resource } from '../api/client.ts';
import { useCall, useList } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { browserZone } from '../kit/time.ts';
import { type SceneState, sceneState } from './scene-state.ts';

/** A scene of a camera, or of a recording. */
export type Place =
  | {
      readonly kind: 'camera';
      readonly device: Resource<'Device'>;
      readonly state: SceneState;
      readonly error: string | null;
    }
  | { readonly kind: 'recording'; readonly recording: Resource<'Recording'> | null };

const POLL_MS = 5_000;

/** What the screen of a scene shows beside live numbers. A camera is asked for first; a recording has none. */
export function useSceneNow(sceneId: string) {
  const session = useSession();
  const scene = useCall(
    ['scene', sceneId],
    () => api.GET('/scenes/{id}', { params: { path: { id: sceneId } } }),
    {
      refetchInterval: POLL_MS,
    },
  );
  const deviceId = scene.data?.deviceId;
  const path = { id: deviceId ?? '' };
  const device = useCall(['device', deviceId], () => api.GET('/devices/{id}', { params: { path } }), {
    enabled: deviceId !== undefined,
    refetchInterval: ({ state }) => (isAbsent(state.error) ? false : POLL_MS),
  });
  const isRecording = isAbsent(device.error);
  const isOpen = scene.data !== undefined && !['idle', 'stopped'].includes(scene.data.analysisStatus);
  const status = useCall(
    ['analysis', deviceId],
    () => api.GET('/devices/{id}/analysis/status', { params: { path } }),
    { enabled: device.data !== undefined && isOpen && session.may('TASK_READ'), refetchInterval: POLL_MS },
  );
  const history = useList(
    ['analysis', deviceId, 'last'],
    () => api.GET('/devices/{id}/analysis/history', { params: { path, query: { limit: 1 } } }),
    {
      enabled:
        scene.data?.analysisStatus === 'error' && device.data !== undefined && session.may('TASK_READ'),
    },
  );
  const recordings = useList(
    ['recordings', 'all'],
    () => api.GET('/recordings', { params: { query: { limit: 100 } } }),
    { enabled: isRecording },
  );
  const run = status.data?.devices[0]?.scenes.find((each) => each.sceneId === sceneId);
  const place = ((): Place | null => {
    if (!scene.data) return null;
    if (device.data) {
      const { fault, onlineStatus, isDisabled } = device.data;
      const { analysisStatus } = scene.data;
      const hasFault = fault !== null;
      const state = sceneState({
        analysisStatus,
        waitingFor: run?.waitingFor,
        hasFault,
        onlineStatus,
        isDisabled,
      });
      return { kind: 'camera', device: device.data, state, error: history.items[0]?.errorMessage ?? null };
    }
    if (!isRecording || recordings.isPending) return null;
    return {
      kind: 'recording',
      recording: recordings.items.find((each) => each.sceneId === sceneId) ?? null,
    };
  })();
  const timezone =
    (place?.kind === 'camera' ? place.device.timezone : place?.recording?.timezone) ??
    session.user.timezone ??
    browserZone();
  return { scene, place, timezone, error: scene.error ?? (isRecording ? recordings.error : device.error) };
}

const isAbsent = (error: Error | null): boolean => error instanceof ApiFailure && error.status === 404;
