import { stat } from 'node:fs/promises';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { loadDetector } from '../../src/models/load-detector.ts';
import { FfmpegSource } from '../../src/video/ffmpeg/ffmpeg-source.ts';
import type { StreamInfo } from '../../src/video/frame-source.ts';
import { observeFrame, ScenePipeline } from '../../src/vision/pipeline.ts';
import type { SceneConfig } from '../../src/vision/types.ts';
import { progress } from '../support/terminal.ts';
import { type Replay, ReplayRecord } from './replay-record.ts';

export interface ReplayOptions {
  readonly video: string;
  readonly config: SceneConfig;
  readonly model: string;
  readonly fps: number;
  /** Told of the video before its first frame; what it throws ends the replay. */
  readonly onOpened?: (info: StreamInfo) => void;
  /** Told of each frame once it is analysed. */
  readonly onFrame?: (timeMs: number) => void;
}

/**
 * Sends a video through the frame path of the service, as fast as it can be read.
 * @throws one sentence saying what to do: video not there or not readable, model unknown or damaged
 */
export async function replayVideo(options: ReplayOptions): Promise<Replay> {
  const { video, config, model, fps } = options;
  if (!(await stat(video).catch(() => null))?.isFile()) {
    throw new Error(`The video ${video} does not exist or is not a file; give the path of a video file.`);
  }
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  const detector = await loadDetector({ model, modelsDir: MODELS_DIR, cacheDir });
  const { inputWidth, inputHeight } = detector;
  const source = new FfmpegSource({
    ...{ url: video, fps, inputWidth, inputHeight, pace: 'fast', pictureLongSide: null },
    ...{ ffmpegPath, ffprobePath },
  });
  const scene = new ScenePipeline({ sceneId: 'replay', config });
  const record = new ReplayRecord(scene, config);
  try {
    const info = await source.open();
    options.onOpened?.(info);
    const bar = progress('replay', Math.ceil((info.durationSeconds ?? 0) * info.fps), 'frames');
    for (let frame = await source.next(); frame; frame = await source.next()) {
      if (frame.isDamaged) continue;
      for (const { timeMs, changes } of await observeFrame(frame, { detector, scenes: [scene] })) {
        record.add(timeMs, changes);
        options.onFrame?.(timeMs);
      }
      bar.update(record.frames);
    }
    bar.stop();
    return record.finish(info.fps);
  } finally {
    await source.close();
    await detector.dispose();
  }
}
