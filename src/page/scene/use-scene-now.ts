import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api, type Resource } from '../api/client.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { live, onGap, onStoredEvent, useScene } from '../api/live-store.ts';
import { useCall, useList } from '../api/query.ts';
import type { RunStats } from '../api/run-stats.ts';
import { useSession } from '../api/session.tsx';
import { browserZone } from '../kit/time.ts';
import { type SceneState, sceneState } from './scene-state.ts';
import type { Numbers } from './tills-shown.ts';

export type Part = NonNullable<RunStats['analysedRegion']>;

/** A scene of a camera, or of a recording. */
export type Place =
  | {
      readonly kind: 'camera';
      readonly device: Resource<'Device'>;
      readonly state: SceneState;
      readonly error: string | null;
      /** The part of the picture that is analysed; null where it is all, or not known. */
      readonly part: Part | null;
      /** Of the run; null where none is known. */
      readonly stats: RunStats | null;
    }
  | { readonly kind: 'recording'; readonly recording: Resource<'Recording'> | null };

/** How often the API is asked without the event stream, and with it, which says what changes. */
const [POLL_MS, SLOW_POLL_MS] = [5_000, 30_000];

/** What the screen of a scene shows beside live numbers: its camera with its run, or its recording. */
export function useSceneNow(sceneId: string) {
  const session = useSession();
  const now = useScene(sceneId);
  const isStreamed = useSyncExternalStore(live.subscribe, () => live.get().isOpen);
  const pollMs = isStreamed ? SLOW_POLL_MS : POLL_MS;
  const scene = useCall(
    ['scene', sceneId],
    () => api.GET('/scenes/{id}', { params: { path: { id: sceneId } } }),
    {
      refetchInterval: pollMs,
    },
  );
  const deviceId = scene.data?.deviceId;
  const recordingId = scene.data?.recordingId ?? null;
  const path = { id: deviceId ?? '' };
  const device = useCall(['device', deviceId], () => api.GET('/devices/{id}', { params: { path } }), {
    enabled: deviceId !== undefined && recordingId === null,
    refetchInterval: pollMs,
  });
  useChanges(sceneId, deviceId);
  const isOpen = scene.data !== undefined && !['idle', 'stopped'].includes(scene.data.analysisStatus);
  const status = useCall(
    ['analysis', deviceId],
    () => api.GET('/devices/{id}/analysis/status', { params: { path } }),
    { enabled: device.data !== undefined && isOpen && session.may('TASK_READ'), refetchInterval: pollMs },
  );
  const history = useList(
    ['analysis', deviceId, 'last'],
    () => api.GET('/devices/{id}/analysis/history', { params: { path, query: { limit: 1 } } }),
    {
      enabled:
        scene.data?.analysisStatus === 'error' && device.data !== undefined && session.may('TASK_READ'),
    },
  );
  const recording = useCall(
    ['recordings', 'one', recordingId],
    () => api.GET('/recordings/{id}', { params: { path: { id: recordingId ?? '' } } }),
    { enabled: recordingId !== null },
  );
  const run = status.data?.devices[0]?.scenes.find((each) => each.sceneId === sceneId);
  const place = ((): Place | null => {
    if (!scene.data) return null;
    if (device.data) {
      const { onlineStatus, isDisabled } = device.data;
      const fault = isStreamed && now ? now.fault : device.data.fault;
      const { analysisStatus } = scene.data;
      const hasFault = fault !== null;
      const state = sceneState({
        analysisStatus,
        waitingFor: run?.waitingFor,
        hasFault,
        onlineStatus,
        isDisabled,
      });
      return {
        kind: 'camera',
        device: { ...device.data, fault },
        state,
        error: history.items[0]?.errorMessage ?? null,
        part: partOf(run?.stats),
        stats: run?.stats ?? null,
      };
    }
    if (recordingId === null || recording.isPending) return null;
    return { kind: 'recording', recording: recording.data ?? null };
  })();
  const timezone =
    (place?.kind === 'camera' ? place.device.timezone : place?.recording?.timezone) ??
    session.user.timezone ??
    browserZone();
  const numbers = scene.data && newestNumbers(scene.data, now);
  return {
    scene,
    numbers,
    place,
    timezone,
    error: scene.error ?? (recordingId === null ? device.error : recording.error),
  };
}

const partOf = (stats: RunStats | undefined): Part | null => {
  const part = stats?.analysedRegion ?? null;
  return part && part.width * part.height < 1 ? part : null;
};

/** Those of the event stream where they are newer than those that were read. */
function newestNumbers(
  { latestMetrics, metricsUpdatedAt }: Resource<'Scene'>,
  now: LiveScene | undefined,
): Numbers {
  const metrics = latestMetrics as Numbers['metrics'];
  const isNewer =
    now?.updatedAt && metricsUpdatedAt && Date.parse(now.updatedAt) > Date.parse(metricsUpdatedAt);
  if (!isNewer || !now.current || !metrics) return { metrics, updatedAt: metricsUpdatedAt };
  return {
    metrics: { ...metrics, current: now.current, tills: [...now.tills] },
    updatedAt: now.updatedAt,
  };
}

/** Reads again what an event says has changed. */
function useChanges(sceneId: string, deviceId: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    const readAgain = () =>
      Promise.all(
        [
          ['scene', sceneId],
          ['device', deviceId],
          ['analysis', deviceId],
          ['insights', 'newest', sceneId],
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    const ends = [onGap(() => void readAgain()), onStoredEvent(() => void readAgain())];
    return () => {
      for (const end of ends) end();
    };
  }, [client, sceneId, deviceId]);
}
