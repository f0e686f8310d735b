import { footPoint, iou } from '../../../src/vision/geometry.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Box, QueueParameters } from '../../../src/vision/types.ts';
import type { Footage, FootageFrame } from '../footage/footage.ts';
import { toDetection } from '../footage/mot-files.ts';
import type { Tuning } from '../footage/tuning.ts';
import { assign } from '../matching/assign.ts';
import type { Span } from '../matching/spans.ts';
import { type FootPoint, interpolated, stays, type Thresholds, type Trajectory, type Zone } from './dwell.ts';

/** Reports the visits of a zone from the detections of the frames, in milliseconds. */
export type Observer = (zone: Zone) => readonly Span[];

/** The parameters that the evaluation sets. All others have the defaults of the product. */
export type Parameters = Pick<
  QueueParameters,
  'confidenceThreshold' | 'entryThresholdSeconds' | 'exitThresholdSeconds' | 'trackingMaxAgeSeconds'
> & {
  /** Width over height of the frame. */
  readonly aspect?: number;
};

/** The product as a lane runs it. A visit that is still open lasts until the last frame. */
export function product(
  frames: readonly FootageFrame[],
  { aspect, ...parameters }: Parameters,
  tuning: Tuning = {},
): Observer {
  return (zone) => {
    const pipeline = new ScenePipeline({
      ...tuning,
      sceneId: 'evaluated',
      config: {
        zones: { queueZone: { type: 'polygon', points: zone } },
        parameters: { ...parameters, class: 'person' },
      },
    });
    const visits = new Map<number, Span>();
    const lastMs = frames.at(-1)!.timeMs;
    const add = ({ changes }: ReturnType<ScenePipeline['close']>) => {
      for (const { id, queueEnteredAtMs, queueLeftAtMs } of changes) {
        if (queueEnteredAtMs !== null) visits.set(id, [queueEnteredAtMs, queueLeftAtMs ?? lastMs]);
      }
    };
    for (const { detections, timeMs, frame } of frames) {
      add(pipeline.update(detections, timeMs, frame, aspect));
    }
    add(pipeline.close(lastMs));
    return [...visits.values()];
  };
}

/** The tracker of the product with a debounced stay for each of its tracks: the end of a track ends the stay. */
export function plainDwell(
  frames: readonly FootageFrame[],
  parameters: Parameters,
  thresholds: Thresholds,
): Observer {
  const tracker = new Tracker({
    confidenceThreshold: parameters.confidenceThreshold,
    maxAgeSeconds: parameters.trackingMaxAgeSeconds,
  });
  const trajectories = new Map<number, FootPoint[]>();
  for (const { detections, timeMs } of frames) {
    for (const { id, box } of tracker.update(detections, timeMs))
      addFootPoint(trajectories, id, { box, timeMs });
  }
  return (zone) => [...trajectories.values()].flatMap((trajectory) => stays(trajectory, zone, thresholds));
}

const LEAST_IOU = 0.5;

/**
 * The limit that the detections set: each detection has the identity of the true person whom it overlaps by at least one
 * half. Detections below `confidenceThreshold` count, because a perfect tracker could use them.
 */
export function trueIdentities(
  frames: readonly FootageFrame[],
  { size }: Footage,
  thresholds: Thresholds,
): Observer {
  const trajectories = new Map<number, FootPoint[]>();
  for (const { detections, truth, timeMs } of frames) {
    const gains = truth.map((row) => {
      const person = toDetection(row, size).box;
      return detections.map(({ box }) => {
        const overlap = iou(person, box);
        return overlap < LEAST_IOU ? 0 : overlap;
      });
    });
    assign(gains, detections.length).forEach((column, at) => {
      if (column !== null)
        addFootPoint(trajectories, truth[at]!.id, { box: detections[column]!.box, timeMs });
    });
  }
  return staysOf([...trajectories.values()], frames, thresholds);
}

function staysOf(
  trajectories: readonly Trajectory[],
  frames: readonly FootageFrame[],
  thresholds: Thresholds,
): Observer {
  const timesMs = frames.map(({ timeMs }) => timeMs);
  const whole = trajectories.map((trajectory) => interpolated(trajectory, timesMs));
  return (zone) => whole.flatMap((trajectory) => stays(trajectory, zone, thresholds));
}

function addFootPoint(
  trajectories: Map<number, FootPoint[]>,
  id: number,
  { box, timeMs }: { box: Box; timeMs: number },
): void {
  const trajectory = trajectories.get(id) ?? [];
  trajectories.set(id, trajectory);
  const [x, y] = footPoint(box);
  trajectory.push({ timeMs, x, y });
}
