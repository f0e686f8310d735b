import type { Detector, NetworkSize, SmallerView } from '../../vision/detect/detector.ts';
import type { Frame } from '../../vision/frame.ts';
import { MIN_SCORE } from '../../vision/pipeline.ts';
import { type AnalysedPart, partOf, sizeOfView } from '../../vision/region.ts';
import { RegionWatch } from '../../vision/region-watch.ts';
import type { Detection, Letterbox, QueueZones } from '../../vision/types.ts';
import type { LaneCamera } from '../lane-protocol.ts';

export interface CameraRegionParts {
  readonly detector: Detector;
  /** Whether the network of a size is open; if not, it is opened. */
  readonly isOpen: (size: NetworkSize) => boolean;
}

/** Chooses how the detector looks at a camera's frames, by the zones of its scenes and the people in them. */
export class CameraRegion {
  readonly #detector: Detector;
  readonly #watch: RegionWatch;
  readonly #isOpen: (size: NetworkSize) => boolean;
  #zones = '[]';
  /** Null before the first frame. */
  #part: AnalysedPart | null = null;

  constructor({ detector, isOpen }: CameraRegionParts, requested: LaneCamera) {
    this.#detector = detector;
    this.#watch = new RegionWatch(detector.sizes);
    this.#isOpen = isOpen;
    this.set(requested);
  }

  get part(): AnalysedPart | null {
    return this.#part;
  }

  /** Other zones than before: the whole input is looked at from the next frame on, until people in them are known. */
  set(requested: LaneCamera): void {
    const zones = zonesToWatch(requested);
    const text = JSON.stringify(zones);
    if (text === this.#zones) return;
    this.#zones = text;
    this.#watch.watch(zones);
  }

  /** @returns how to look at this frame; undefined: at the whole input */
  viewFor(letterbox: Letterbox, timeMs: number): SmallerView | undefined {
    const wanted = this.#watch.next(letterbox, timeMs);
    const { view } = this.#watch;
    const used = view && this.#isOpen(sizeOfView(view, letterbox, this.#detector.sizes)) ? view : null;
    // A frame that is looked at whole for a check does not change the part that is reported.
    this.#part = partOf(used, letterbox, this.#detector.sizes);
    return (wanted && used) ?? undefined;
  }

  /** Learns from a frame. A frame that was seen whole is seen shrunk too now and then, to compare. */
  async see(
    detections: readonly Detection[],
    { view, ...frame }: Pick<Frame, 'model' | 'letterbox' | 'timeMs'> & { view: SmallerView | undefined },
  ): Promise<void> {
    this.#watch.see(detections, { ...frame, view: view ?? null });
    if (
      view ||
      !this.#watch.mustCompare ||
      !this.#isOpen(sizeOfView('shrunk', frame.letterbox, this.#detector.sizes))
    )
      return;
    this.#watch.compare(await this.#detector.detect(frame.model, frame.letterbox, MIN_SCORE, 'shrunk'));
  }
}

/**
 * The zones that the window must show. There are none where the whole picture must be analysed: where the device asks for it, for
 * vehicles, whose boxes are wider than their place, and where people are hidden in pictures, because they may stand anywhere.
 */
function zonesToWatch({ analysisRegion, privacy, scenes }: LaneCamera): QueueZones[] {
  const isWhole =
    analysisRegion !== 'zones' ||
    privacy.blurPeople !== 'none' ||
    scenes.some(({ config }) => config.parameters.class !== 'person');
  return isWhole ? [] : scenes.map(({ config }) => config.zones);
}
