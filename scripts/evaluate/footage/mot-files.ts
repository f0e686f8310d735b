import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Detection } from '../../../src/vision/types.ts';

/** One row of a MOTChallenge text file: pixels, frames from 1. */
export interface MotRow {
  readonly frame: number;
  readonly id: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Column 7: confidence of a detection or result; in ground truth 0 (not to be evaluated) or 1. */
  readonly confidence: number;
  /** Column 8 of ground truth; 1 is a pedestrian. 1 in all rows where the file has no classes (MOT15). */
  readonly classId: number;
  /** Column 9 of ground truth: visible share of the box, 0-1. Absent where the file has no classes. */
  readonly visibility?: number | undefined;
}

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A folder `NAME/{gt/gt.txt, det/det.txt, seqinfo.ini}`. */
export interface MotSequence extends Size {
  /** The folder's name. */
  readonly name: string;
  /** `name` in seqinfo.ini. Result files may have this name instead. */
  readonly title: string;
  readonly folder: string;
  readonly frames: number;
  readonly framesPerSecond: number;
}

export const truthPath = (folder: string): string => join(folder, 'gt', 'gt.txt');

/** MOT17 has 12 classes, MOT20 has 13. Without classes column 8 holds -1 or a coordinate in metres. */
const isClass = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 13;

/**
 * @param path comma-separated `frame,id,left,top,width,height,confidence[,class,visibility | ,x,y,z]`
 * @throws Error that names file and line where a row cannot be read
 */
export async function readMotFile(path: string): Promise<MotRow[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read: is the path right?`);
  });
  const rows = text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const columns = line.split(line.includes(',') ? ',' : /\s+/).map(Number);
    if (columns.length < 6 || columns.slice(0, 6).some((value) => !Number.isFinite(value))) {
      throw new Error(
        `${path}:${at + 1} is no MOTChallenge row: frame,id,left,top,width,height,confidence,… expected.`,
      );
    }
    return [columns];
  });
  const hasClasses = rows.length > 0 && rows.every((columns) => isClass(columns[7] ?? 0));
  return rows.map(([frame, id, left, top, width, height, confidence, classId, visibility]) => ({
    ...{ frame: frame!, id: id!, left: left!, top: top!, width: width!, height: height! },
    ...{ confidence: confidence ?? 1, classId: hasClasses ? classId! : 1 },
    ...(hasClasses && visibility !== undefined && { visibility }),
  }));
}

/** The rows of each frame: entry 0 is frame 1. @throws Error where a row lies outside 1..frames */
export function byFrame(rows: readonly MotRow[], frames: number, path: string): MotRow[][] {
  const found: MotRow[][] = Array.from({ length: frames }, () => []);
  for (const row of rows) {
    const frame = found[row.frame - 1];
    if (!frame)
      throw new Error(`${path} has frame ${row.frame}, but the sequence has the frames 1 to ${frames}.`);
    frame.push(row);
  }
  return found;
}

/** Reads the rows of a file by frame. @param isWanted which rows to return; all by default */
export async function readFrames(
  path: string,
  frames: number,
  isWanted: (row: MotRow) => boolean = () => true,
): Promise<MotRow[][]> {
  return byFrame((await readMotFile(path)).filter(isWanted), frames, path);
}

/** Folders with gt/gt.txt in `root`, or up to two folders deeper. @throws Error where there is none */
export async function findSequences(root: string): Promise<string[]> {
  const found = await foldersBelow(root, 2);
  if (found.length > 0) return found.sort((a, b) => basename(a).localeCompare(basename(b)));
  throw new Error(`${root} holds no sequences: folders with gt/gt.txt expected.`);
}

async function foldersBelow(folder: string, depth: number): Promise<string[]> {
  if (existsSync(truthPath(folder))) return [folder];
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new Error(`${folder} is not a folder that can be read.`);
  });
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  const found = await Promise.all(folders.map(({ name }) => foldersBelow(join(folder, name), depth - 1)));
  return found.flat();
}

/** Reads the seqinfo.ini of a sequence. @throws Error that names the missing value */
export async function readSequence(folder: string): Promise<MotSequence> {
  const path = join(folder, 'seqinfo.ini');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} is missing: it has frameRate, seqLength, imWidth and imHeight.`);
  });
  const value = (key: string): string => {
    const found = new RegExp(`^\\s*${key}\\s*=\\s*(.+?)\\s*$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`${path} has no ${key}.`);
    return found;
  };
  const number = (key: string): number => {
    const found = Number(value(key));
    if (!(found > 0)) throw new Error(`${path}: ${key} must be a number above 0.`);
    return found;
  };
  return {
    ...{ name: basename(folder), title: value('name'), folder },
    ...{ frames: number('seqLength'), framesPerSecond: number('frameRate') },
    ...{ width: number('imWidth'), height: number('imHeight') },
  };
}

/** The sequence and the detections of each frame in det/det.txt. */
export async function readDetections(folder: string) {
  const sequence = await readSequence(folder);
  const rows = await readFrames(join(folder, 'det', 'det.txt'), sequence.frames);
  return {
    sequence,
    detections: rows.map((ofFrame) => ofFrame.map((row) => toDetection(row, sequence))),
  };
}

/** A row in pixels as the detection of a person in fractions of the frame. */
export function toDetection(row: MotRow, { width, height }: Size): Detection {
  const { left, top } = row;
  return {
    box: {
      ...{ left: left / width, top: top / height },
      ...{ right: (left + row.width) / width, bottom: (top + row.height) / height },
    },
    score: row.confidence,
    classId: 0,
  };
}

/** `frame,id,left,top,width,height,confidence,-1,-1,-1`, rounded to hundredths of a pixel. */
export function motLine(row: Omit<MotRow, 'classId'>): string {
  const round = (value: number) => Math.round(value * 100) / 100;
  const box = [row.left, row.top, row.width, row.height, row.confidence].map(round);
  return `${[row.frame, row.id, ...box, -1, -1, -1].join(',')}\n`;
}
