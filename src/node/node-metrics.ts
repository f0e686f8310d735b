import type { Prometheus, Series } from '../platform/prometheus.ts';
import type { CameraNumbers } from '../recording/cameras/camera-numbers.ts';

/** A node as Prometheus sees it. */
export interface NodeNumbers {
  readonly maxCameras: number;
  /** Why it is overloaded; null while it is not. */
  readonly overload: string | null;
  readonly cameras: readonly CameraNumbers[];
}

type OfCamera = readonly [help: string, value: (camera: CameraNumbers) => number | undefined];

/** Counters begin anew with each lane, as Prometheus expects of a process. */
const COUNTERS: Readonly<Record<string, OfCamera>> = {
  camera_frames_processed_total: ['Frames that were analysed', ({ stats }) => stats?.processedFrames],
  camera_frames_dropped_total: [
    'Frames that newer ones had overtaken, or that an overloaded lane left out',
    ({ stats }) => stats?.droppedFrames,
  ],
  camera_frames_delivered_total: [
    'Frames that came from the camera, at the wanted rate at most',
    ({ stats }) => stats?.deliveredFrames,
  ],
  camera_stream_restarts_total: ['Times the stream was opened again', ({ stats }) => stats?.restarts],
};
const GAUGES: Readonly<Record<string, OfCamera>> = {
  camera_frames_per_second: [
    'Frames analysed a second, lately',
    ({ stats, hasFault }) => (hasFault ? 0 : stats?.fps),
  ],
  camera_wanted_frames_per_second: ['Frames a second to be analysed', ({ requestedFps }) => requestedFps],
  camera_lag_seconds: [
    'From the arrival of a frame until it is analysed, lately',
    ({ stats }) => (stats === null ? undefined : stats.lagMs / 1000),
  ],
  camera_overloaded: [
    '1 while its node does not keep up with it',
    ({ isOverloaded }) => Number(isOverloaded),
  ],
  camera_fault: ['1 while its pictures cannot be analysed', ({ hasFault }) => Number(hasFault)],
};

/**
 * Tells Prometheus of a node and its cameras, as they are at each scrape. There is a series for each camera and run that it
 * holds then: what has ended is gone from the next scrape on.
 * @param read null while there is no node
 */
export function watchNode(prometheus: Pick<Prometheus, 'watchSeries'>, read: () => NodeNumbers | null): void {
  const cameras = () => read()?.cameras ?? [];
  const ofNode = (name: string, help: string, value: (node: NodeNumbers) => number) =>
    prometheus.watchSeries({ kind: 'gauge', name, help, labelNames: [] }, () => {
      const node = read();
      return node ? [{ labels: {}, value: value(node) }] : [];
    });
  ofNode('node_cameras', 'Cameras that this node streams', (node) => node.cameras.length);
  ofNode('node_max_cameras', 'Cameras that it takes at once', ({ maxCameras }) => maxCameras);
  ofNode('node_overloaded', '1 while it does not keep up with its cameras', (node) =>
    Number(node.overload !== null),
  );
  for (const [kind, all] of [
    ['counter', COUNTERS],
    ['gauge', GAUGES],
  ] as const) {
    for (const [name, [help, value]] of Object.entries(all)) {
      prometheus.watchSeries({ kind, name, help, labelNames: ['device_id'] }, () =>
        cameras().flatMap((camera): Series[] => {
          const now = value(camera);
          return now === undefined ? [] : [{ labels: { device_id: camera.deviceId }, value: now }];
        }),
      );
    }
  }
  prometheus.watchSeries(
    {
      kind: 'gauge',
      name: 'analysis_run_info',
      help: 'Runs that this node holds: which scene and camera they are of',
      labelNames: ['run_id', 'scene_id', 'device_id'],
    },
    () =>
      cameras().flatMap(({ deviceId, runs }) =>
        runs.map(({ id, sceneId }) => ({
          labels: { run_id: id, scene_id: sceneId, device_id: deviceId },
          value: 1,
        })),
      ),
  );
}
