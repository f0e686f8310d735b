import type { TrackerOptions } from '../../../src/vision/track/options.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { DetectedFrame } from '../footage/detect-video.ts';
import { type MotRow, motLine, type Size } from '../footage/mot-files.ts';

/** The rows of one frame. */
export interface FrameRows {
  /** From 1. */
  readonly frame: number;
  readonly rows: readonly MotRow[];
}

/**
 * Runs a new tracker over the frames.
 * @param size of the frames in pixels
 * @returns the tracks that the tracker reported in each frame, and the CPU time of the tracker
 */
export function follow(
  frames: readonly DetectedFrame[],
  size: Size,
  options: Partial<TrackerOptions>,
): { tracked: FrameRows[]; cpuSeconds: number } {
  const tracker = new Tracker(options);
  const before = process.cpuUsage();
  const tracks = frames.map(({ detections, timeMs }) => tracker.update(detections, timeMs));
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

/** The text of a result file. */
export const resultText = (tracked: readonly FrameRows[]): string =>
  tracked.flatMap(({ rows }) => rows.map(motLine)).join('');
