import { footPoint, iou } from '../../../src/vision/geometry.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Box, QueueParameters } from '../../../src/vision/types.ts';
import type { Footage, FootageFrame } from '../footage/footage.ts';
import type { Tuning } from '../footage/tuning.ts';
import { assign } from '../matching/assign.ts';
import { toDetection } from '../tracks/follow.ts';
import {
  type FootAt,
  interpolated,
  type Span,
  stays,
  type Thresholds,
  type Way,
  type Zone,
} from './dwell.ts';

/** Says which visits a zone had, from the detections of the frames. */
export type Observer = (zone: Zone) => readonly Span[];

/** What the judge sets; the rest are the product's defaults. */
export type Parameters = Pick<
  QueueParameters,
  'confidenceThreshold' | 'entryThresholdSeconds' | 'exitThresholdSeconds' | 'trackingMaxAgeSeconds'
> & {
  /** Width over height of the picture. */
  readonly aspect?: number;
};

/** The product: detections to visits, as a lane runs it. A visit that is still open lasts until the last frame. */
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
    const note = ({ changes }: ReturnType<ScenePipeline['close']>) => {
      for (const { id, queueEnteredAtMs, queueLeftAtMs } of changes) {
        if (queueEnteredAtMs !== null) visits.set(id, [queueEnteredAtMs, queueLeftAtMs ?? lastMs]);
      }
    };
    for (const { detections, timeMs, frame } of frames) {
      note(pipeline.update(detections, timeMs, frame, aspect));
    }
    note(pipeline.close(lastMs));
    return [...visits.values()];
  };
}

/** The product’s tracker, and a debounced stay for each of its tracks: a track that breaks ends a stay. */
export function plainDwell(
  frames: readonly FootageFrame[],
  parameters: Parameters,
  thresholds: Thresholds,
): Observer {
  const tracker = new Tracker({
    confidenceThreshold: parameters.confidenceThreshold,
    maxAgeSeconds: parameters.trackingMaxAgeSeconds,
  });
  const ways = new Map<number, FootAt[]>();
  for (const { detections, timeMs } of frames) {
    for (const { id, box } of tracker.update(detections, timeMs)) addFoot(ways, id, { box, timeMs });
  }
  return (zone) => [...ways.values()].flatMap((way) => stays(way, zone, thresholds));
}

const LEAST_IOU = 0.5;

/**
 * The limit that the detections set: each is given its true identity, where one overlaps it by at least one half.
 * Detections below `confidenceThreshold` count: a perfect tracker would find people in them.
 */
export function trueIdentities(
  frames: readonly FootageFrame[],
  { picture }: Footage,
  thresholds: Thresholds,
): Observer {
  const ways = new Map<number, FootAt[]>();
  for (const { detections, truth, timeMs } of frames) {
    const gains = truth.map((row) => {
      const person = toDetection(row, picture).box;
      return detections.map(({ box }) => {
        const overlap = iou(person, box);
        return overlap < LEAST_IOU ? 0 : overlap;
      });
    });
    assign(gains, detections.length).forEach((column, at) => {
      if (column !== null) addFoot(ways, truth[at]!.id, { box: detections[column]!.box, timeMs });
    });
  }
  return staysOf([...ways.values()], frames, thresholds);
}

function staysOf(ways: readonly Way[], frames: readonly FootageFrame[], thresholds: Thresholds): Observer {
  const timesMs = frames.map(({ timeMs }) => timeMs);
  const whole = ways.map((way) => interpolated(way, timesMs));
  return (zone) => whole.flatMap((way) => stays(way, zone, thresholds));
}

function addFoot(
  ways: Map<number, FootAt[]>,
  id: number,
  { box, timeMs }: { box: Box; timeMs: number },
): void {
  const way = ways.get(id) ?? [];
  ways.set(id, way);
  const [x, y] = footPoint(box);
  way.push({ timeMs, x, y });
}
