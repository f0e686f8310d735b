import { readDetectorCard } from '../../../src/models/cards.ts';
import { inputSizes } from '../../../src/models/detector-card.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';
import { fitLetterbox } from '../../../src/video/ffmpeg/letterbox.ts';
import type { NetworkSize, NetworkSizes, SmallerView } from '../../../src/vision/detect/detector.ts';
import { area, footPoint, height, intersection } from '../../../src/vision/geometry.ts';
import {
  aspectOf,
  isWorthShrinking,
  partOf,
  regionAround,
  shrunkSize,
  windowAround,
} from '../../../src/vision/region.ts';
import { ShrunkTrial } from '../../../src/vision/shrunk-trial.ts';
import type { Box, Detection, Letterbox, Region } from '../../../src/vision/types.ts';
import { quantile } from '../../support/numbers.ts';
import type { ImageResult } from '../detector/average-precision.ts';
import { detectVideo, type FootageVideo } from '../footage/detect-video.ts';
import { type Footage, type FootageFrame, sampled } from '../footage/footage.ts';
import { toDetection } from '../footage/mot-files.ts';
import { isInside, type Zone } from './dwell.ts';

export interface SeenPart {
  readonly region: Region;
  readonly size: NetworkSize;
  readonly frames: readonly FootageFrame[];
  /** The people who stand in the zone, and the detections there: in the part, and in the whole picture. */
  readonly inZone: Readonly<Record<'part' | 'whole', readonly ImageResult[]>>;
}

/** A detection is sure enough to tell how tall people are. */
const SURE = 0.6;
/** The tallest people but for a few odd boxes. */
const TALL = 0.9;
/** A box of a person of whom less is inside a picture is hardly found. Only where there are no pictures. */
const LEAST_INSIDE = 0.3;

/**
 * What a detector finds in the view that a lane would choose for a zone: the window around it, or the shrunk picture. The views of
 * a video are detected; detections of a file are cut at the edges of the window, and never shrunk.
 * @param model whose sizes are used
 */
export async function seenAround(
  footage: Footage,
  zone: Zone,
  { fps, model }: { fps: number; model: string },
): Promise<SeenPart> {
  const card = await readDetectorCard(MODELS_DIR, model);
  const sizes = inputSizes(card);
  const { width, height } = (footage.video?.accuracy === 'high' && card.largerInput) || card.input;
  const letterbox = fitLetterbox(footage.size, width, height);
  const personHeight = tallIn(zone, footage.frames);
  const zones = [{ queueZone: { type: 'polygon' as const, points: [...zone] } }];
  const wanted = regionAround(zones, { personHeight, aspect: aspectOf(letterbox) });
  const window = windowAround(wanted, letterbox, sizes);
  const isShrunk =
    isWorthShrinking(window, letterbox, sizes) &&
    (await passesTrial(footage, zone, { letterbox, sizes, fps }));
  const view = isShrunk ? 'shrunk' : window;
  const { region, size } = partOf(view, letterbox, sizes);
  const frames = await framesIn(footage, view, region);
  const [part, whole] = [frames, footage.frames].map((all) => sampled({ ...footage, frames: all }, fps));
  return {
    ...{ region, size, frames: part! },
    inZone: { part: inZone(part!, zone, footage), whole: inZone(whole!, zone, footage) },
  };
}

async function framesIn(footage: Footage, view: SmallerView | null, region: Region) {
  const { video } = footage;
  if (!view) return footage.frames;
  if (!video) return cutFrames(footage.frames, region);
  if (view === 'shrunk') return shrunkFrames(footage, video);
  return withDetections(footage, await detectVideo(video, view));
}

const withDetections = (
  { frames }: Footage,
  detected: Awaited<ReturnType<typeof detectVideo>>,
): FootageFrame[] =>
  frames.map((frame, at) => ({ ...frame, detections: detected.frames[at]?.detections ?? [] }));

/** Of each sequence, because many zones need them. */
const shrunk = new WeakMap<Footage, Promise<FootageFrame[]>>();
function shrunkFrames(footage: Footage, video: FootageVideo): Promise<FootageFrame[]> {
  const known = shrunk.get(footage);
  if (known) return known;
  const detecting = detectVideo(video, 'shrunk').then((found) => withDetections(footage, found));
  shrunk.set(footage, detecting);
  return detecting;
}

/** Whether the smallest network finds the people in a zone, by the frames of all of the video. */
async function passesTrial(
  footage: Footage,
  zone: Zone,
  { letterbox, sizes, fps }: { letterbox: Letterbox; sizes: NetworkSizes; fps: number },
): Promise<boolean> {
  if (!footage.video) return false;
  const trial = new ShrunkTrial();
  const share = shrunkSize(sizes).height / letterbox.inputHeight;
  const frames = sampled(footage, fps);
  for (const { detections } of frames) trial.see(sureIn(zone, detections), letterbox, share);
  if (!trial.isPromising) return false;
  const small = sampled({ ...footage, frames: await shrunkFrames(footage, footage.video) }, fps);
  for (const [at, { detections }] of frames.entries())
    trial.compare(sureIn(zone, detections), small[at]!.detections);
  return trial.passes;
}

const sureIn = (zone: Zone, detections: readonly Detection[]): Detection[] =>
  detections.filter(({ box, score }) => score >= SURE && isInside(zone, ...footPoint(box)));

/** How tall people in a zone are, as a share of the picture's height. */
function tallIn(zone: Zone, frames: readonly FootageFrame[]): number {
  const heights = frames.flatMap(({ detections }) => sureIn(zone, detections)).map(({ box }) => height(box));
  return heights.length === 0 ? 1 : quantile(heights, TALL);
}

function cutFrames(frames: readonly FootageFrame[], region: Region): FootageFrame[] {
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
  return frames.map((frame) => ({ ...frame, detections: frame.detections.flatMap(cut) }));
}

/** The true people in a zone, and what was found there. */
function inZone(frames: readonly FootageFrame[], zone: Zone, { size }: Footage): ImageResult[] {
  const isIn = (box: Box) => isInside(zone, ...footPoint(box));
  return frames.map(({ detections, truth }) => ({
    detections: detections.filter(({ box }) => isIn(box)),
    truth: truth.map((row) => toDetection(row, size).box).filter(isIn),
  }));
}
