import type { TrackerOptions } from '../../../src/vision/track/options.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Detection, Track } from '../../../src/vision/types.ts';
import type { MotRow } from './files.ts';

/** The detections of one frame of a sequence. */
export interface DetectedFrame {
  /** From 1. */
  readonly frame: number;
  readonly timeMs: number;
  readonly detections: readonly Detection[];
}

export interface Followed {
  /** Rows of each of the given frames: exactly what the tracker said in that frame. */
  readonly rows: readonly (readonly MotRow[])[];
  readonly cpuSeconds: number;
}

/** Runs a new tracker over the frames. @param picture its size in pixels */
export function follow(
  frames: readonly DetectedFrame[],
  picture: { readonly width: number; readonly height: number },
  options: Partial<TrackerOptions>,
): Followed {
  const tracker = new Tracker(options);
  const before = process.cpuUsage();
  const tracks = frames.map(({ detections, timeMs }) => tracker.update(detections, timeMs));
  const { user, system } = process.cpuUsage(before);
  return {
    rows: tracks.map((seen, at) => seen.map((track) => toRow(track, frames[at]!.frame, picture))),
    cpuSeconds: (user + system) / 1e6,
  };
}

function toRow(
  { id, box, score }: Track,
  frame: number,
  picture: { readonly width: number; readonly height: number },
): MotRow {
  return {
    frame,
    id,
    left: box.left * picture.width,
    top: box.top * picture.height,
    width: (box.right - box.left) * picture.width,
    height: (box.bottom - box.top) * picture.height,
    confidence: score,
    classId: 1,
  };
}

/** A pixel row as a detection of a person, in fractions of the picture. */
export function toDetection(
  row: MotRow,
  picture: { readonly width: number; readonly height: number },
): Detection {
  return {
    box: {
      left: row.left / picture.width,
      top: row.top / picture.height,
      right: (row.left + row.width) / picture.width,
      bottom: (row.top + row.height) / picture.height,
    },
    score: row.confidence,
    classId: 0,
  };
}
