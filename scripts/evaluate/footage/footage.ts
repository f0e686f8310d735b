import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AnalysisAccuracy } from '../../../src/vision/region.ts';
import type { Detection } from '../../../src/vision/types.ts';
import type { FootPoint, Trajectory } from '../visits/dwell.ts';
import { detectVideo, type FootageVideo } from './detect-video.ts';
import { type MotRow, readDetections, readFrames, type Size, truthPath } from './mot-files.ts';

/** A fixed camera, or one that somebody carries. */
export type CameraKind = 'static' | 'moving';

/** Sequences of MOT17 with a moving camera; their seqinfo.ini does not say so. */
const MOVING = /^MOT17-(05|10|11|13)\b/;

/** The class of people who are evaluated. Rows of other classes, or with a confidence of 0, are not. */
const PEDESTRIAN = 1;
export const isPerson = ({ confidence, classId }: MotRow): boolean =>
  confidence !== 0 && classId === PEDESTRIAN;

export interface FootageFrame {
  /** From 1. */
  readonly frame: number;
  readonly timeMs: number;
  readonly detections: readonly Detection[];
  readonly truth: readonly MotRow[];
}

/** A sequence with its detections and its true people. */
export interface Footage {
  readonly name: string;
  readonly camera: CameraKind;
  /** Of the frames, in pixels. */
  readonly size: Size;
  /** Every frame of the sequence. */
  readonly frames: readonly FootageFrame[];
  readonly framesPerSecond: number;
  /** The true path of each person, at the frame rate of the sequence. */
  readonly trajectories: readonly Trajectory[];
  /** Of the video, where there is one: a detector can look at parts of it. */
  readonly video: FootageVideo | null;
}

/**
 * Reads a sequence. Its detections come from video.mp4 and the detector, or else from det/det.txt.
 * @throws Error that names the file where one is missing or cannot be read
 */
export async function readFootage(
  folder: string,
  model: string,
  accuracy: AnalysisAccuracy = 'standard',
): Promise<Footage> {
  const path = join(folder, 'video.mp4');
  const video = existsSync(path) ? { path, model, accuracy } : null;
  const { sequence, detections } = video ? await fromVideo(video) : await readDetections(folder);
  const truthFile = truthPath(folder);
  const truth = await readFrames(truthFile, sequence.frames, isPerson);
  if (truth.flat().length === 0)
    throw new Error(`${truthFile} has no person: rows with class 1 and confidence 1 expected.`);
  const frames = truth.map((people, at) => ({
    ...{ frame: at + 1, timeMs: (at * 1000) / sequence.framesPerSecond },
    ...{ detections: detections[at] ?? [], truth: people },
  }));
  return {
    name: basename(folder),
    camera: await cameraOf(folder, sequence.title),
    size: sequence,
    framesPerSecond: sequence.framesPerSecond,
    frames,
    trajectories: trajectoriesOf(frames, sequence, truthFile),
    video,
  };
}

async function fromVideo(video: FootageVideo) {
  const { frames, info } = await detectVideo(video);
  const { fps: framesPerSecond, width, height } = info;
  return {
    sequence: {
      title: basename(join(video.path, '..')),
      frames: frames.length,
      framesPerSecond,
      width,
      height,
    },
    detections: frames.map(({ detections }) => detections),
  };
}

async function cameraOf(folder: string, title: string): Promise<CameraKind> {
  const text = await readFile(join(folder, 'seqinfo.ini'), 'utf8').catch(() => '');
  const camera = /^\s*camera\s*=\s*(\S+)/m.exec(text)?.[1];
  if (camera === 'static' || camera === 'moving') return camera;
  if (camera) throw new Error(`${folder}/seqinfo.ini: camera must be static or moving, not ${camera}.`);
  return MOVING.test(title) ? 'moving' : 'static';
}

function trajectoriesOf(
  frames: readonly FootageFrame[],
  { width, height }: Size,
  path: string,
): Trajectory[] {
  const trajectories = new Map<number, FootPoint[]>();
  for (const { frame, timeMs, truth } of frames) {
    for (const row of truth) {
      const trajectory = trajectories.get(row.id) ?? [];
      trajectories.set(row.id, trajectory);
      if (trajectory.at(-1)?.timeMs === timeMs)
        throw new Error(`${path} has person ${row.id} twice in frame ${frame}.`);
      trajectory.push({ timeMs, x: (row.left + row.width / 2) / width, y: (row.top + row.height) / height });
    }
  }
  return [...trajectories.values()];
}

/** The frames nearest to k/fps; all frames where the sequence has no more. */
export function sampled({ frames, framesPerSecond }: Footage, fps: number): FootageFrame[] {
  const rate = Math.min(fps, framesPerSecond);
  const chosen = new Set<number>();
  for (let k = 0; ; k++) {
    const at = Math.round((k * framesPerSecond) / rate);
    if (at >= frames.length) break;
    chosen.add(at);
  }
  return frames.filter((_, at) => chosen.has(at));
}
