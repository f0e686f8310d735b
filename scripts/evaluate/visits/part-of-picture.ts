import type { NetworkSize } from '../../../src/vision/detect/detector.ts';
import { area, footPoint, height, intersection } from '../../../src/vision/geometry.ts';
import { regionAround } from '../../../src/vision/region.ts';
import type { Box, Detection, Region } from '../../../src/vision/types.ts';
import { partSize } from '../../replay/part-size.ts';
import { quantile } from '../../support/numbers.ts';
import { detectVideo } from '../footage/detect-video.ts';
import { type Footage, type FootageFrame, sampled } from '../footage/footage.ts';
import { isInside, type Zone } from './dwell.ts';

export interface SeenPart {
  readonly region: Region;
  readonly size: NetworkSize | undefined;
  readonly frames: readonly FootageFrame[];
}

/** A detection is sure enough to tell how tall people are. */
const SURE = 0.6;
/** The tallest people but for a few odd boxes. */
const TALL = 0.9;
/** A box of a person of whom less is inside a picture is hardly found. Only where there are no pictures. */
const LEAST_INSIDE = 0.3;

/**
 * What a detector finds in the part of the picture around a zone. Of a video the part is cut out and detected; detections of
 * a file are cut at the edges of the part.
 */
export async function seenAround(
  footage: Footage,
  zone: Zone,
  { fps, size: wanted }: { fps: number; size: string },
): Promise<SeenPart> {
  const { size, video } = footage;
  const aspect = size.width / size.height;
  const [largest] = video?.sizes ?? [];
  const region = regionAround([{ queueZone: { type: 'polygon', points: [...zone] } }], {
    personHeight: tallIn(zone, footage.frames),
    aspect,
    networkAspect: largest ? largest.width / largest.height : aspect,
  });
  if (!video) return { region, size: undefined, frames: cutFrames(footage, region, fps) };
  const networkSize = partSize(wanted, { region, aspect, sizes: video.sizes });
  const { frames } = await detectVideo(video.path, video.model, { region, size: networkSize });
  const seen = footage.frames.map((frame, at) => ({ ...frame, detections: frames[at]?.detections ?? [] }));
  return { region, size: networkSize, frames: sampled({ ...footage, frames: seen }, fps) };
}

/** How tall people in a zone are, as a share of the picture's height. */
function tallIn(zone: Zone, frames: readonly FootageFrame[]): number {
  const heights = frames
    .flatMap(({ detections }) => detections)
    .filter(({ box, score }) => score >= SURE && isInside(zone, ...footPoint(box)))
    .map(({ box }) => height(box));
  return heights.length === 0 ? 1 : quantile(heights, TALL);
}

function cutFrames(footage: Footage, region: Region, fps: number): FootageFrame[] {
  const { left, top, width, height: high } = region;
  const edge: Box = { left, top, right: left + width, bottom: top + high };
  const cut = (detection: Detection): Detection[] => {
    const { box } = detection;
    if (intersection(box, edge) < LEAST_INSIDE * area(box)) return [];
    const inside = {
      ...{ left: edge.left > 0 ? Math.max(edge.left, box.left) : box.left },
      ...{ top: edge.top > 0 ? Math.max(edge.top, box.top) : box.top },
      ...{ right: edge.right < 1 ? Math.min(edge.right, box.right) : box.right },
      ...{ bottom: edge.bottom < 1 ? Math.min(edge.bottom, box.bottom) : box.bottom },
    };
    return [{ ...detection, box: inside }];
  };
  return sampled(footage, fps).map((frame) => ({ ...frame, detections: frame.detections.flatMap(cut) }));
}
