import { type Moment, momentOf, wholeMs } from '../../../src/vision/moment.ts';
import { PeopleWatch } from '../../../src/vision/people-watch.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Track } from '../../../src/vision/types.ts';
import type { DetectedFrame } from '../footage/detect-video.ts';
import { type MotRow, motLine, type Size } from '../footage/mot-files.ts';

/** The rows of one frame. */
export interface FrameRows {
  /** From 1. */
  readonly frame: number;
  readonly rows: readonly MotRow[];
}

export interface FollowOptions {
  /** Of the frames in pixels. */
  readonly size: Size;
  /** Least score of a detection that starts a track. */
  readonly confidence: number;
  /** The tracks of the tracker alone, without feet and identity. */
  readonly isPlain?: boolean;
  /** Whether boxes end where a body is hidden; those of detectors trained on whole bodies do not. */
  readonly visibleBoxes?: boolean;
}

/**
 * Follows people over the frames as a scene does: tracker, feet and identity.
 * @returns the people whom each frame shows, as they were known at that frame, and the CPU time of it
 */
export function follow(
  frames: readonly DetectedFrame[],
  options: FollowOptions,
): { tracked: FrameRows[]; cpuSeconds: number } {
  const { size } = options;
  const seen = options.isPlain ? plainTracker(options) : people(options);
  const before = process.cpuUsage();
  const tracks = frames.map(seen);
  const { user, system } = process.cpuUsage(before);
  const tracked = frames.map(({ frame }, at) => ({
    frame,
    rows: tracks[at]!.map(({ id, box, score }) => ({
      ...{ frame, id, left: box.left * size.width, top: box.top * size.height },
      ...{ width: (box.right - box.left) * size.width, height: (box.bottom - box.top) * size.height },
      ...{ confidence: score, classId: 1 },
    })),
  }));
  return { tracked, cpuSeconds: (user + system) / 1e6 };
}

type Seen = (frame: DetectedFrame) => readonly Track[];

function plainTracker({ confidence: confidenceThreshold, visibleBoxes = true }: FollowOptions): Seen {
  const tracker = new Tracker({ confidenceThreshold, visibleBoxes });
  return ({ detections, timeMs }) => tracker.update(detections, timeMs);
}

function people({ size, confidence: confidenceThreshold, visibleBoxes = true }: FollowOptions): Seen {
  const parameters = { ...parametersSchema.parse({}), confidenceThreshold };
  const watch = new PeopleWatch({ parameters, tracker: { visibleBoxes } });
  let last: Moment | null = null;
  return ({ detections, timeMs }) => {
    last = momentOf(wholeMs(timeMs), last);
    const { tracks } = watch.update(detections, last, size.width / size.height);
    return tracks.map((track) => ({ ...track, id: watch.personOf(track.id)! }));
  };
}

/** The text of a result file. */
export const resultText = (tracked: readonly FrameRows[]): string =>
  tracked.flatMap(({ rows }) => rows.map(motLine)).join('');
