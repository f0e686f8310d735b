import { stat } from 'node:fs/promises';
import { prepareDetector } from '../../../models/prepare.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import { loadConfig, MODELS_DIR } from '../../../src/platform/config.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { StreamInfo } from '../../../src/video/frame-source.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import { type AnalysisAccuracy, frameSize } from '../../../src/vision/region.ts';
import { progress } from '../terminal.ts';

export interface OpenVideo {
  readonly info: StreamInfo;
  readonly detector: Detector;
  /** The frames without damage, as fast as they are taken; none is dropped. With a progress bar. */
  readonly frames: AsyncIterable<Frame>;
}

export interface VideoOptions {
  readonly video: string;
  /** Name of the detector. */
  readonly model: string;
  /** By default `standard`. */
  readonly accuracy?: AnalysisAccuracy | undefined;
  /** Frames a second to read at most. */
  readonly fps: number;
  /** Of the progress bar. */
  readonly label: string;
  /** Whether frames include the full-size copy that attribute models need. */
  readonly hasFullFrames?: boolean;
}

/** @throws Error with one sentence that says what to do */
export async function requireVideo(video: string): Promise<void> {
  const found = await stat(video).catch(() => null);
  if (found?.isFile()) return;
  throw new Error(`The video ${video} does not exist or is not a file; give the path of a video file.`);
}

/**
 * Opens a video file and a detector, and closes both after use.
 * @throws Error with one sentence that says what to do: video missing or unreadable, model unknown or damaged
 */
export async function withVideo<Result>(
  { video, model, accuracy = 'standard', fps, label, hasFullFrames = false }: VideoOptions,
  use: (opened: OpenVideo) => Promise<Result>,
): Promise<Result> {
  await requireVideo(video);
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  await prepareDetector(model, { modelsDir: MODELS_DIR, cacheDir });
  const detector = await loadDetector({ model, modelsDir: MODELS_DIR, cacheDir });
  const { width: inputWidth, height: inputHeight } = frameSize(detector, accuracy);
  const source = new FfmpegSource({
    ...{ url: video, fps, inputWidth, inputHeight, pace: 'fast', ffmpegPath, ffprobePath },
    ...(!hasFullFrames && { fullLongSide: null }),
  });
  try {
    const info = await source.open();
    return await use({ info, detector, frames: framesOf(source, label, info) });
  } finally {
    await source.close();
    await detector.dispose();
  }
}

async function* framesOf(source: FfmpegSource, label: string, info: StreamInfo): AsyncGenerator<Frame> {
  const bar = progress(label, Math.ceil((info.durationSeconds ?? 0) * info.fps), 'frames');
  try {
    for (let frame = await source.next(), read = 0; frame; frame = await source.next()) {
      bar.update(++read);
      if (!frame.isDamaged) yield frame;
    }
  } finally {
    bar.stop();
  }
}
