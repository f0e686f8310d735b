import type { LoadedDetector } from '../../src/models/load-detector.ts';
import { FfmpegSource, type FfmpegSourceOptions } from '../../src/video/ffmpeg/ffmpeg-source.ts';
import { FrameRing } from '../../src/video/frame-ring.ts';
import { observeFrame, ScenePipeline } from '../../src/vision/pipeline.ts';
import type { Stopwatch } from '../../src/vision/stopwatch.ts';
import type { SceneConfig } from '../../src/vision/types.ts';

const POINTS = {
  queue: [
    [0.05, 0.3],
    [0.5, 0.3],
    [0.5, 0.98],
    [0.05, 0.98],
  ],
  checkout: [
    [0.5, 0.3],
    [0.95, 0.3],
    [0.95, 0.98],
    [0.5, 0.98],
  ],
} as const;

/** Two zones that cover most of the picture: everybody seen costs what a visit costs. */
const CONFIG: SceneConfig = {
  zones: {
    queueZone: { type: 'polygon', points: POINTS.queue },
    checkoutZone: { type: 'polygon', points: POINTS.checkout },
  },
  parameters: {
    confidenceThreshold: 0.6,
    class: 'person',
    entryThresholdSeconds: 3,
    exitThresholdSeconds: 1,
    trackingMaxAgeSeconds: 5,
  },
};

/**
 * What a lane does with one camera, as fast as the video can be read: pictures kept, observations made into JSON.
 * @returns after each frame, how many there were; the stream is closed when nobody asks for more
 */
export async function* laneLoop(
  detector: LoadedDetector,
  options: Pick<FfmpegSourceOptions, 'url' | 'fps' | 'ffmpegPath' | 'ffprobePath'>,
  stopwatch: Stopwatch,
): AsyncGenerator<number, void> {
  const { inputWidth, inputHeight } = detector;
  const source = new FfmpegSource({ ...options, inputWidth, inputHeight, pace: 'fast' });
  const scenes = [new ScenePipeline({ sceneId: 'bench', config: CONFIG, stopwatch })];
  const ring = new FrameRing();
  try {
    await source.open();
    for (let frames = 1; ; frames++) {
      const frame = await source.next();
      if (!frame) break;
      ring.add(frame);
      JSON.stringify(await observeFrame(frame, { detector, scenes }));
      yield frames;
    }
  } finally {
    await source.close();
  }
}
