import type { SmallerView } from '../../../src/vision/detect/detector.ts';
import { MIN_SCORE } from '../../../src/vision/pipeline.ts';
import type { AnalysisAccuracy } from '../../../src/vision/region.ts';
import { CLASS_IDS, type Detection } from '../../../src/vision/types.ts';
import { withVideo } from '../../support/footage/video-frames.ts';

/** The detections of one frame of a sequence. */
export interface DetectedFrame {
  /** From 1. */
  readonly frame: number;
  readonly timeMs: number;
  readonly detections: readonly Detection[];
}

/** A video, and what looks at it. */
export interface FootageVideo {
  readonly path: string;
  readonly model: string;
  readonly accuracy?: AnalysisAccuracy;
}

/** Higher than the rate of any video, so that every frame is read. */
const EVERY_FRAME_FPS = 1000;

/**
 * Runs a detector on every frame of a video.
 * @param view of the model's input; by default all of it
 * @returns the persons found, with size and rate of the video
 */
export const detectVideo = ({ path, model, accuracy }: FootageVideo, view?: SmallerView) =>
  withVideo(
    { video: path, model, accuracy, fps: EVERY_FRAME_FPS, label: 'detecting' },
    async ({ info, detector, frames }) => {
      const found: DetectedFrame[] = [];
      for await (const { index, timeMs, model: pixels, letterbox } of frames) {
        const detections = await detector.detect(pixels, letterbox, MIN_SCORE, view);
        const persons = detections.filter(({ classId }) => CLASS_IDS.person.includes(classId));
        found.push({ frame: index + 1, timeMs, detections: persons });
      }
      return { info, frames: found };
    },
  );
