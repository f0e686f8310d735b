import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig, MODELS_DIR } from '../../../src/config.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import { MIN_SCORE } from '../../../src/vision/pipeline.ts';
import { CLASS_IDS } from '../../../src/vision/types.ts';
import { progress } from '../../support/terminal.ts';
import type { DetectedFrame } from '../tracks/follow.ts';

/** More than any video has: every frame is taken. */
const EVERY_FRAME_FPS = 1000;

/** Runs a detector on every frame of a video. @returns the persons found, with the picture's size and rate */
export async function detectVideo(video: string, model: string) {
  const detector = await loadDetector({ model, modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir });
  const { inputWidth, inputHeight } = detector;
  const url = pathToFileURL(resolve(video)).href;
  const source = new FfmpegSource({
    ...{ url, inputWidth, inputHeight },
    ...{ fps: EVERY_FRAME_FPS, pace: 'fast', pictureLongSide: null },
  });
  try {
    const picture = await source.open();
    const total = Math.round((picture.durationSeconds ?? 0) * picture.fps);
    return { picture, frames: await detectFrames(source, detector, total) };
  } finally {
    await source.close();
    await detector.dispose();
  }
}

async function detectFrames(
  source: FfmpegSource,
  detector: Detector,
  total: number,
): Promise<DetectedFrame[]> {
  const frames: DetectedFrame[] = [];
  const bar = progress('detecting', total, 'frames');
  try {
    for (let frame = await source.next(); frame; frame = await source.next()) {
      if (frame.isDamaged) continue;
      const found = await detector.detect(frame.model, frame.letterbox, MIN_SCORE);
      frames.push({
        frame: frame.index + 1,
        timeMs: frame.timeMs,
        detections: found.filter(({ classId }) => CLASS_IDS.person.includes(classId)),
      });
      bar.update(frames.length);
    }
  } finally {
    bar.stop();
  }
  return frames;
}
