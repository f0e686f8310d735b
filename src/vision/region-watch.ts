import { Area } from '../catalogue/zones/polygon.ts';
import { type InputWindow, type NetworkSizes, pixelsOf, type SmallerView } from './detect/detector.ts';
import { footPoint, height } from './geometry.ts';
import {
  aspectOf,
  isWorthShrinking,
  regionAround,
  regionOf,
  regionOfView,
  shrunkSize,
  windowAround,
} from './region.ts';
import { outlinesOf } from './scene-zones.ts';
import { ShrunkTrial } from './shrunk-trial.ts';
import { CLASS_IDS, type Detection, type Letterbox, type QueueZones, type Region } from './types.ts';

/** Least score of a detection whose height counts. */
const SURE = 0.6;
/** Heights count as known after this time and this number of sightings in the zones. */
const LEARN_MS = 10_000;
const LEARN_SIGHTINGS = 50;
/** Only this many of the newest sightings count. */
const KEPT_SIGHTINGS = 1_000;
/** Quantile of the heights that stands for the tallest people, so that a few wrong boxes do not count. */
const TALL = 0.9;
/** Time between two looks at the whole picture. */
const CHECK_MS = 10_000;
/** After someone was cut off by the upper edge of the window, the next look at the whole picture comes no sooner. */
const SOON_MS = 1_000;
/** A box counts as cut off when its upper edge is this near to that of the window, as a share of the picture's height. */
const EDGE = 0.01;

/**
 * Chooses how the detector looks at a camera's frames: at all of the input until it is known how tall people in the zones are,
 * then at the window around zones and people. Where that is not the smallest one and people are tall, at the shrunk picture, if it
 * is found to show them as well. Once in a while at all of the input again, to see who is missed. Times are frame times.
 */
export class RegionWatch {
  readonly #sizes: NetworkSizes;
  #zones: readonly QueueZones[] = [];
  #areas: readonly Area[] = [];
  #heights: number[] = [];
  /** People of this height were cut off. */
  #least = 0;
  #beganMs: number | null = null;
  #wholeMs = 0;
  #isCut = false;
  #window: InputWindow | null = null;
  #trial = new ShrunkTrial();
  #comparedMs = 0;
  /** The sure people in the zones of the last look at the whole picture. */
  #people: readonly Detection[] = [];
  /** Of the last frame. */
  #letterbox: Letterbox | null = null;

  /** @param sizes of the detector, the most pixels first */
  constructor(sizes: NetworkSizes) {
    this.#sizes = sizes;
  }

  /** Begins to learn anew. @param zones of all scenes that the window must serve; empty: the whole picture is analysed */
  watch(zones: readonly QueueZones[]): void {
    this.#zones = zones;
    this.#areas = zones.flatMap(outlinesOf).map((points) => new Area(points));
    this.#forget();
  }

  /** How to look at most frames; null: at the whole input. */
  get view(): SmallerView | null {
    return this.#isWorthShrinking && this.#trial.passes ? 'shrunk' : this.#window;
  }

  /** @returns how to look at a frame now; null: at the whole input */
  next(letterbox: Letterbox, timeMs: number): SmallerView | null {
    // The stream was opened again with another shape: people have other sizes in it.
    const { contentWidth, contentHeight } = this.#letterbox ?? letterbox;
    if (contentWidth !== letterbox.contentWidth || contentHeight !== letterbox.contentHeight) this.#forget();
    this.#letterbox = letterbox;
    const isDue = timeMs - this.#wholeMs >= (this.#isCut ? SOON_MS : CHECK_MS);
    return isDue || timeMs < this.#wholeMs ? null : this.view;
  }

  /** @param view in which the detections were found; null: the whole input */
  see(
    detections: readonly Detection[],
    { letterbox, timeMs, view }: { letterbox: Letterbox; timeMs: number; view: SmallerView | null },
  ): void {
    if (this.#areas.length === 0) return;
    const people = detections.filter(
      ({ box, classId }) => CLASS_IDS.person.includes(classId) && this.#isInZone(footPoint(box)),
    );
    if (view) {
      const { top } = regionOfView(view, letterbox);
      this.#isCut ||= top > 0 && people.some(({ box }) => box.top <= top + EDGE);
      return;
    }
    this.#beganMs ??= timeMs;
    this.#wholeMs = timeMs;
    this.#isCut = false;
    const sure = people.filter(({ score }) => score >= SURE);
    this.#heights.push(...sure.map(({ box }) => height(box)));
    if (this.#heights.length > KEPT_SIGHTINGS) this.#heights.splice(0, this.#heights.length - KEPT_SIGHTINGS);
    const seen = this.#window && regionOf(this.#window, letterbox);
    if (seen && seen.top > 0)
      for (const { box } of sure) if (box.top < seen.top) this.#least = Math.max(this.#least, height(box));
    this.#people = sure;
    const share = shrunkSize(this.#sizes).height / letterbox.inputHeight;
    this.#trial.see(sure, letterbox, share);
    this.#choose(letterbox, timeMs - this.#beganMs);
  }

  /** Whether the frame that was seen whole just now must be seen shrunk too, for `compare`. */
  get mustCompare(): boolean {
    if (!this.#isWorthShrinking || this.#people.length === 0 || !this.#trial.isPromising) return false;
    return !this.#trial.isDecided || this.#wholeMs - this.#comparedMs >= CHECK_MS;
  }

  /** @param shrunk what was found in the shrunk picture of the frame that was seen whole last */
  compare(shrunk: readonly Detection[]): void {
    this.#comparedMs = this.#wholeMs;
    this.#trial.compare(this.#people, shrunk);
  }

  get #isWorthShrinking(): boolean {
    return !!this.#letterbox && isWorthShrinking(this.#window, this.#letterbox, this.#sizes);
  }

  #choose(letterbox: Letterbox, learnedMs: number): void {
    if (learnedMs < LEARN_MS || this.#heights.length < LEARN_SIGHTINGS) return;
    const sorted = this.#heights.toSorted((a, b) => a - b);
    const tall = sorted[Math.ceil(TALL * sorted.length) - 1]!;
    const personHeight = Math.max(tall, this.#least);
    const region = regionAround(this.#zones, { personHeight, aspect: aspectOf(letterbox) });
    // A window that still serves stays where it is.
    const window = windowAround(region, letterbox, this.#sizes);
    const isSmaller = window && this.#window && pixelsOf(window) < pixelsOf(this.#window);
    if (this.#window && holds(regionOf(this.#window, letterbox), region) && !isSmaller) return;
    this.#window = window;
  }

  #isInZone(point: readonly [number, number]): boolean {
    return this.#areas.some((area) => area.contains(point));
  }

  #forget(): void {
    this.#heights = [];
    this.#least = 0;
    this.#beganMs = null;
    this.#isCut = false;
    this.#window = null;
    this.#trial = new ShrunkTrial();
    this.#people = [];
  }
}

const holds = (outer: Region, inner: Region): boolean =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  outer.left + outer.width >= inner.left + inner.width &&
  outer.top + outer.height >= inner.top + inner.height;
