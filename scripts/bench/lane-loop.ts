import type { LoadedDetector } from '../../src/models/load-detector.ts';
import { FfmpegSource, type FfmpegSourceOptions } from '../../src/video/ffmpeg/ffmpeg-source.ts';
import { FrameRing } from '../../src/video/frame-ring.ts';
import { observeFrame } from '../../src/vision/observe-frame.ts';
import { ScenePipeline } from '../../src/vision/pipeline.ts';
import { parametersSchema } from '../../src/vision/scene-config.ts';
import type { Stopwatch } from '../../src/vision/stopwatch.ts';
import type { SceneConfig } from '../../src/vision/types.ts';

const between = (left: number, right: number): SceneConfig['zones']['queueZone'] => ({
  type: 'polygon',
  points: [
    [left, 0.3],
    [right, 0.3],
    [right, 0.98],
    [left, 0.98],
  ],
});

/** Two zones that cover most of the frame, so that nearly every person has a visit. */
const CONFIG: SceneConfig = {
  zones: { queueZone: between(0.05, 0.5), checkoutZone: between(0.5, 0.95) },
  parameters: parametersSchema.parse({}),
};

/**
 * The loop of a lane with one camera, as fast as the video can be read. As in a lane, it keeps images of the newest
 * frames and makes JSON of each observation.
 * @returns the number of frames so far, after each frame; the video is closed when the caller stops iterating
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
