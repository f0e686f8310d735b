import { readFile } from 'node:fs/promises';
import { parseCsv } from '../visits/csv.ts';
import { refuse } from '../visits/label-file.ts';

const COLUMNS = ['second', 'inQueue', 'inService'] as const;
const HEADER = COLUMNS.join(',');

/** How many people are in each zone at one second of the film; null where nobody counted them. */
export interface LabelledCount {
  readonly second: number;
  readonly inQueue: number | null;
  readonly inService: number | null;
}

/**
 * Reads the people whom somebody counted in single pictures of a film: `second,inQueue,inService`. An empty cell was not
 * counted. Columns are in any order; others are ignored.
 * @returns null where there is no file; otherwise at least one count
 * @throws Error with file, line and remedy of every fault
 */
export async function readCounts(path: string): Promise<LabelledCount[] | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The counts ${path} cannot be read (${error.code}).`);
  });
  return text === null ? null : parseCounts(text, path);
}

/** @throws Error as `readCounts` */
export function parseCounts(text: string, path: string): LabelledCount[] {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''), ',').filter(({ cells }) =>
    cells.some((cell) => cell.trim() !== ''),
  );
  const names = (rows[0]?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const at = COLUMNS.map((column) => names.indexOf(column.toLowerCase()));
  if (at.includes(-1))
    throw new Error(`The first line of the counts ${path} must be ${HEADER}, then a line for each second.`);
  const faults: string[] = [];
  const counts = rows.slice(1).flatMap(({ line, cells }): LabelledCount[] => {
    const value = (column: number, isWhole: boolean): number | null => {
      const cell = (cells[at[column]!] ?? '').trim();
      if (cell === '') return null;
      const number = Number(cell);
      if (number >= 0 && Number.isFinite(number) && (!isWhole || Number.isInteger(number))) return number;
      faults.push(
        `line ${line}: ${COLUMNS[column]} (${cell}) must be a ${isWhole ? 'whole ' : ''}number from 0`,
      );
      return null;
    };
    const [second, inQueue, inService] = [value(0, false), value(1, true), value(2, true)];
    if (second === null) {
      if ((cells[at[0]!] ?? '').trim() === '') faults.push(`line ${line}: second is empty`);
      return [];
    }
    return inQueue === null && inService === null ? [] : [{ second, inQueue, inService }];
  });
  refuse(path, faults, 'counts');
  if (counts.length === 0)
    throw new Error(`The counts ${path} have no line with a count; write one or remove the file.`);
  return counts;
}
