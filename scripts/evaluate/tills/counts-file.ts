import { readFile } from 'node:fs/promises';
import { parseCsv } from '../visits/csv.ts';
import { refuse } from '../visits/label-file.ts';

const COLUMNS = ['second', 'inQueue', 'inService'] as const;

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
  const text = await readOptional(path, 'counts');
  return text === null ? null : parseCounts(text, path);
}

/** The text of a file that may lack: null. @param kind names the file in the error */
export const readOptional = (path: string, kind: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The ${kind} ${path} cannot be read (${error.code}).`);
  });

/** The rows of a small table with the cells of these columns; columns may come in any order. @throws Error */
export function rowsOf<Column extends string>(
  text: string,
  path: string,
  { kind, columns }: { readonly kind: string; readonly columns: readonly Column[] },
): { readonly line: number; readonly cell: (column: Column) => string }[] {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''), ',').filter(({ cells }) =>
    cells.some((cell) => cell.trim() !== ''),
  );
  const names = (rows[0]?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const at = new Map(columns.map((column) => [column, names.indexOf(column.toLowerCase())]));
  if ([...at.values()].includes(-1))
    throw new Error(
      `The first line of the ${kind} ${path} must be ${columns.join()}, then a line for each second.`,
    );
  return rows.slice(1).map(({ line, cells }) => ({
    line,
    cell: (column) => (cells[at.get(column)!] ?? '').trim(),
  }));
}

/** @throws Error as `readCounts` */
export function parseCounts(text: string, path: string): LabelledCount[] {
  const faults: string[] = [];
  const counts = rowsOf(text, path, { kind: 'counts', columns: COLUMNS }).flatMap(
    ({ line, cell }): LabelledCount[] => {
      const value = (column: (typeof COLUMNS)[number], isWhole: boolean): number | null => {
        const written = cell(column);
        if (written === '') return null;
        const number = Number(written);
        if (number >= 0 && Number.isFinite(number) && (!isWhole || Number.isInteger(number))) return number;
        faults.push(`line ${line}: ${column} (${written}) must be a ${isWhole ? 'whole ' : ''}number from 0`);
        return null;
      };
      const [second, inQueue, inService] = [
        value('second', false),
        value('inQueue', true),
        value('inService', true),
      ];
      if (second === null) {
        if (cell('second') === '') faults.push(`line ${line}: second is empty`);
        return [];
      }
      return inQueue === null && inService === null ? [] : [{ second, inQueue, inService }];
    },
  );
  refuse(path, faults, 'counts');
  if (counts.length === 0)
    throw new Error(`The counts ${path} have no line with a count; write one or remove the file.`);
  return counts;
}
