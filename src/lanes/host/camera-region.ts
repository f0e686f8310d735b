import type { Detector, InputWindow, NetworkSize } from '../../vision/detect/detector.ts';
import { type AnalysedPart, partOf } from '../../vision/region.ts';
import { RegionWatch } from '../../vision/region-watch.ts';
import type { Detection, Letterbox, QueueZones } from '../../vision/types.ts';
import type { LaneCamera } from '../lane-protocol.ts';

export interface CameraRegionParts {
  readonly detector: Detector;
  /** Whether the network of a size is open; if not, it is opened. */
  readonly isOpen: (size: NetworkSize) => boolean;
}

/** Chooses the part of a camera's frames that the detector looks at: the window around the zones of its scenes, or the whole picture. */
export class CameraRegion {
  readonly #watch: RegionWatch;
  readonly #isOpen: (size: NetworkSize) => boolean;
  #zones = '[]';
  /** Null before the first frame. */
  #part: AnalysedPart | null = null;

  constructor({ detector, isOpen }: CameraRegionParts, requested: LaneCamera) {
    this.#watch = new RegionWatch(detector.sizes);
    this.#isOpen = isOpen;
    this.set(requested);
  }

  get part(): AnalysedPart | null {
    return this.#part;
  }

  /** Other zones than before: the whole picture is analysed from the next frame on, until the new window is known. */
  set(requested: LaneCamera): void {
    const zones = zonesToWatch(requested);
    const text = JSON.stringify(zones);
    if (text === this.#zones) return;
    this.#zones = text;
    this.#watch.watch(zones);
  }

  /** @returns the window in which to look at this frame; undefined: the whole picture */
  windowFor(letterbox: Letterbox, timeMs: number): InputWindow | undefined {
    const wanted = this.#watch.next(letterbox, timeMs);
    const { window } = this.#watch;
    const used = window && this.#isOpen(window) ? window : null;
    // A frame whose whole picture is looked at for a check does not change the part that is reported.
    this.#part = partOf(used, letterbox);
    return (wanted && used) ?? undefined;
  }

  see(
    detections: readonly Detection[],
    frame: { letterbox: Letterbox; timeMs: number; window: InputWindow | undefined },
  ): void {
    this.#watch.see(detections, { ...frame, window: frame.window ?? null });
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
