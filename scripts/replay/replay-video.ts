import type { StreamInfo } from '../../src/video/frame-source.ts';
import { observeFrame } from '../../src/vision/observe-frame.ts';
import { type SceneObservation, ScenePipeline } from '../../src/vision/pipeline.ts';
import { type AnalysisAccuracy, partOf } from '../../src/vision/region.ts';
import type { Look } from '../../src/vision/still/still-frames.ts';
import type { TillSecond } from '../../src/vision/tills/till-watch.ts';
import type { Detection, SceneConfig } from '../../src/vision/types.ts';
import { withVideo } from '../support/footage/video-frames.ts';
import { type Replay, ReplayRecord } from './replay-record.ts';
import { windowOfScene } from './window-of-scene.ts';

export interface ReplayOptions {
  readonly video: string;
  readonly config: SceneConfig;
  readonly model: string;
  /** By default `standard`. */
  readonly accuracy?: AnalysisAccuracy;
  readonly fps: number;
  /** The detector sees only the part of the picture around the zones. */
  readonly isRegion?: boolean;
  /** Called before the first frame. An error that it throws ends the replay. */
  readonly onOpened?: (info: StreamInfo) => void;
  /** Called after each analysed frame. */
  readonly onFrame?: (timeMs: number, seen: SeenFrame) => void;
  /** Called at the end with the states of tills that became final with it. */
  readonly onEnd?: (seconds: readonly TillSecond[]) => void;
}

/** What was seen in an analysed frame. */
export interface SeenFrame {
  readonly observation: SceneObservation;
  /** Of every class. */
  readonly detections: readonly Detection[];
}

/**
 * Sends a video through detector, tracker and zones of the service, as fast as it can be read.
 * @throws Error with one sentence that says what to do: video missing or unreadable, model unknown or damaged
 */
export async function replayVideo(options: ReplayOptions): Promise<Replay> {
  const { config, onOpened, onFrame, onEnd, isRegion, ...video } = options;
  const window = isRegion ? await windowOfScene(video, config) : null;
  return withVideo({ ...video, label: 'replay' }, async ({ info, detector, frames }) => {
    onOpened?.(info);
    const scene = new ScenePipeline({ sceneId: 'replay', config });
    const record = new ReplayRecord(scene, config);
    let detections: readonly Detection[] = [];
    const onLook = ({ detections: found }: Look) => {
      detections = found;
    };
    const watchers = { detector, scenes: [scene], view: window ?? undefined, onLook };
    for await (const frame of frames) {
      for (const observation of await observeFrame(frame, watchers)) {
        const { timeMs, changes } = observation;
        record.add(timeMs, changes);
        onFrame?.(timeMs, { observation, detections });
      }
    }
    const replay = record.finish(info.fps);
    onEnd?.(record.lastTillSeconds);
    return isRegion ? { ...replay, part: partOf(window, info.letterbox, detector.sizes) } : replay;
  });
}
