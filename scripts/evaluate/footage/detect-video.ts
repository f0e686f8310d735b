import type { NetworkSize } from '../../../src/vision/detect/detector.ts';
import { MIN_SCORE } from '../../../src/vision/pipeline.ts';
import { CLASS_IDS, type Detection, type Region } from '../../../src/vision/types.ts';
import { withVideo } from '../../support/video-frames.ts';

/** The detections of one frame of a sequence. */
export interface DetectedFrame {
  /** From 1. */
  readonly frame: number;
  readonly timeMs: number;
  readonly detections: readonly Detection[];
}

/** Higher than the rate of any video, so that every frame is read. */
const EVERY_FRAME_FPS = 1000;

/** A part of the picture, and the size of the network that looks at it. */
export interface DetectedPart {
  readonly region: Region;
  readonly size: NetworkSize | undefined;
}

/**
 * Runs a detector on every frame of a video.
 * @param part by default the whole picture at the largest size
 * @returns the persons found, with size and rate of the video, and the sizes of the network
 */
export const detectVideo = (video: string, model: string, part?: DetectedPart) =>
  withVideo(
    { video, model, fps: EVERY_FRAME_FPS, label: 'detecting', region: part?.region },
    async ({ info, detector, frames }) => {
      const found: DetectedFrame[] = [];
      for await (const { index, timeMs, model: pixels, letterbox } of frames) {
        const detections = await detector.detect(pixels, letterbox, MIN_SCORE, part?.size);
        const persons = detections.filter(({ classId }) => CLASS_IDS.person.includes(classId));
        found.push({ frame: index + 1, timeMs, detections: persons });
      }
      return { info, frames: found, sizes: detector.sizes };
    },
  );
