import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { footPoint } from '../../../src/vision/geometry.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Box, QueueParameters } from '../../../src/vision/types.ts';
import type { Footage, FootageFrame } from '../footage/footage.ts';
import { shownBodies, type TrueBody, withTrueFeet } from '../footage/limits.ts';
import { type Size, toDetection } from '../footage/mot-files.ts';
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
export function product(frames: readonly FootageFrame[], { aspect, ...parameters }: Parameters): Observer {
  return (zone) => {
    const pipeline = new ScenePipeline({
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

/** The true people of a frame. */
const bodiesOf = ({ truth }: FootageFrame, size: Size): TrueBody[] =>
  truth.map((row) => ({ id: row.id, box: toDetection(row, size).box }));

/** The limit that feet set: each detection of a person ends where their feet are. */
export const withFeet = (frames: readonly FootageFrame[], { size }: Footage): FootageFrame[] =>
  frames.map((frame) => ({ ...frame, detections: withTrueFeet(frame.detections, bodiesOf(frame, size)) }));

/** The limit that detection sets: the product, and everybody is surely detected, also behind others. */
export const trueBoxes = (
  frames: readonly FootageFrame[],
  { size }: Footage,
  parameters: Parameters,
): Observer =>
  product(
    frames.map((frame) => ({
      ...frame,
      detections: bodiesOf(frame, size).map(({ box }) => ({ box, score: 0.9, classId: 0 })),
    })),
    parameters,
  );

/**
 * The limit that identities set: each detection has the identity of the true person whom it shows. Detections below
 * `confidenceThreshold` count, because a perfect tracker could use them.
 */
export function trueIdentities(
  frames: readonly FootageFrame[],
  { size }: Footage,
  thresholds: Thresholds,
): Observer {
  const trajectories = new Map<number, FootPoint[]>();
  for (const frame of frames) {
    const { detections, timeMs } = frame;
    shownBodies(detections, bodiesOf(frame, size)).forEach((body, at) => {
      if (body) addFootPoint(trajectories, body.id, { box: detections[at]!.box, timeMs });
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
