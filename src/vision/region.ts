import type { NetworkSize } from './detect/detector.ts';
import type { Letterbox, QueueZones, Region } from './types.ts';

export const WHOLE_PICTURE: Region = { left: 0, top: 0, width: 1, height: 1 };

/** Width over height of the whole picture, also where the model sees a part of it. */
export function aspectOf({ contentWidth, contentHeight, region = WHOLE_PICTURE }: Letterbox): number {
  return contentWidth / region.width / (contentHeight / region.height);
}

/** What lies around the zones, in heights of a person: zones hold feet, so a body stands above. */
const MARGIN = { above: 2, below: 1, beside: 1 } as const;

export interface RegionOptions {
  /** Height of the tallest people in the zones, as a share of the picture's height. */
  readonly personHeight: number;
  /** Width over height of the picture, and of the network's input. */
  readonly aspect: number;
  readonly networkAspect: number;
}

/**
 * The part of the picture that matters to zones: their bounding box with a margin, so that people are followed before they
 * enter. It grows to the shape of the network where that costs nothing.
 */
export function regionAround(
  zones: readonly QueueZones[],
  { personHeight, aspect, networkAspect }: RegionOptions,
): Region {
  const points = zones.flatMap(({ queueZone, checkoutZone, staffZone }) =>
    [queueZone, checkoutZone, staffZone].flatMap((zone) => zone?.points ?? []),
  );
  if (points.length === 0) return WHOLE_PICTURE;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const beside = (MARGIN.beside * personHeight) / aspect;
  const across = within(Math.min(...xs) - beside, Math.max(...xs) + beside);
  const down = within(
    Math.min(...ys) - MARGIN.above * personHeight,
    Math.max(...ys) + MARGIN.below * personHeight,
  );
  const shape = (across.length * aspect) / down.length;
  const [x, y] =
    shape < networkAspect
      ? [grown(across, (down.length * networkAspect) / aspect), down]
      : [across, grown(down, (across.length * aspect) / networkAspect)];
  return { left: x.from, top: y.from, width: x.length, height: y.length };
}

interface Span {
  readonly from: number;
  readonly length: number;
}

function within(from: number, to: number): Span {
  const start = Math.max(0, from);
  return { from: start, length: Math.min(1, to) - start };
}

/** A span with its middle where it was, as far as the picture reaches. */
function grown({ from, length }: Span, wanted: number): Span {
  const longer = Math.min(1, Math.max(length, wanted));
  const start = Math.min(1 - longer, Math.max(0, from - (longer - length) / 2));
  return { from: start, length: longer };
}

/** Pixels of the network for the height of the picture. */
export function networkScale(region: Region, aspect: number, { width, height }: NetworkSize): number {
  return Math.min(width / (region.width * aspect), height / region.height);
}

/** Rounding of the letterbox. */
const TOLERANCE = 0.98;

/**
 * The smallest size in which people get at least as many pixels as in the whole picture at the largest size: it costs less
 * and finds as much.
 * @param sizes of a detector, the largest first
 */
export function sizeForRegion(
  region: Region,
  aspect: number,
  sizes: readonly NetworkSize[],
): NetworkSize | undefined {
  const [largest] = sizes;
  if (!largest) return undefined;
  const least = TOLERANCE * networkScale(WHOLE_PICTURE, aspect, largest);
  return sizes.findLast((size) => networkScale(region, aspect, size) >= least) ?? largest;
}
