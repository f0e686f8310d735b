import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One row of a MOTChallenge text file: pixels, frames from 1. */
export interface MotRow {
  readonly frame: number;
  readonly id: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Column 7: confidence of a detection or result; 0 or 1 in ground truth (0: not to be evaluated). */
  readonly confidence: number;
  /** Column 8 of ground truth; 1 is a pedestrian. 1 throughout where the file has no classes (MOT15). */
  readonly classId: number;
  /** Column 9 of ground truth: share of the box that can be seen, 0-1. Left out where the file has no classes. */
  readonly visibility?: number | undefined;
}

/** A folder `NAME/{gt/gt.txt, det/det.txt, seqinfo.ini}`. */
export interface MotSequence {
  /** The folder's name. */
  readonly name: string;
  /** `name` in seqinfo.ini: result files may carry it instead. */
  readonly title: string;
  readonly folder: string;
  readonly frames: number;
  readonly framesPerSecond: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** MOT17 knows 12 classes, MOT20 13. Without classes column 8 holds -1 or a coordinate in metres. */
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
    frame: frame!,
    id: id!,
    left: left!,
    top: top!,
    width: width!,
    height: height!,
    confidence: confidence ?? 1,
    classId: hasClasses ? classId! : 1,
    ...(hasClasses && visibility !== undefined && { visibility }),
  }));
}

/** Rows by frame: entry 0 is frame 1. @throws Error where a row lies outside 1..frames */
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

/** @throws Error where there is none */
export async function findSequences(root: string): Promise<MotSequence[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => {
    throw new Error(`${root} is not a folder that can be read.`);
  });
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => entry.name)
    .filter((name) => existsSync(join(root, name, 'gt', 'gt.txt')))
    .sort();
  if (names.length === 0)
    throw new Error(`${root} holds no sequences: folders NAME with gt/gt.txt expected.`);
  return Promise.all(names.map((name) => readSequence(join(root, name), name)));
}

/** @param folder of the sequence NAME */
export async function readSequence(folder: string, name: string): Promise<MotSequence> {
  const path = join(folder, 'seqinfo.ini');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} is missing: it gives frameRate, seqLength, imWidth and imHeight.`);
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
    name,
    title: value('name'),
    folder,
    frames: number('seqLength'),
    framesPerSecond: number('frameRate'),
    width: number('imWidth'),
    height: number('imHeight'),
  };
}

/** `frame,id,left,top,width,height,confidence,-1,-1,-1`, hundredths of a pixel. */
export function motLine(row: Omit<MotRow, 'classId'>): string {
  const round = (value: number) => Math.round(value * 100) / 100;
  const box = [row.left, row.top, row.width, row.height, row.confidence].map(round);
  return `${[row.frame, row.id, ...box, -1, -1, -1].join(',')}\n`;
}
