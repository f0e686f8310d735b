import { type Detector, pixelsOf, type SmallerView } from './detect/detector.ts';
import type { Frame } from './frame.ts';
import { MIN_SCORE, type SceneObservation, type ScenePipeline } from './pipeline.ts';
import { aspectOf, canShrink, sizeOfView } from './region.ts';
import type { Followed, Look, StillFrames } from './still/still-frames.ts';

export interface FrameWatchers {
  readonly detector: Pick<Detector, 'sizes' | 'detect'>;
  readonly scenes: readonly ScenePipeline[];
  /** How the detector looks at the frame; by default at all of it with its largest network. */
  readonly view?: SmallerView | undefined;
  /** Skips frames in which nothing has changed; undefined: the detector looks at every frame. */
  readonly still?: StillFrames | undefined;
  /** Boxes of this very frame are needed: it is not skipped. */
  readonly mustLook?: boolean;
  /** Called with the detections of every class, but not for a skipped frame. */
  readonly onLook?: (look: Look) => void;
}

/**
 * Runs the detector once on a camera's frame, then every scene of the camera on its detections. A skipped frame is one without
 * detections.
 */
export async function observeFrame(frame: Frame, watchers: FrameWatchers): Promise<SceneObservation[]> {
  const look = await lookAt(frame, watchers);
  if (look) watchers.onLook?.(look);
  const aspect = aspectOf(frame.letterbox);
  const { detections, isHeld } = look ?? { detections: [], isHeld: false };
  return watchers.scenes.map((scene) => scene.update(detections, frame.timeMs, frame.index, aspect, isHeld));
}

async function lookAt(
  frame: Frame,
  { detector, scenes, view, still, mustLook = false }: FrameWatchers,
): Promise<Look | null> {
  const pixelsIn = (seen?: SmallerView) => pixelsOf(sizeOfView(seen, frame.letterbox, detector.sizes));
  const detectIn = (seen?: SmallerView) => detector.detect(frame.model, frame.letterbox, MIN_SCORE, seen);
  const detect = () => detectIn(view);
  if (!still) return { detections: await detect(), isHeld: false };
  return still.look(frame, {
    mustLook,
    followed: followedIn(scenes),
    isAlmostSure: (detections) => scenes.some((scene) => scene.isAlmostSure(detections)),
    detect,
    glance:
      canShrink(frame.letterbox, detector.sizes) && pixelsIn(view) > pixelsIn('shrunk')
        ? () => detectIn('shrunk')
        : null,
  });
}

/** Those of all scenes together; null where nobody is followed. */
function followedIn(scenes: readonly ScenePipeline[]): (() => Followed) | null {
  const occupied = scenes.filter((scene) => !scene.isEmpty);
  if (occupied.length === 0) return null;
  return () => ({
    restMs: Math.min(...occupied.map((scene) => scene.restMs)),
    entrances: scenes.map(({ entrance }) => entrance),
  });
}
