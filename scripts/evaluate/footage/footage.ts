import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Detection } from '../../../src/vision/types.ts';
import { byFrame, type MotRow, type MotSequence, readMotFile, readSequence } from '../tracks/files.ts';
import { toDetection } from '../tracks/follow.ts';
import type { FootAt, Way } from '../visits/dwell.ts';
import { detectVideo } from './detect-video.ts';

/** A fixed camera or one that is carried about. */
export type CameraKind = 'static' | 'moving';

/** Sequences of MOT17 whose camera moves; their seqinfo.ini does not say so. */
const MOVING = /^MOT17-(05|10|11|13)\b/;

/** Ground truth rows of another class than 1, or with a confidence of 0, are no people who are judged. */
const PEDESTRIAN = 1;

export interface FootageFrame {
  /** From 1. */
  readonly frame: number;
  readonly timeMs: number;
  readonly detections: readonly Detection[];
  readonly truth: readonly MotRow[];
}

export interface Footage {
  readonly name: string;
  readonly camera: CameraKind;
  /** Pixels. */
  readonly picture: { readonly width: number; readonly height: number };
  /** Every frame of the sequence. */
  readonly frames: readonly FootageFrame[];
  readonly framesPerSecond: number;
  /** The true way of each person, at the rate of the sequence. */
  readonly ways: readonly Way[];
}

/** Folders with gt/gt.txt in `root`, or in its folders. @throws Error where there is none */
export async function findFootage(root: string): Promise<string[]> {
  const found = await foldersBelow(root, 2);
  if (found.length === 0) {
    throw new Error(
      `${root} holds no sequences: folders with gt/gt.txt and det/det.txt or video.mp4 expected.`,
    );
  }
  return found.sort((a, b) => basename(a).localeCompare(basename(b)));
}

async function foldersBelow(folder: string, depth: number): Promise<string[]> {
  if (existsSync(join(folder, 'gt', 'gt.txt'))) return [folder];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new Error(`${folder} is not a folder that can be read.`);
  });
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  const found = await Promise.all(folders.map(({ name }) => foldersBelow(join(folder, name), depth - 1)));
  return found.flat();
}

/** @throws Error that names the file where one is missing or cannot be read */
export async function readFootage(folder: string, model: string): Promise<Footage> {
  const name = basename(folder);
  const video = join(folder, 'video.mp4');
  const { sequence, detections } = existsSync(video)
    ? await fromVideo(video, { folder, name, model })
    : await fromDetections(folder, name);
  const path = join(folder, 'gt', 'gt.txt');
  const rows = (await readMotFile(path)).filter(
    ({ confidence, classId }) => confidence !== 0 && classId === PEDESTRIAN,
  );
  if (rows.length === 0)
    throw new Error(`${path} has no person: rows with class 1 and confidence 1 expected.`);
  const truth = byFrame(rows, sequence.frames, path);
  const timeOf = (frame: number) => ((frame - 1) * 1000) / sequence.framesPerSecond;
  return {
    name,
    camera: await cameraOf(folder, sequence.title),
    picture: sequence,
    framesPerSecond: sequence.framesPerSecond,
    frames: truth.map((people, at) => ({
      frame: at + 1,
      timeMs: timeOf(at + 1),
      detections: detections[at] ?? [],
      truth: people,
    })),
    ways: waysOf(truth, { picture: sequence, timeOf, path }),
  };
}

async function fromDetections(folder: string, name: string) {
  const sequence = await readSequence(folder, name);
  const path = join(folder, 'det', 'det.txt');
  const rows = byFrame(await readMotFile(path), sequence.frames, path);
  return { sequence, detections: rows.map((frame) => frame.map((row) => toDetection(row, sequence))) };
}

async function fromVideo(
  video: string,
  { folder, name, model }: { folder: string; name: string; model: string },
) {
  const { frames, picture } = await detectVideo(video, model);
  const sequence: MotSequence = {
    ...{ name, title: name, folder, frames: frames.length },
    ...{ framesPerSecond: picture.fps, width: picture.width, height: picture.height },
  };
  return { sequence, detections: frames.map(({ detections }) => detections) };
}

async function cameraOf(folder: string, title: string): Promise<CameraKind> {
  const text = await readFile(join(folder, 'seqinfo.ini'), 'utf8').catch(() => '');
  const said = /^\s*camera\s*=\s*(\S+)/m.exec(text)?.[1];
  if (said === 'static' || said === 'moving') return said;
  if (said) throw new Error(`${folder}/seqinfo.ini: camera must be static or moving, not ${said}.`);
  return MOVING.test(title) ? 'moving' : 'static';
}

function waysOf(
  truth: readonly (readonly MotRow[])[],
  {
    picture,
    timeOf,
    path,
  }: {
    picture: { readonly width: number; readonly height: number };
    timeOf: (frame: number) => number;
    path: string;
  },
): Way[] {
  const ways = new Map<number, FootAt[]>();
  for (const row of truth.flat()) {
    const way = ways.get(row.id) ?? [];
    ways.set(row.id, way);
    if (way.at(-1)?.timeMs === timeOf(row.frame)) {
      throw new Error(`${path} has person ${row.id} twice in frame ${row.frame}.`);
    }
    way.push({
      timeMs: timeOf(row.frame),
      x: (row.left + row.width / 2) / picture.width,
      y: (row.top + row.height) / picture.height,
    });
  }
  return [...ways.values()];
}

/** The frames nearest to k/fps; all of them where the sequence has no more. */
export function sampled({ frames, framesPerSecond }: Footage, fps: number): FootageFrame[] {
  const rate = Math.min(fps, framesPerSecond);
  const wanted = new Set<number>();
  for (let k = 0; ; k++) {
    const at = Math.round((k * framesPerSecond) / rate);
    if (at >= frames.length) break;
    wanted.add(at);
  }
  return frames.filter((_, at) => wanted.has(at));
}
