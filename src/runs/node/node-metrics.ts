import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { Prometheus, Series } from '../../platform/prometheus.ts';
import type { CameraNumbers } from '../record/cameras/camera-states.ts';
import type { NodeUse } from './capacity/camera-costs.ts';

/** The numbers of a node that Prometheus reads. */
export interface NodeNumbers {
  readonly maxCameras: number;
  /** Why the node is overloaded; null while it is not. */
  readonly overload: NodeReason | null;
  readonly cameras: readonly CameraNumbers[];
}

type CameraMetric = readonly [help: string, value: (camera: CameraNumbers) => number | undefined];

/** They start at 0 with each lane, which Prometheus recognises. */
const COUNTERS: Readonly<Record<string, CameraMetric>> = {
  camera_frames_processed_total: ['Processed frames', ({ stats }) => stats?.processedFrames],
  camera_frames_skipped_total: [
    'Processed frames at which the detector did not look, because nothing had changed',
    ({ stats }) => stats?.skippedFrames,
  ],
  camera_frames_held_total: ['Skipped frames in which people stood still', ({ stats }) => stats?.heldFrames],
  camera_frames_dropped_total: [
    'Frames that were skipped for newer ones, or that an overloaded lane left out',
    ({ stats }) => stats?.droppedFrames,
  ],
  camera_frames_delivered_total: [
    'Frames that arrived from the camera, at most at the requested rate',
    ({ stats }) => stats?.deliveredFrames,
  ],
  camera_stream_restarts_total: ['Restarts of the camera stream', ({ stats }) => stats?.restarts],
};
const GAUGES: Readonly<Record<string, CameraMetric>> = {
  camera_frames_per_second: [
    'Frames analysed per second in the last seconds',
    ({ stats, hasFault }) => (hasFault ? 0 : stats?.fps),
  ],
  camera_wanted_frames_per_second: ['Requested frames per second', ({ requestedFps }) => requestedFps],
  camera_lag_seconds: [
    'Time from the arrival of a frame to its analysis in the last seconds',
    ({ stats }) => (stats === null ? undefined : stats.lagMs / 1000),
  ],
  camera_last_frame_age_seconds: [
    'Time since the last analysed frame',
    ({ frameAgeMs }) => (frameAgeMs === null ? undefined : frameAgeMs / 1000),
  ],
  camera_processing_seconds: [
    'Mean time of the lane for a frame: detection, tracking and visits, without decoding',
    ({ stats }) => (stats === null ? undefined : stats.avgProcessingTimeMs / 1000),
  ],
  camera_decoding_reduced: [
    '1 while some frames of the camera are left out before they are decoded, because the decoder gets too little time',
    ({ stats }) => (stats === null ? undefined : Number(stats.decoding !== 'all')),
  ],
  camera_overloaded: [
    '1 while the node is too slow for the camera',
    ({ isOverloaded }) => Number(isOverloaded),
  ],
  camera_fault: ['1 while the frames of the camera cannot be analysed', ({ hasFault }) => Number(hasFault)],
};

/**
 * Shows a node and its cameras to Prometheus, as they are at each scrape. Cameras and runs that have ended have no series at
 * the next scrape.
 */
export function watchNode(
  prometheus: Pick<Prometheus, 'watchSeries'>,
  read: () => NodeNumbers,
  readUse: () => NodeUse | null,
): void {
  watchProcessor(prometheus, readUse);
  const ofNode = (name: string, help: string, value: (node: NodeNumbers) => number) =>
    prometheus.watchSeries({ kind: 'gauge', name, help, labelNames: [] }, () => [
      { labels: {}, value: value(read()) },
    ]);
  ofNode('node_cameras', 'Cameras that this node streams', (node) => node.cameras.length);
  ofNode('node_max_cameras', 'Cameras that this node takes at most', ({ maxCameras }) => maxCameras);
  ofNode('node_at_capacity', '1 while this node takes no more cameras', (node) =>
    Number(node.overload !== null || node.cameras.length >= node.maxCameras),
  );
  ofNode('node_overloaded', '1 while this node is too slow for its cameras', (node) =>
    Number(node.overload !== null),
  );
  for (const [kind, all] of [
    ['counter', COUNTERS],
    ['gauge', GAUGES],
  ] as const) {
    for (const [name, [help, value]] of Object.entries(all)) {
      prometheus.watchSeries({ kind, name, help, labelNames: ['device_id'] }, () =>
        read().cameras.flatMap((camera): Series[] => {
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
      help: 'The scene and camera of each run of this node',
      labelNames: ['run_id', 'scene_id', 'device_id'],
    },
    () =>
      read().cameras.flatMap(({ deviceId, runs }) =>
        runs.map(({ id, sceneId }) => ({
          labels: { run_id: id, scene_id: sceneId, device_id: deviceId },
          value: 1,
        })),
      ),
  );
}

/** Where the CPU time of a node goes. A lane that was replaced takes its time with it, as a counter that begins anew. */
function watchProcessor(prometheus: Pick<Prometheus, 'watchSeries'>, readUse: () => NodeUse | null): void {
  const help = 'CPU time of the worker, its lanes, and the ffmpegs that decode for them; Linux only';
  prometheus.watchSeries(
    { kind: 'counter', name: 'node_processor_seconds_total', help, labelNames: ['part'] },
    () => {
      const use = readUse();
      if (use === null) return [];
      const { lanes, decoders, all } = use;
      const parts = { worker: all - lanes - decoders, lanes, decoders };
      return Object.entries(parts).map(([part, value]) => ({ labels: { part }, value: Math.max(0, value) }));
    },
  );
}
