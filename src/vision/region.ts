import {
  type Detector,
  type InputWindow,
  type NetworkSize,
  type NetworkSizes,
  pixelsOf,
  type SmallerView,
} from './detect/detector.ts';
import { outlinesOf } from './scene-zones.ts';
import type { Letterbox, QueueZones, Region } from './types.ts';

/** What a device wants analysed: the part of the picture around the zones of its scenes where that is possible, or all. */
export type AnalysisRegion = 'zones' | 'whole';

/** How large the frames of a device are: as the input of the detector, or as its larger one. */
export type AnalysisAccuracy = 'standard' | 'high';

/** The size of the frames of a camera. A detector without a larger input has one size. */
export function frameSize(
  { inputWidth, inputHeight, largerInput }: Pick<Detector, 'inputWidth' | 'inputHeight' | 'largerInput'>,
  accuracy: AnalysisAccuracy,
): NetworkSize {
  return (accuracy === 'high' && largerInput) || { width: inputWidth, height: inputHeight };
}

/** What part of the picture is analysed, by a network of what size. */
export interface AnalysedPart {
  readonly region: Region;
  readonly size: NetworkSize;
}

export const WHOLE_PICTURE: Region = { left: 0, top: 0, width: 1, height: 1 };

/** Width over height of the picture. */
export const aspectOf = ({ contentWidth, contentHeight }: Letterbox): number => contentWidth / contentHeight;

/**
 * What lies around the zones, in heights of a person. Zones hold feet, so a body stands above them and hardly below; beside
 * them people are followed before they enter.
 */
const MARGIN = {
  above: 1.1,
  below: 0.25,
  beside: 0.5,
} as const;

/**
 * The part of the picture that must be seen to know who is in the zones: their bounding box with a margin.
 * @param personHeight of the tallest people in the zones, as a share of the picture's height
 * @param aspect width over height of the picture
 */
export function regionAround(
  zones: readonly QueueZones[],
  { personHeight, aspect }: { readonly personHeight: number; readonly aspect: number },
): Region {
  const points = zones.flatMap((one) => outlinesOf(one).flat());
  if (points.length === 0) return WHOLE_PICTURE;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const beside = (MARGIN.beside * personHeight) / aspect;
  const left = Math.max(0, Math.min(...xs) - beside);
  const right = Math.min(1, Math.max(...xs) + beside);
  const top = Math.max(0, Math.min(...ys) - MARGIN.above * personHeight);
  const bottom = Math.min(1, Math.max(...ys) + MARGIN.below * personHeight);
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * The size of the network that looks at all of a picture: the smallest one that shows it, because the padding beside or below it
 * shows nothing.
 */
export function wholeSize(letterbox: Letterbox, sizes: readonly NetworkSize[]): NetworkSize {
  const { inputWidth, inputHeight, contentWidth, contentHeight } = letterbox;
  const shown = sizes.findLast(
    ({ width, height }) =>
      width >= contentWidth && height >= contentHeight && width <= inputWidth && height <= inputHeight,
  );
  return shown ?? { width: inputWidth, height: inputHeight };
}

/** The size to which pictures are shrunk: the smallest one of the shape of the input, which is this one where there is no other. */
export function shrunkSize(sizes: NetworkSizes): NetworkSize {
  const [largest] = sizes;
  const isAlike = ({ width, height }: NetworkSize) => width * largest.height === height * largest.width;
  return sizes.findLast(isAlike) ?? largest;
}

/** How a frame lies in the input after it was shrunk. */
export function shrunkTo({ width, height }: NetworkSize, letterbox: Letterbox): Letterbox {
  const { inputWidth, inputHeight, contentWidth, contentHeight } = letterbox;
  return {
    ...{ inputWidth: width, inputHeight: height },
    ...{
      contentWidth: (contentWidth * width) / inputWidth,
      contentHeight: (contentHeight * height) / inputHeight,
    },
  };
}

/**
 * The window of the smallest network that shows a region, with the region in its middle as far as the picture reaches.
 * People have the same pixels in it as in the whole input.
 * @param sizes of a detector, the most pixels first
 * @returns null when no network that is smaller than that of the whole picture shows the region
 */
export function windowAround(
  region: Region,
  letterbox: Letterbox,
  sizes: readonly NetworkSize[],
): InputWindow | null {
  const { contentWidth, contentHeight } = letterbox;
  const left = Math.floor(region.left * contentWidth);
  const right = Math.ceil((region.left + region.width) * contentWidth);
  const top = Math.floor(region.top * contentHeight);
  const bottom = Math.ceil((region.top + region.height) * contentHeight);
  const size = sizes.findLast(({ width, height }) => right - left <= width && bottom - top <= height);
  if (!size || pixelsOf(size) >= pixelsOf(wholeSize(letterbox, sizes))) return null;
  const { width, height } = size;
  const x = placed((left + right - width) / 2, contentWidth - width);
  const y = placed((top + bottom - height) / 2, contentHeight - height);
  return { x, y, width, height };
}

/** A window that is larger than the picture begins where the picture begins. */
const placed = (wanted: number, most: number): number => Math.max(0, Math.min(Math.round(wanted), most));

/** The part of the picture that a window shows. */
export function regionOf(
  { x, y, width, height }: InputWindow,
  { contentWidth, contentHeight }: Letterbox,
): Region {
  return {
    left: x / contentWidth,
    top: y / contentHeight,
    width: Math.min(width, contentWidth - x) / contentWidth,
    height: Math.min(height, contentHeight - y) / contentHeight,
  };
}

/** The size of the network that looks. @param view undefined or null: at the whole picture @param sizes of the detector */
export function sizeOfView(
  view: SmallerView | null | undefined,
  letterbox: Letterbox,
  sizes: NetworkSizes,
): NetworkSize {
  if (view === 'shrunk') return wholeSize(shrunkTo(shrunkSize(sizes), letterbox), sizes);
  return view ?? wholeSize(letterbox, sizes);
}

/** A picture is shrunk to half of its size at most. */
export const canShrink = ({ inputWidth }: Letterbox, sizes: NetworkSizes): boolean =>
  inputWidth <= 2 * shrunkSize(sizes).width;

/** The picture is shrunk only where a window has so many times as many pixels, because less is found in it. */
const WORTH_SHRINKING = 2;

/** @param window null: the whole picture @param sizes of the detector */
export function isWorthShrinking(
  window: InputWindow | null,
  letterbox: Letterbox,
  sizes: NetworkSizes,
): boolean {
  const pixelsIn = (view: SmallerView | null) => pixelsOf(sizeOfView(view, letterbox, sizes));
  return canShrink(letterbox, sizes) && pixelsIn(window) >= WORTH_SHRINKING * pixelsIn('shrunk');
}

/** The part of the picture that a view shows. @param view null: the whole picture */
export const regionOfView = (view: SmallerView | null, letterbox: Letterbox): Region =>
  view === null || view === 'shrunk' ? WHOLE_PICTURE : regionOf(view, letterbox);

export function partOf(view: SmallerView | null, letterbox: Letterbox, sizes: NetworkSizes): AnalysedPart {
  const { width, height } = sizeOfView(view, letterbox, sizes);
  return { region: regionOfView(view, letterbox), size: { width, height } };
}
